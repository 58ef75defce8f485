#include "bulk/exact_row.h"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "exact/rational.h"

namespace normtrace::bulk {

namespace {

using exact::Integer;
using exact::Rational;

// x = whole·2^exponent with an odd whole, or 0.
struct Binary {
  std::int64_t whole;
  int exponent;
};
Binary binary(double x) {
  if (x == 0) return {0, 0};
  int exponent;
  auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(whole));
  return {whole / (std::int64_t{1} << zeros), exponent - 53 + zeros};
}
Integer in_units(double x, int unit) {
  const Binary value = binary(x);
  return value.whole == 0 ? Integer(0) : Integer(value.whole) << static_cast<unsigned>(value.exponent - unit);
}

Rational times_power_of_two(const Rational& x, int exponent) {
  const Integer power = Integer::power_of_two(static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? x * Rational(1, power) : x * Rational(power);
}
Rational rational(double x) {
  const Binary value = binary(x);
  return times_power_of_two(Rational(value.whole), value.exponent);
}

// ⌊log₂ |x|⌋, or one less. Requires x ≠ 0.
int exponent_at_most(const Rational& x) {
  return static_cast<int>(exact::abs(x.numerator()).bits()) - static_cast<int>(x.denominator().bits()) - 1;
}

struct Root {
  Rational value;
  bool exact;
};
// √x if that is rational, else cut to at least `bits` significant bits. Requires x ≥ 0.
Root root(const Rational& x, int bits) {
  Integer above, below;
  if (exact::perfect_square(x.numerator(), above) && exact::perfect_square(x.denominator(), below))
    return {Rational(above, below), true};
  const int shift = bits - exponent_at_most(x) / 2 + 1;
  const Rational scaled = times_power_of_two(x, 2 * shift);
  return {times_power_of_two(Rational(exact::floor_sqrt(exact::floor(scaled))), -shift), false};
}

// The nearest double, ties to even; infinite beyond the range.
double nearest(const Rational& x) {
  if (x.is_zero()) return 0;
  const Rational magnitude = exact::abs(x);
  constexpr int smallest = -1074;
  int unit = exponent_at_most(magnitude) - 52;
  if (unit < smallest) unit = smallest;
  const auto round = [&] {
    const Rational scaled = times_power_of_two(magnitude, -unit);
    const Integer whole = exact::floor(scaled);
    const Rational rest = scaled - Rational(whole);
    const Rational half(1, 2);
    const bool up = rest > half || (rest == half && whole.is_odd());
    return whole + Integer(up ? 1 : 0);
  };
  Integer whole = round();
  if (whole.bits() > 53 && whole != Integer::power_of_two(53)) {
    ++unit;
    whole = round();
  }
  const double result = std::ldexp(static_cast<double>(whole.to_int64()), unit);
  return x.sign() < 0 ? -result : result;
}

}  // namespace

ExactRow::ExactRow(std::span<const double> x, const Convention& convention) : x_(x), convention_(convention), unit_(0) {
  bool any = false;
  for (const double value : x)
    if (value != 0) {
      const int exponent = binary(value).exponent;
      unit_ = any ? std::min(unit_, exponent) : exponent;
      any = true;
    }
  const Integer n = static_cast<std::int64_t>(x.size());
  Integer squares;
  for (const double value : x) {
    const Integer whole = in_units(value, unit_);
    sum_ += whole;
    squares += whole * whole;
  }
  if (!convention.centred()) {
    above_ = squares;
    below_ = n;
    return;
  }
  // Σ(x − μ)² = (n·Σx² − (Σx)²)/n
  above_ = n * squares - sum_ * sum_;
  below_ = n * (convention.divisor == norm::Divisor::n ? n : n - 1);
}

double ExactRow::output(std::size_t i, double gamma, double beta) const {
  if (below_.is_zero()) return std::numeric_limits<double>::quiet_NaN();
  const Integer n = static_cast<std::int64_t>(x_.size());
  const Integer x_i = in_units(x_[i], unit_);
  const Rational deviation =
      times_power_of_two(convention_.centred() ? Rational(n * x_i - sum_, n) : Rational(x_i), unit_);
  const Rational variance = times_power_of_two(Rational(above_, below_), 2 * unit_);
  const Rational eps = rational(convention_.eps);
  const bool inside = convention_.eps_place == norm::EpsPlace::inside_root;
  const Rational radicand = inside ? variance + eps : variance;
  const Rational added = inside ? Rational(0) : eps;
  if (radicand.is_zero() && added.is_zero()) return std::numeric_limits<double>::quiet_NaN();
  const Rational factor = deviation * rational(gamma);
  const Rational shift = rational(beta);
  // More digits of the root until the sum with β has 64 that are right. A sum that is 0 means a rational root.
  for (int bits = 192;; bits *= 2) {
    const Root divisor = root(radicand, bits);
    const Rational product = factor / (divisor.value + added);
    const Rational sum = product + shift;
    if (divisor.exact || product.is_zero()) return nearest(sum);
    if (!sum.is_zero() && exponent_at_most(sum) > exponent_at_most(product) - bits + 68) return nearest(sum);
  }
}

}  // namespace normtrace::bulk
