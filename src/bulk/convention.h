#pragma once

#include <optional>
#include <vector>

#include "bulk/element.h"
#include "norm/catalogue.h"
#include "norm/convention.h"

namespace normtrace::bulk {

// norm::Convention in float64.
struct Convention {
  norm::Formula formula = norm::Formula::standardize;
  norm::Divisor divisor = norm::Divisor::n;
  double eps = 0;
  norm::EpsPlace eps_place = norm::EpsPlace::inside_root;
  std::vector<double> gamma;  // one a feature; empty for 1
  std::vector<double> beta;   // one a feature; empty for 0
  // Sums as a machine keeps them, in this type and from left to right; none: as exact as the results can show.
  std::optional<Element> accumulate = {};
  norm::GammaForm gamma_form = norm::GammaForm::plain;  // where accumulate is given; otherwise γ holds the factors

  [[nodiscard]] bool centred() const { return formula == norm::Formula::standardize; }
  // What a sum of squares of n elements is divided by.
  [[nodiscard]] double degrees(double n) const {
    return centred() && divisor == norm::Divisor::n_minus_one ? n - 1 : n;
  }
};

}  // namespace normtrace::bulk
