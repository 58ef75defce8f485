#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bulk/convention.h"
#include "bulk/kernels.h"
#include "bulk/normalizer.h"

namespace normtrace::bulk {

// Mean and M2 = Σ(x − mean)² of one feature, in units of 2^scale: the mean is (near + rest)·2^scale, M2 squares·2^(2·scale).
// scale is 0 unless the squares would leave the range of a double.
struct Moments {
  double near = 0;
  Pair rest;
  Pair squares;
  int scale = 0;

  // In units of 2^scale.
  [[nodiscard]] Pair mean() const { return two_sum(near, rest.high) + Pair{rest.low}; }
};

// What BatchNorm has to know about rows it has seen: mergeable (Chan, Golub and LeVeque 1983), so that the rows may be
// seen in pieces, on as many machines as there are.
struct Statistics {
  std::uint64_t count = 0;           // rows
  std::vector<Moments> features;     // (d)
  std::vector<std::string> names{};  // (d) or empty

  // The statistics of these rows and of the later ones together. Requires the same number of features.
  void merge(const Statistics& later);
};

// x: (rows, d). Two passes over the block: means, then deviations from them.
Statistics statistics(const double* x, std::size_t rows, std::size_t d, Oddities& oddities);
// In float64.
Statistics statistics(const float* x, std::size_t rows, std::size_t d, Oddities& oddities);

// BatchNorm of rows by statistics that are known. One for all threads.
class ColumnNormalizer {
 public:
  // For rows of `element`: float32 goes through the second apply(), the others through the first.
  // Requires finite γ, β and ε, and that γ and β are empty or have an entry a feature.
  ColumnNormalizer(const Statistics& statistics, const Convention& convention, Element element);

  // x: (d), y: (d), not the same row. `scratch` is the caller's, for rows at the ends of the range.
  void apply(const double* x, double* y, std::vector<double>& scratch) const;
  // x: (d), y: (d), perhaps the same row.
  void apply(const float* x, float* y) const;

  static constexpr std::size_t bytes_per_feature(Element element) {
    return (element == Element::float32 ? 2 : 6) * sizeof(double);
  }

  // Features whose variance + ε is 0.
  [[nodiscard]] std::uint64_t undefined() const { return undefined_; }

 private:
  void prepare_floats(const Statistics& statistics, const Convention& convention);
  void prepare_pairs(const Statistics& statistics, const Convention& convention);
  void settle(const double* x, double* y) const;

  const Kernels& kernels_;
  std::vector<double> centre_, near_, rest_high_, rest_low_, factor_high_, factor_low_, beta_, scale_;
  std::uint64_t undefined_ = 0;
};

}  // namespace normtrace::bulk
