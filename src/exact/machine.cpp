#include "exact/machine.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "exact/decimal.h"

namespace normtrace::exact {

namespace {

// The exponent of the last bit of numbers in [2^exponent, 2^(exponent+1)): below the normal numbers it falls no
// further.
int last_bit(const Format& format, std::int64_t exponent) {
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

// An operation in double: the nearest double, and a number that has the sign of what the exact result lies beyond it.
struct Result {
  double nearest;
  double rest;
};

Result added(double x, double y) {  // D. E. Knuth's exact rest of a sum
  const double sum = x + y;
  const double y_part = sum - x;
  return {sum, (x - (sum - y_part)) + (y - y_part)};
}
Result multiplied(double x, double y) { return {x * y, std::fma(x, y, -(x * y))}; }
Result divided(double x, double y) {
  const double quotient = x / y;
  const double remainder = std::fma(-quotient, y, x);
  return {quotient, y < 0 ? -remainder : remainder};
}
Result rooted(double x) {
  const double root = std::sqrt(x);
  return {root, std::fma(-root, root, x)};
}

// Rounds the exact result once. Rounding to double first and then to the format could go wrong: the first step may land on the
// middle of two values of the format, and the second then no longer knows on which side the result was. Therefore the first
// step rounds to odd: of the two doubles around an inexact result it takes the one with an odd significand. A value of a narrower
// format and the middle of two have at most 25 bits, subnormal or not, so as doubles they are even: an odd one lies strictly
// on the side of the exact result (S. Boldo, G. Melquiond, Emulation of FMA and correctly rounded sums, 2008). Operands are
// values of the formats or counts below 2^53, so that the rests are exact: nothing comes near the ends of double's range.
Float rounded_once(const Result& result, const Arithmetic& arithmetic) {
  const bool narrower = arithmetic.format != nullptr && arithmetic.format->precision < float64.precision;
  double value = result.nearest;
  // A finite number divided by an infinity is 0 and leaves NaN for a rest.
  if (narrower && std::isfinite(value) && std::isfinite(result.rest) && result.rest != 0 &&
      (std::bit_cast<std::uint64_t>(value) & 1) == 0) {
    value = std::nextafter(value, std::copysign(std::numeric_limits<double>::infinity(), result.rest));
  }
  return {value, arithmetic};
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
  const auto* const found =
      std::find_if(formats.begin(), formats.end(), [&](const Format* format) { return format->name == name; });
  return found == formats.end() ? nullptr : *found;
}

double round_to(const Format& format, const Rational& x) {
  if (x.is_zero()) return 0;
  const Integer n = abs(x.numerator());
  const std::int64_t exponent = floor_log2(n, x.denominator());
  double magnitude = std::numeric_limits<double>::infinity();
  if (exponent <= format.max_exponent) {
    const int unit = last_bit(format, exponent);
    const Integer significand = nearest_quotient(shifted_left(n, -unit), shifted_left(x.denominator(), unit));
    magnitude = bounded(format, std::ldexp(static_cast<double>(significand.to_int64()), unit));
  }
  return x.sign() < 0 ? -magnitude : magnitude;
}

double round_to(const Format& format, double x) {
  if (format.precision == float64.precision || x == 0 || !std::isfinite(x)) return x;
  const int unit = last_bit(format, std::ilogb(x));
  // Scaling by a power of two is exact here: it brings the leading bit to the place of `precision` or below.
  const double magnitude = std::ldexp(std::nearbyint(std::ldexp(std::abs(x), -unit)), unit);
  return std::copysign(bounded(format, magnitude), x);
}

double round_to(const Format& format, const Value& x) {
  if (x.rational()) return round_to(format, *x.rational());
  const auto nearest = nearest_double(x);
  if (!nearest) return x.sign() * std::numeric_limits<double>::infinity();
  // The nearest double decides, unless it is the middle of two neighbours: then the side on which x lies does.
  Format with_middles = format;
  ++with_middles.precision;
  const bool middle = format.precision < float64.precision && round_to(format, *nearest) != *nearest &&
                      round_to(with_middles, *nearest) == *nearest;
  if (!middle) return round_to(format, *nearest);
  const int side = compare(x, Value(exact_value(*nearest)));
  if (side == 0) return round_to(format, *nearest);
  return round_to(format, std::nextafter(*nearest, side * std::numeric_limits<double>::infinity()));
}

double last_place(const Format& format, double x) {
  return std::ldexp(1.0, last_bit(format, x == 0 ? format.min_exponent : std::ilogb(x)));
}

std::string shortest_text(double x) {
  if (std::isnan(x)) return "nan";  // whatever its sign bit
  std::array<char, 32> buffer{};
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x == 0 ? 0.0 : x);
  return {buffer.data(), written.ptr};
}

std::string to_text(const Format& format, double x, PowerOfTen style) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  return to_significant(exact_value(x), format.decimals() + 1, style).text;
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

Float operator+(const Float& x, const Float& y) { return rounded_once(added(x.value_, y.value_), common(x, y)); }
Float operator-(const Float& x, const Float& y) { return x + -y; }
Float operator*(const Float& x, const Float& y) { return rounded_once(multiplied(x.value_, y.value_), common(x, y)); }
Float operator/(const Float& x, const Float& y) { return rounded_once(divided(x.value_, y.value_), common(x, y)); }
Float sqrt(const Float& x) { return rounded_once(rooted(x.value_), x.arithmetic_); }
Float exp(const Float& x) { return {std::exp(x.value_), x.arithmetic_}; }

Float sum(std::span<const Float> terms) {
  const Arithmetic arithmetic = arithmetic_of(terms);
  return added_up(terms, {arithmetic.accumulator}).cast(arithmetic);
}

Float mean(std::span<const Float> terms, std::int64_t divisor) {
  const Arithmetic arithmetic = arithmetic_of(terms);
  return (added_up(terms, {arithmetic.accumulator}) / divisor).cast(arithmetic);
}
Float mean(std::span<const Float> terms) { return mean(terms, static_cast<std::int64_t>(terms.size())); }

}  // namespace normtrace::exact
