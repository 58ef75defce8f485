#include "bulk/columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace normtrace::bulk {

namespace {

// Squares between these came from deviations whose error terms were kept.
constexpr double kSmallestSquares = 0x1p-500;
constexpr double kLargestSquares = 0x1p600;
constexpr double kLargestMean = 0x1p300;
constexpr double kSmallestConstant = 0x1p-300;
// An element or mean up to this size can be multiplied without its halves overflowing.
constexpr int kLargestExponent = 800;
constexpr int kLargestScale = 1000;  // 2^1000 and 2^-1000 are normal numbers

bool is_moderate(double near, Pair squares) {
  return std::fabs(near) <= kLargestMean && squares.high >= kSmallestSquares && squares.high <= kLargestSquares;
}

// The moments about a number near the mean. Σ(x − μ)² = Σ(x − near)² − (Σ(x − near))²/n.
Moments about(double near, const Sums& sums, double n) {
  const Pair rest = sums.deviations / n;
  Pair squares = sums.squares - sums.deviations * rest;
  if (squares.high < 0) squares = {};
  return {near, rest, squares, 0};
}

// One column of constant, huge, tiny or infinite numbers.
Moments unusual_column(const double* x, std::size_t rows, std::size_t stride) {
  const auto at = [&](std::size_t row) { return x[row * stride]; };
  double largest = 0;
  bool equal = true, finite = true;
  for (std::size_t row = 0; row < rows; ++row) {
    largest = std::max(largest, std::fabs(at(row)));
    equal = equal && at(row) == at(0);
    finite = finite && std::isfinite(at(row));
  }
  if (!finite) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, {}, {nan, 0}, 0};
  }
  const bool in_range = largest == 0 || (largest >= kSmallestConstant && largest <= kLargestMean);
  if (equal && in_range) return {at(0), {}, {}, 0};
  const int scale = std::ilogb(largest);
  const double n = static_cast<double>(rows);
  Pair sum;
  for (std::size_t row = 0; row < rows; ++row) sum = sum + Pair{std::ldexp(at(row), -scale)};
  const double near = (sum / n).high;
  Sums sums;
  for (std::size_t row = 0; row < rows; ++row) {
    const Pair deviation = two_sum(std::ldexp(at(row), -scale), -near);
    sums.deviations = sums.deviations + deviation;
    sums.squares = sums.squares + deviation * deviation;
  }
  Moments result = about(near, sums, n);
  result.scale = scale;
  return result;
}

// Means, as the sums of the columns over n.
template <typename T>
std::vector<double> column_means(const T* x, std::size_t rows, std::size_t d,
                                 void (*add)(const T*, std::size_t, std::size_t, double*)) {
  std::vector<double> means(d);
  add(x, rows, d, means.data());
  for (double& mean : means) mean /= static_cast<double>(rows);
  return means;
}

template <typename T>
void count_if_any(std::span<const double> means, std::span<const T> x, Oddities& oddities) {
  if (!std::ranges::all_of(means, [](double mean) { return std::isfinite(mean); })) count_non_finite(x, oddities);
}

Moments rescaled(const Moments& moments, int scale) {
  const int shift = moments.scale - scale;
  if (shift == 0) return moments;
  return {std::ldexp(moments.near, shift), scaled(moments.rest, shift), scaled(moments.squares, 2 * shift), scale};
}

// What merging n_a rows with n_b later ones weighs by, the same for every feature.
struct Shares {
  Shares(double n_a, double n_b) : later(Pair{n_b} / (n_a + n_b)), between(Pair{n_a} * later) {}

  Pair later;    // n_b/(n_a + n_b)
  Pair between;  // n_a·n_b/(n_a + n_b)
};

// Both moments of one feature.
Moments merged(const Moments& first, const Moments& second, const Shares& shares) {
  // The scale of a feature that is 0 throughout says nothing.
  const auto has_scale = [](const Moments& moments) { return moments.near != 0 || moments.squares.high != 0; };
  const int scale = !has_scale(first)    ? second.scale
                    : !has_scale(second) ? first.scale
                                         : std::max(first.scale, second.scale);
  const Moments a = rescaled(first, scale);
  const Moments b = rescaled(second, scale);
  const Pair delta = two_sum(b.near, -a.near) + (b.rest - a.rest);
  return {a.near, a.rest + delta * shares.later, a.squares + b.squares + delta * delta * shares.between, scale};
}

}  // namespace

void Statistics::merge(const Statistics& later) {
  if (later.count == 0) return;
  if (count == 0) {
    count = later.count;
    features = later.features;
    return;
  }
  const Shares shares(static_cast<double>(count), static_cast<double>(later.count));
  for (std::size_t j = 0; j < features.size(); ++j) features[j] = merged(features[j], later.features[j], shares);
  count += later.count;
}

Statistics statistics(const double* x, std::size_t rows, std::size_t d, Oddities& oddities) {
  const std::vector<double> near = column_means(x, rows, d, kernels().add_columns);
  count_if_any(near, std::span(x, rows * d), oddities);
  std::vector<Sums> sums(d);
  kernels().column_sums(x, rows, d, near.data(), sums.data());
  Statistics result{rows, std::vector<Moments>(d)};
  for (std::size_t j = 0; j < d; ++j)
    result.features[j] = is_moderate(near[j], sums[j].squares) ? about(near[j], sums[j], static_cast<double>(rows))
                                                               : unusual_column(x + j, rows, d);
  return result;
}

Statistics statistics(const float* x, std::size_t rows, std::size_t d, Oddities& oddities) {
  const std::vector<double> means = column_means(x, rows, d, kernels().add_float_columns);
  count_if_any(means, std::span(x, rows * d), oddities);
  std::vector<double> squares(d);
  kernels().float_column_squares(x, rows, d, means.data(), squares.data());
  Statistics result{rows, std::vector<Moments>(d)};
  for (std::size_t j = 0; j < d; ++j) result.features[j] = {means[j], {}, {squares[j], 0}, 0};
  return result;
}

ColumnNormalizer::ColumnNormalizer(const Statistics& statistics, const Convention& convention, Element element)
    : kernels_(kernels()), beta_(convention.beta) {
  const auto in_range = [](const Moments& feature) { return feature.scale == 0; };
  if (element == Element::float32 && std::ranges::all_of(statistics.features, in_range))
    prepare_floats(statistics, convention);
  else
    prepare_pairs(statistics, convention);
}

// In float64, as float32 rows are.
void ColumnNormalizer::prepare_floats(const Statistics& statistics, const Convention& convention) {
  const std::size_t d = statistics.features.size();
  centre_.resize(d);
  factor_high_.resize(d);
  const double degrees = convention.degrees(static_cast<double>(statistics.count));
  for (std::size_t j = 0; j < d; ++j) {
    const Moments& feature = statistics.features[j];
    const double variance = feature.squares.high / degrees;
    const double divisor = convention.eps_place == norm::EpsPlace::inside_root ? std::sqrt(variance + convention.eps)
                                                                               : std::sqrt(variance) + convention.eps;
    const bool undefined = !(degrees > 0) || divisor == 0;
    undefined_ += undefined;
    const double gamma = convention.gamma.empty() ? 1 : convention.gamma[j];
    centre_[j] = feature.mean().high;
    factor_high_[j] = undefined ? std::numeric_limits<double>::quiet_NaN() : gamma / divisor;
  }
}

void ColumnNormalizer::prepare_pairs(const Statistics& statistics, const Convention& convention) {
  const std::size_t d = statistics.features.size();
  for (std::vector<double>* column : {&centre_, &near_, &rest_high_, &rest_low_, &factor_high_, &factor_low_})
    column->resize(d);
  const bool inside = convention.eps_place == norm::EpsPlace::inside_root;
  const double degrees = convention.degrees(static_cast<double>(statistics.count));
  for (std::size_t j = 0; j < d; ++j) {
    const Moments& feature = statistics.features[j];
    // Variance and ε in units of 4^scale, the larger of them near 1. Against no variance any ε is large.
    const bool constant = feature.squares.high == 0;
    const double eps_size = inside ? std::sqrt(convention.eps) : convention.eps;
    int scale = constant ? 0 : feature.scale;
    if (eps_size > 0 && scale != 0) scale = std::max(scale, std::ilogb(eps_size));
    scale = std::clamp(scale, -kLargestScale, kLargestScale);
    const Pair variance = constant ? Pair{} : scaled(feature.squares / degrees, 2 * (feature.scale - scale));
    const double eps = scaled(convention.eps, inside ? -2 * scale : -scale);
    const Pair divisor = divisor_of(variance, eps, convention.eps_place);
    const bool undefined = !(degrees > 0) || divisor.high == 0;
    undefined_ += undefined;
    Pair factor = undefined ? Pair{std::numeric_limits<double>::quiet_NaN()} : reciprocal(divisor);
    if (!convention.gamma.empty()) {
      int exponent;
      const double gamma = std::frexp(convention.gamma[j], &exponent);
      factor = scaled(factor * Pair{gamma}, exponent);
    }
    // (x − μ)·2^-scale·factor: the power of two goes to the factor, unless x and μ are at the end of the range, where
    // their halves would overflow or their last digits get lost; then they are taken in units of 2^unit.
    const int unit =
        std::abs(feature.scale) > kLargestExponent ? std::clamp(feature.scale, -kLargestScale, kLargestScale) : 0;
    if (unit != 0 && scale_.empty()) scale_.assign(d, 1);
    if (unit != 0) scale_[j] = std::ldexp(1.0, -unit);
    const int shift = feature.scale - unit;
    centre_[j] = scaled(feature.mean().high, feature.scale);
    near_[j] = scaled(feature.near, shift);
    rest_high_[j] = scaled(feature.rest.high, shift);
    rest_low_[j] = scaled(feature.rest.low, shift);
    factor = scaled(factor, unit - scale);
    factor_high_[j] = factor.high;
    factor_low_[j] = factor.low;
  }
}

void ColumnNormalizer::apply(const double* x, double* y, std::vector<double>& scratch) const {
  const std::size_t d = near_.size();
  if (!scale_.empty()) {
    scratch.resize(d);
    for (std::size_t j = 0; j < d; ++j) scratch[j] = x[j] * scale_[j];
    x = scratch.data();
  }
  const double* const beta = beta_.empty() ? nullptr : beta_.data();
  if (kernels_.write_columns(x, d, {near_, rest_high_, rest_low_, factor_high_, factor_low_}, beta, y)) settle(x, y);
}

// Results that came out as NaN: in a smaller unit where that is why, otherwise as IEEE 754 has them.
void ColumnNormalizer::settle(const double* x, double* y) const {
  constexpr double unit = 0x1p-100;
  for (std::size_t j = 0; j < near_.size(); ++j) {
    if (!std::isnan(y[j])) continue;
    const double beta = beta_.empty() ? 0 : beta_[j];
    const Pair mean = two_sum(near_[j] * unit, rest_high_[j] * unit) + Pair{rest_low_[j] * unit};
    const Pair factor{factor_high_[j], factor_low_[j]};
    const Pair product = (Pair{x[j] * unit} - mean) * factor;
    const Pair output = product + Pair{beta * unit};
    y[j] = std::isnan(output.high) ? (x[j] - near_[j] - rest_high_[j]) * factor_high_[j] + beta : output.high / unit;
    if (std::isnan(y[j])) y[j] = std::numeric_limits<double>::quiet_NaN();  // the sign of a NaN is the processor's
  }
}

void ColumnNormalizer::apply(const float* x, float* y) const {
  kernels_.write_float_columns(x, centre_.size(), centre_.data(), factor_high_.data(),
                               beta_.empty() ? nullptr : beta_.data(), y);
}

}  // namespace normtrace::bulk
