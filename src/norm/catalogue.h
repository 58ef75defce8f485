#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "norm/formulas.h"
#include "tensor/partition.h"

namespace normtrace::norm {

enum class Formula { standardize, divide_by_rms, mix, scale_by_spread, divide_by_std };

// A norm is a formula and the axis whose elements share its statistic.
struct Norm {
  std::string_view id;       // in JSON: "layernorm"
  std::string_view command;  // "ln"
  std::string_view name;     // "LayerNorm"
  tensor::Axis axis;
  Formula formula;
  std::string_view alpha = {};  // the default of α; empty where the formula has none
};

std::span<const Norm> catalogue();
inline tensor::Layout layout(const Norm& norm, const Options& options) {
  return {norm.axis, options.axes, options.groups, options.channels};
}
// How many of n numbers partial RMSNorm counts: p·n rounded up, as its authors' code does.
std::size_t counted(const exact::Rational& partial, std::size_t n);
// By id, command or name, whatever the case; null if there is none.
const Norm* find(std::string_view word);

// x̂, before γ and β. x: (n), result: (n).
template <class Number, class Recorder>
std::vector<Number> normalize(Formula formula, std::span<const Number> x, const Setting<Number>& setting,
                              Recorder& record) {
  switch (formula) {
    case Formula::standardize: return standardize(x, setting, record);
    case Formula::divide_by_rms: return divide_by_rms(x, setting, record);
    case Formula::mix: return mix(x, setting, record);
    case Formula::scale_by_spread: return scale_by_spread(x, setting, record);
    case Formula::divide_by_std: return divide_by_std(x, setting, record);
  }
  return {};
}

}  // namespace normtrace::norm
