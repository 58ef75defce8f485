#pragma once

#include <vector>

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

  [[nodiscard]] bool centred() const { return formula == norm::Formula::standardize; }
  // What a sum of squares of n elements is divided by.
  [[nodiscard]] double degrees(double n) const {
    return centred() && divisor == norm::Divisor::n_minus_one ? n - 1 : n;
  }
};

}  // namespace normtrace::bulk
