#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bulk/convention.h"
#include "bulk/kernels.h"

namespace normtrace::bulk {

// What IEEE 754 had to answer for.
struct Oddities {
  std::uint64_t nans = 0;        // NaN among the elements read
  std::uint64_t infinities = 0;  // ±∞ among the elements read
  std::uint64_t overflows = 0;   // outputs that the type of the elements cannot hold
  std::uint64_t undefined = 0;   // rows (for BatchNorm features) of finite elements divided by 0: NaN

  Oddities& operator+=(const Oddities& other) {
    nans += other.nans;
    infinities += other.infinities;
    overflows += other.overflows;
    undefined += other.undefined;
    return *this;
  }
};

// LayerNorm and RMSNorm of rows of n elements, one after another; the convention must outlive it. One a thread.
class RowNormalizer {
 public:
  // Requires n > 0, finite γ, β and ε, and that γ and β are empty or have n entries.
  RowNormalizer(const Convention& convention, std::size_t n);

  // x: (n), y: (n), not the same row. Every output of finite elements is within 1 ulp of its exact value (within 0.51 in
  // all but contrived rows).
  void apply(const double* x, double* y);
  // x: (n), y: (n), perhaps the same row. In float64, rounded once to float32.
  void apply(const float* x, float* y);

  [[nodiscard]] const Oddities& oddities() const { return oddities_; }
  // Since the last call.
  Oddities take_oddities() { return std::exchange(oddities_, {}); }

 private:
  // A row that the kernels can work on: x times a power of two, and ε for it.
  struct Moderate {
    const double* x;
    Survey survey;
    double eps;
  };
  [[nodiscard]] bool is_moderate(double largest) const;
  Moderate moderate(const double* x, double largest);
  void write(const Moderate& row, const double* x, double* y);
  void settle(const Moderate& row, const Standard& standard, Pair deviations, const double* x, double* y) const;
  void write_exactly(const double* x, double* y) const;
  void write_equal(bool undefined, double* y);
  void write_as_ieee(const double* x, double* y) const;
  [[nodiscard]] double gamma(std::size_t i) const { return convention_.gamma.empty() ? 1 : convention_.gamma[i]; }
  [[nodiscard]] double beta(std::size_t i) const { return convention_.beta.empty() ? 0 : convention_.beta[i]; }

  const Convention& convention_;
  std::size_t n_;
  const Kernels& kernels_;
  Affine affine_;
  bool moderate_affine_;  // γ and β are 0 or of a size that no product or sum with them leaves the range
  std::vector<double> scratch_;
  Oddities oddities_;
};

// Adds the NaN and infinities among x to the count.
template <typename T>
void count_non_finite(std::span<const T> x, Oddities& oddities) {
  for (const T value : x) {
    oddities.nans += std::isnan(value);
    oddities.infinities += std::isinf(value);
  }
}

// √(v + ε) or √v + ε.
inline Pair divisor_of(Pair v, double eps, norm::EpsPlace place) {
  const Pair radicand = place == norm::EpsPlace::inside_root ? v + Pair{eps} : v;
  const Pair root = radicand.high == 0 ? Pair{} : sqrt(radicand);
  return place == norm::EpsPlace::inside_root ? root : root + Pair{eps};
}

}  // namespace normtrace::bulk
