#include "exact/machine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace normtrace::exact {

namespace {

// The exponent of the last bit of numbers in [2^exponent, 2^(exponent+1)): below the normal numbers it falls no
// further.
int last_place(const Format& format, std::int64_t exponent) {
  return static_cast<int>(std::max<std::int64_t>(exponent, format.min_exponent)) - format.precision + 1;
}

double bounded(const Format& format, double magnitude) {
  return magnitude > format.largest() ? std::numeric_limits<double>::infinity() : magnitude;
}

// ⌊log2(n/d)⌋ for n, d > 0.
std::int64_t floor_log2(const Integer& n, const Integer& d) {
  const auto difference = static_cast<std::int64_t>(n.bits()) - static_cast<std::int64_t>(d.bits());
  const auto shift = static_cast<unsigned>(std::abs(difference));
  const bool below = difference >= 0 ? n < (d << shift) : (n << shift) < d;
  return below ? difference - 1 : difference;
}

Integer shifted_left(const Integer& n, int bits) { return bits > 0 ? n << static_cast<unsigned>(bits) : n; }

// The whole number nearest to n/d, of two equally near the even one. Requires d > 0.
Integer nearest_quotient(const Integer& n, const Integer& d) {
  const Integer below = floor_divide(n, d);
  const std::strong_ordering half = 2 * (n - below * d) <=> d;
  return half > 0 || (half == 0 && below.is_odd()) ? below + 1 : below;
}

Arithmetic common(const Float& x, const Float& y) {
  if (x.arithmetic().format == nullptr) return y.arithmetic();
  if (y.arithmetic().format != nullptr && x.arithmetic() != y.arithmetic()) {
    throw std::logic_error("numbers of different machine types meet without a cast");
  }
  return x.arithmetic();
}

// One operation, computed in double and rounded once more. That gives the same as rounding the exact result r once,
// because a format has p ≤ 24 bits and a double 53 ≥ 2p+2. The second rounding could go wrong only if the first one
// moved r onto, or over, a boundary m between two roundings: m is a midpoint of neighbours and has at most p+1 bits,
// also among subnormals and at the threshold of infinity. Rounding is monotonic and m is a double, so r cannot pass m;
// and it does not reach it unless r = m:
//   x·y   has 2p bits and lies far inside the range of double: it is exact.
//   x±y   is a multiple of the smallest subnormal, hence exact where it is subnormal. If 53 bits do not hold it, the
//   smaller
//         operand is below 2^(p−52) of the larger one's leading bit, and the nearest m is 2^−(p+1) away.
//   x/y   if not m, then x − m·y ≠ 0 is a multiple of the last bit of m·y or of x, so |x/y − m| > m·2^−(2p+1), which is
//   more than
//         half a unit of double.
//   √x    is never subnormal and never m (m² has more than p bits); x − m² ≠ 0 is a multiple of the last bit of m², so
//         |√x − m| > m·2^−(2p+3), which again is more than half a unit of double, m·2^−53 at most.
// (S. A. Figueroa, When is double rounding innocuous?, 1995, for the normal numbers.) For float64 the second rounding
// does nothing.
template <class Operation>
Float rounded_once(const Float& x, const Float& y, Operation operation) {
  const Arithmetic arithmetic = common(x, y);
  return {operation(x.cast(arithmetic).value(), y.cast(arithmetic).value()), arithmetic};
}

Arithmetic arithmetic_of(std::span<const Float> terms) {
  const auto typed =
      std::find_if(terms.begin(), terms.end(), [](const Float& x) { return x.arithmetic().format != nullptr; });
  return typed == terms.end() ? Arithmetic{} : typed->arithmetic();
}

Float added_up(std::span<const Float> terms, const Arithmetic& wide) {
  Float total = 0;
  for (const Float& term : terms) total = total + term.cast(wide);
  return total;
}

}  // namespace

const Format* find_format(std::string_view name) {
  const auto found =
      std::find_if(formats.begin(), formats.end(), [&](const Format* format) { return format->name == name; });
  return found == formats.end() ? nullptr : *found;
}

double round_to(const Format& format, const Rational& x) {
  if (x.is_zero()) return 0;
  const Integer n = abs(x.numerator());
  const std::int64_t exponent = floor_log2(n, x.denominator());
  double magnitude = std::numeric_limits<double>::infinity();
  if (exponent <= format.max_exponent) {
    const int unit = last_place(format, exponent);
    const Integer significand = nearest_quotient(shifted_left(n, -unit), shifted_left(x.denominator(), unit));
    magnitude = bounded(format, std::ldexp(static_cast<double>(significand.to_int64()), unit));
  }
  return x.sign() < 0 ? -magnitude : magnitude;
}

double round_to(const Format& format, double x) {
  if (format.precision == float64.precision || x == 0 || !std::isfinite(x)) return x;
  const int unit = last_place(format, std::ilogb(x));
  // Scaling by a power of two is exact here: it brings the leading bit to the place of `precision` or below.
  const double magnitude = std::ldexp(std::nearbyint(std::ldexp(std::abs(x), -unit)), unit);
  return std::copysign(bounded(format, magnitude), x);
}

Rational exact_value(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  const Integer significand = static_cast<std::int64_t>(std::ldexp(fraction, float64.precision));
  exponent -= float64.precision;
  return {shifted_left(significand, exponent), shifted_left(1, -exponent)};
}

Float::Float(double x, const Arithmetic& arithmetic)
    : value_(arithmetic.format == nullptr ? x : round_to(*arithmetic.format, x)), arithmetic_(arithmetic) {}

Float Float::operator-() const {
  Float result = *this;
  result.value_ = -value_;
  return result;
}

Float operator+(const Float& x, const Float& y) {
  return rounded_once(x, y, [](double a, double b) { return a + b; });
}
Float operator-(const Float& x, const Float& y) {
  return rounded_once(x, y, [](double a, double b) { return a - b; });
}
Float operator*(const Float& x, const Float& y) {
  return rounded_once(x, y, [](double a, double b) { return a * b; });
}
Float operator/(const Float& x, const Float& y) {
  return rounded_once(x, y, [](double a, double b) { return a / b; });
}
Float sqrt(const Float& x) {
  return rounded_once(x, x, [](double a, double) { return std::sqrt(a); });
}
Float exp(const Float& x) {
  return rounded_once(x, x, [](double a, double) { return std::exp(a); });
}

Float sum(std::span<const Float> terms) {
  const Arithmetic arithmetic = arithmetic_of(terms);
  return added_up(terms, {arithmetic.accumulator}).cast(arithmetic);
}

Float mean(std::span<const Float> terms) {
  const Arithmetic arithmetic = arithmetic_of(terms);
  return (added_up(terms, {arithmetic.accumulator}) / static_cast<std::int64_t>(terms.size())).cast(arithmetic);
}

}  // namespace normtrace::exact
