#pragma once

#include <span>
#include <vector>

#include "bulk/convention.h"
#include "bulk/normalizer.h"

namespace normtrace::bulk {

// LayerNorm and RMSNorm of rows as a machine computes them that keeps no more digits than its types have: the formulas of
// norm/formulas.h with every step rounded once to the type of the elements, sums in a type of their own and from left to
// right. The convention must outlive it. One a thread.
class MachineRow {
 public:
  // Requires that the convention names a type of sums, and that it holds every element.
  MachineRow(const Convention& convention, Element element);

  // x: (n), y: (n), perhaps the same row. A float16 comes and goes as a double.
  void apply(std::span<const double> x, double* y);
  void apply(std::span<const float> x, float* y);

  // Since the last call.
  Oddities take_oddities() { return std::exchange(oddities_, {}); }

 private:
  // x̂·γ + β of a row that has been widened.
  [[nodiscard]] std::vector<double> outputs(const std::vector<double>& x);

  const Convention& convention_;
  Element element_;
  Oddities oddities_;
};

}  // namespace normtrace::bulk
