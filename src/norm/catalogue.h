#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "norm/formulas.h"
#include "tensor/partition.h"

namespace normtrace::norm {

enum class Formula { standardize, divide_by_rms };

// A norm is a formula and the axis whose elements share its statistic.
struct Norm {
  std::string_view id;       // in JSON: "layernorm"
  std::string_view command;  // "ln"
  std::string_view name;     // "LayerNorm"
  tensor::Axis axis;
  Formula formula;
};

std::span<const Norm> catalogue();
// By id, command or name, whatever the case; null if there is none.
const Norm* find(std::string_view word);

// x̂, before γ and β. x: (n), result: (n).
template <class Number, class Recorder>
std::vector<Number> normalize(Formula formula, std::span<const Number> x, const Setting<Number>& setting,
                              Recorder& record) {
  switch (formula) {
    case Formula::standardize: return standardize(x, setting, record);
    case Formula::divide_by_rms: return divide_by_rms(x, setting, record);
  }
  return {};
}

}  // namespace normtrace::norm
