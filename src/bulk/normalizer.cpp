#include "bulk/normalizer.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "bulk/exact_row.h"

namespace normtrace::bulk {

namespace {

// Between these no square, product or error term of the kernels over- or underflows.
constexpr double kLargest = 0x1p300;
constexpr double kSmallest = 0x1p-300;
constexpr double kLargestAffine = 0x1p200;
constexpr double kSmallestAffine = 0x1p-200;
// A deviation below this has an error term that may have underflowed.
constexpr double kSmallestDeviation = 0x1p-400;
// A deviation that is known this many times better than 1 keeps its output within 0.51 ulp.
constexpr double kEnough = 0x1p58;

// How much larger than the sum of squared deviations the sum of squares may be to find the one from the other in float64
// for a float32 result: this loses 4 of 53 bits, and n/16 additions in a lane a few more.
constexpr double kMostCancelled = 16;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool moderate_parameters(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) {
    const double size = std::fabs(value);
    return size == 0 || (size >= kSmallestAffine && size <= kLargestAffine);
  });
}

// The exponent of the lowest bit of x that is set. Requires x ≠ 0.
int lowest_bit(double x) {
  int exponent;
  const auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  return exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(whole));
}

double largest_of(const Survey& survey) { return std::max(std::fabs(survey.least), std::fabs(survey.greatest)); }

// What n additions of pairs in eight lanes may have lost of the mean of numbers up to `size`: the high parts add up
// without error, each addition to the low part rounds at 2^-53 of a sum that is 2^-53 of the high one.
double rounding_of_mean(std::size_t n, double size) {
  const double steps = static_cast<double>(n) / 8 + 2;
  return steps * steps * 0x1p-106 * size;
}
double rounding_of_quotient(Pair quotient) { return 0x1p-104 * std::fabs(quotient.high); }

double spread(const Survey& survey, Pair rest) { return (survey.greatest - survey.least) + std::fabs(rest.high); }

}  // namespace

RowNormalizer::RowNormalizer(const Convention& convention, std::size_t n)
    : convention_(convention),
      n_(n),
      kernels_(kernels()),
      affine_{convention.gamma.empty() ? nullptr : convention.gamma.data(),
              convention.beta.empty() ? nullptr : convention.beta.data()},
      moderate_affine_(moderate_parameters(convention.gamma) && moderate_parameters(convention.beta)) {}

void RowNormalizer::apply(const double* x, double* y) {
  const Survey survey = kernels_.survey(x, n_);
  if (!std::isfinite(survey.sum)) {
    Oddities found;
    count_non_finite(std::span(x, n_), found);
    if (found.nans + found.infinities > 0) {
      oddities_ += found;
      return write_as_ieee(x, y);
    }
  }
  const double largest = largest_of(survey);
  if (convention_.centred() ? survey.least == survey.greatest : largest == 0)
    return write_equal(convention_.eps == 0 || convention_.degrees(static_cast<double>(n_)) == 0, y);
  if (!moderate_affine_) return write_exactly(x, y);
  if (is_moderate(largest)) return write({x, survey, convention_.eps}, x, y);
  write(moderate(x, largest), x, y);
}

bool RowNormalizer::is_moderate(double largest) const {
  return largest >= kSmallest && largest <= kLargest && convention_.eps <= kLargest;
}

RowNormalizer::Moderate RowNormalizer::moderate(const double* x, double largest) {
  const bool inside = convention_.eps_place == norm::EpsPlace::inside_root;
  const double eps_size = inside ? std::sqrt(convention_.eps) : convention_.eps;
  const int exponent = -std::ilogb(std::max(largest, eps_size));
  scratch_.resize(n_);
  for (std::size_t i = 0; i < n_; ++i) scratch_[i] = std::ldexp(x[i], exponent);
  const double eps = std::ldexp(convention_.eps, inside ? 2 * exponent : exponent);
  return {scratch_.data(), kernels_.survey(scratch_.data(), n_), eps};
}

void RowNormalizer::write(const Moderate& row, const double* x, double* y) {
  const double n = static_cast<double>(n_);
  Standard standard;
  standard.smallest = kSmallestDeviation;
  Pair deviations;
  Pair variance;
  if (convention_.centred()) {
    standard.near = row.survey.sum / n;
    const Sums sums = kernels_.sums(row.x, n_, standard.near);
    deviations = sums.deviations;
    standard.rest = deviations / n;
    variance = (sums.squares - deviations * standard.rest) / convention_.degrees(n);
    const double error = rounding_of_mean(n_, spread(row.survey, standard.rest)) + rounding_of_quotient(standard.rest);
    standard.smallest = std::max(standard.smallest, kEnough * error);
  } else {
    variance = kernels_.squares(row.x, n_) / n;
  }
  standard.factor = reciprocal(divisor_of(variance, row.eps, convention_.eps_place));
  if (!std::isfinite(standard.factor.high)) return write_exactly(x, y);
  if (kernels_.write_row(row.x, n_, standard, affine_, y)) settle(row, standard, deviations, x, y);
}

// Looks again at the elements that made write_row doubt.
void RowNormalizer::settle(const Moderate& row, const Standard& standard, Pair deviations, const double* x,
                           double* y) const {
  const double n = static_cast<double>(n_);
  double smallest = standard.smallest;
  bool sum_is_exact = false;
  if (convention_.centred()) {
    // Every number that was added is a multiple of the lowest bit of all; if the low parts stayed below 2^53 of it,
    // nothing was rounded and only the quotient is in doubt.
    int lowest = standard.near == 0 ? std::numeric_limits<int>::max() : lowest_bit(standard.near);
    for (std::size_t i = 0; i < n_; ++i)
      if (row.x[i] != 0) lowest = std::min(lowest, lowest_bit(row.x[i]));
    sum_is_exact = rounding_of_mean(n_, spread(row.survey, standard.rest)) < std::ldexp(1.0, lowest);
    if (sum_is_exact) smallest = std::max(kSmallestDeviation, kEnough * rounding_of_quotient(standard.rest));
  }
  std::optional<ExactRow> exact;
  for (std::size_t i = 0; i < n_; ++i) {
    const Pair first = two_sum(row.x[i], -standard.near);
    const double deviation = std::fabs((first - standard.rest).high);
    const bool cancelled = std::fabs(y[i]) < kCancelled * std::fabs(beta(i));
    if (deviation >= smallest && !cancelled) continue;
    const bool is_mean = convention_.centred()
                             ? sum_is_exact && first.low == 0 && two_product(n, first.high).high == deviations.high &&
                                   two_product(n, first.high).low == deviations.low
                             : x[i] == 0;
    if (is_mean) {
      y[i] = beta(i);
      continue;
    }
    if (!exact) exact.emplace(std::span(x, n_), convention_);
    y[i] = exact->output(i, gamma(i), beta(i));
  }
}

void RowNormalizer::write_exactly(const double* x, double* y) const {
  const ExactRow exact(std::span(x, n_), convention_);
  for (std::size_t i = 0; i < n_; ++i) y[i] = exact.output(i, gamma(i), beta(i));
}

// All deviations are 0: 0/0, or 0·γ + β.
void RowNormalizer::write_equal(bool undefined, double* y) {
  oddities_.undefined += undefined;
  for (std::size_t i = 0; i < n_; ++i) y[i] = undefined ? kNan : beta(i);
}

// A NaN or an infinity makes the mean one and the deviations NaN. RMSNorm divides by it: 0, but NaN for ∞/∞.
void RowNormalizer::write_as_ieee(const double* x, double* y) const {
  const bool nan = convention_.centred() || std::any_of(x, x + n_, [](double value) { return std::isnan(value); });
  for (std::size_t i = 0; i < n_; ++i) y[i] = nan || std::isinf(x[i]) ? kNan : 0 * gamma(i) + beta(i);
}

void RowNormalizer::apply(const float* x, float* y) {
  const double n = static_cast<double>(n_);
  double centre = 0;
  double squares;
  if (convention_.centred()) {
    // Σx² − μΣx spares a second pass where the subtraction costs no digits that a float32 could show.
    const FloatSums sums = kernels_.float_sums(x, n_);
    centre = sums.sum / n;
    squares = sums.squares - sums.sum * centre;
    if (!(squares * kMostCancelled >= sums.squares)) squares = kernels_.float_squares(x, n_, centre);
  } else {
    squares = kernels_.float_squares(x, n_, 0);
  }
  const double variance = squares / convention_.degrees(n);
  const double divisor = convention_.eps_place == norm::EpsPlace::inside_root ? std::sqrt(variance + convention_.eps)
                                                                              : std::sqrt(variance) + convention_.eps;
  const bool odd = !(divisor > 0) || !std::isfinite(squares);
  if (odd) {
    Oddities found;
    count_non_finite(std::span(x, n_), found);
    found.undefined = found.nans + found.infinities == 0;
    oddities_ += found;
  }
  kernels_.write_float_row(x, n_, {centre, 1 / divisor}, affine_, y);
  // The sign of a NaN is the processor's.
  if (odd)
    std::replace_if(
        y, y + n_, [](float value) { return std::isnan(value); }, static_cast<float>(kNan));
}

}  // namespace normtrace::bulk
