#pragma once

#include <cstddef>
#include <span>

#include "bulk/convention.h"
#include "exact/integer.h"

namespace normtrace::bulk {

// One row by whole numbers of any size, for the elements whose float64 pairs may have lost digits: an element that all but
// equals the mean, or an output that all but cancels against β. Slow, and right whatever the numbers.
class ExactRow {
 public:
  // Requires finite elements.
  ExactRow(std::span<const double> x, const Convention& convention);

  // The double nearest to ((x_i − μ)/√(σ² + ε))·γ + β, ties to even, or NaN for 0/0. Requires finite γ and β.
  [[nodiscard]] double output(std::size_t i, double gamma, double beta) const;

 private:
  std::span<const double> x_;
  const Convention& convention_;
  int unit_;  // every element is a whole number of 2^unit_
  exact::Integer sum_;
  // σ² (or the mean square) in units of 2^(2·unit_): above_/below_, below_ = 0 standing for n − 1 = 0.
  exact::Integer above_;
  exact::Integer below_;
};

}  // namespace normtrace::bulk
