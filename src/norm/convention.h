#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "exact/rational.h"

namespace normtrace::norm {

// What Σ(x − μ)² is divided by.
enum class Divisor { n, n_minus_one };
// √(σ² + ε), or σ + ε.
enum class EpsPlace { inside_root, added_to_root };

std::string_view id(Divisor divisor);  // "n", "n-1"
std::string_view id(EpsPlace place);   // "inside_root", "added_to_root"

// The choices that textbooks and frameworks make differently; the defaults are the articles'.
struct Convention {
  Divisor divisor = Divisor::n;
  exact::Rational eps = 0;
  EpsPlace eps_place = EpsPlace::inside_root;
  std::vector<exact::Rational> gamma;  // one a feature; empty means 1
  std::vector<exact::Rational> beta;   // one a feature; empty means 0

  friend bool operator==(const Convention&, const Convention&) = default;
};

}  // namespace normtrace::norm
