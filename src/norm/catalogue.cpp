#include "norm/catalogue.h"

#include <algorithm>
#include <string>

namespace normtrace::norm {

std::string_view id(Divisor divisor) { return divisor == Divisor::n ? "n" : "n-1"; }
std::string_view id(EpsPlace place) { return place == EpsPlace::inside_root ? "inside_root" : "added_to_root"; }

std::span<const Norm> catalogue() {
  using enum tensor::Axis;
  static constexpr Norm norms[] = {
      {"batchnorm", "bn", "BatchNorm", feature, Formula::standardize},
      {"layernorm", "ln", "LayerNorm", token, Formula::standardize},
      {"rmsnorm", "rms", "RMSNorm", token, Formula::divide_by_rms},
  };
  return norms;
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
