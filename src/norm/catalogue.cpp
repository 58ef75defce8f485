#include "norm/catalogue.h"

#include <algorithm>
#include <string>

namespace normtrace::norm {

std::string_view id(Divisor divisor) { return divisor == Divisor::n ? "n" : "n-1"; }
std::string_view id(GammaForm form) { return form == GammaForm::plain ? "plain" : "one_plus"; }
std::string_view id(EpsPlace place) { return place == EpsPlace::inside_root ? "inside_root" : "added_to_root"; }

std::string_view id(VarianceMethod variance) { return variance == VarianceMethod::two_pass ? "two-pass" : "one-pass"; }
std::string_view id(CastOrder cast) {
  switch (cast) {
    case CastOrder::none: return "none";
    case CastOrder::llama: return "llama";
    case CastOrder::gemma: return "gemma";
  }
  return {};
}

const exact::Format& default_accumulator(const exact::Format& dtype) {
  return dtype.precision < exact::float32.precision ? exact::float32 : dtype;
}

exact::Arithmetic Machine::stored() const { return {dtype, accumulate ? accumulate : &default_accumulator(*dtype)}; }
exact::Arithmetic Machine::computed() const {
  return cast == CastOrder::none ? stored() : exact::Arithmetic{&exact::float32};
}

std::span<const Norm> catalogue() {
  using enum tensor::Axis;
  static constexpr Norm norms[] = {
      {"batchnorm", "bn", "BatchNorm", feature, Formula::standardize},
      {"layernorm", "ln", "LayerNorm", token, Formula::standardize},
      {"rmsnorm", "rms", "RMSNorm", token, Formula::divide_by_rms},
      {"groupnorm", "gn", "GroupNorm", group, Formula::standardize},
      {"instancenorm", "in", "InstanceNorm", instance, Formula::standardize},
      {"hybridnorm", "hybrid", "HybridNorm", token, Formula::mix, "0.5"},
      {"rmsscaling", "rms_scaling", "rms_scaling", token, Formula::divide_by_std},
      {"adaptivermsnorm", "adaptive", "AdaptiveRMSNorm", token, Formula::scale_by_spread, "1"},
  };
  return norms;
}

std::size_t counted(const exact::Rational& partial, std::size_t n) {
  const exact::Integer k = -floor(-(partial * exact::Rational(static_cast<std::int64_t>(n))));
  return static_cast<std::size_t>(k.to_int64());
}

const Norm* find(std::string_view word) {
  std::string lower(word);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (const Norm& norm : catalogue())
    if (lower == norm.id || lower == norm.command) return &norm;
  return nullptr;
}

}  // namespace normtrace::norm
