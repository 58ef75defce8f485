#include "exact/interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace normtrace::exact {

namespace {

constexpr std::int64_t largest_exponent = std::int64_t{1} << 48;
constexpr std::int64_t largest_exponential_top = 40;

std::int64_t length(const Integer& n) { return static_cast<std::int64_t>(n.bits()); }
unsigned as_bits(std::int64_t bits) { return static_cast<unsigned>(bits); }

// ⌊n / 2^bits⌋ and ⌈n / 2^bits⌉; bits ≥ 0 may exceed the length of n by any amount.
Integer shift_down(const Integer& n, std::int64_t bits);
Integer shift_up(const Integer& n, std::int64_t bits) {
  if (n.sign() <= 0) return -shift_down(-n, bits);
  if (bits > length(n)) return 1;
  return bits == 0 ? n : ((n - 1) >> as_bits(bits)) + 1;
}
Integer shift_down(const Integer& n, std::int64_t bits) {
  if (n.sign() < 0) return -shift_up(-n, bits);
  if (bits > length(n)) return 0;
  return n >> as_bits(bits);
}

Integer ceil_divide(const Integer& dividend, const Integer& divisor) { return -floor_divide(-dividend, divisor); }

Interval whole(const Integer& n) { return {n, n, 0}; }

// Ends cut to `precision` bits, outwards.
Interval rounded(Interval x, unsigned precision) {
  const std::int64_t surplus = std::max(length(x.low), length(x.high)) - precision;
  if (surplus > 0) x = {shift_down(x.low, surplus), shift_up(x.high, surplus), x.exponent + surplus};
  if (!x.is_zero() && std::abs(x.top()) > largest_exponent) throw Unproved("magnitude out of reach");
  return x;
}

// The same interval, or a slightly larger one, in units of 2^exponent.
Interval in_units_of(const Interval& x, std::int64_t exponent) {
  const std::int64_t finer = x.exponent - exponent;
  if (finer >= 0) return {x.low << as_bits(finer), x.high << as_bits(finer), exponent};
  return {shift_down(x.low, -finer), shift_up(x.high, -finer), exponent};
}

Interval add(const Interval& x, const Interval& y, unsigned precision) { return sum(std::array{&x, &y}, precision); }
Interval subtract(const Interval& x, const Interval& y, unsigned precision) { return add(x, -y, precision); }

// ⌈√n⌉.
Integer ceil_sqrt(const Integer& n) {
  Integer root;
  return perfect_square(n, root) ? root : root + 1;
}

// Σ 1/((2i+1)·n^(2i+1)) = artanh(1/n) in units of 2^−bits. Every power and every term is cut, which loses less than
// three units a term; the terms left out are less than one unit together.
Interval inverse_artanh(const Integer& n, unsigned bits) {
  const Integer square = n * n;
  Integer power = floor_divide(Integer::power_of_two(bits), n);
  Integer total = 0;
  std::int64_t terms = 0;
  for (; !power.is_zero(); ++terms) {
    total += floor_divide(power, 2 * terms + 1);
    power = floor_divide(power, square);
  }
  return {total, total + 3 * terms + 2, -static_cast<std::int64_t>(bits)};
}

// ln 2 = 18 artanh(1/26) − 2 artanh(1/4801) + 8 artanh(1/8749), remembered at the highest precision asked so far.
Interval ln2(unsigned precision) {
  thread_local unsigned known = 0;
  thread_local Interval value;
  if (known < precision) {
    const unsigned bits = precision + precision / 2 + 32;
    const Interval a = multiply(whole(18), inverse_artanh(26, bits), bits);
    const Interval b = multiply(whole(2), inverse_artanh(4801, bits), bits);
    const Interval c = multiply(whole(8), inverse_artanh(8749, bits), bits);
    value = add(subtract(a, b, bits), c, bits);
    known = precision + precision / 2;
  }
  return rounded(value, precision + 2);
}

}  // namespace

std::int64_t Interval::top() const { return exponent + std::max(length(low), length(high)); }

Interval enclose(const Rational& x, unsigned precision) {
  const Integer& n = x.numerator();
  const Integer& d = x.denominator();
  const std::int64_t denominator_bits = length(d);
  if (d == Integer::power_of_two(as_bits(denominator_bits - 1)))
    return rounded({n, n, 1 - denominator_bits}, precision);
  const std::int64_t shift = precision + 1 + denominator_bits - length(n);
  const Integer dividend = shift > 0 ? n << as_bits(shift) : n;
  const Integer divisor = shift < 0 ? d << as_bits(-shift) : d;
  const Integer low = floor_divide(dividend, divisor);
  return rounded({low, low + 1, -shift}, precision);  // not whole: a factor other than 2 is left in d
}

Interval sum(std::span<const Interval* const> terms, unsigned precision) {
  std::int64_t finest = 0;
  std::int64_t top = 0;
  bool empty = true;
  for (const Interval* term : terms) {
    if (term->is_zero()) continue;
    finest = empty ? term->exponent : std::min(finest, term->exponent);
    top = empty ? term->top() : std::max(top, term->top());
    empty = false;
  }
  if (empty) return whole(0);
  // What lies deeper than the last bit of the largest term is rounded before it is added: a term may be smaller by
  // 2^1000000.
  const std::int64_t unit = std::max(finest, top - precision - length(static_cast<std::int64_t>(terms.size())) - 2);
  Interval total{0, 0, unit};
  for (const Interval* term : terms) {
    if (term->is_zero()) continue;
    const Interval aligned = in_units_of(*term, unit);
    total.low += aligned.low;
    total.high += aligned.high;
  }
  return rounded(std::move(total), precision);
}

Interval multiply(const Interval& x, const Interval& y, unsigned precision) {
  if (x.high.sign() <= 0 && x.low.sign() < 0) return -multiply(-x, y, precision);
  if (y.high.sign() <= 0 && y.low.sign() < 0) return -multiply(x, -y, precision);
  const std::int64_t exponent = x.exponent + y.exponent;
  if (x.low.sign() >= 0 && y.low.sign() >= 0) return rounded({x.low * y.low, x.high * y.high, exponent}, precision);
  const auto [low, high] = std::minmax({x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high});
  return rounded({low, high, exponent}, precision);
}

std::optional<Interval> divide(const Interval& x, const Interval& y, unsigned precision) {
  if (y.may_be_zero()) return std::nullopt;
  if (y.low.sign() < 0) return divide(-x, -y, precision);
  if (x.is_zero()) return whole(0);
  const std::int64_t missing = precision + 1 + length(y.high) - std::max(length(x.low), length(x.high));
  const std::int64_t shift = std::max<std::int64_t>(missing, 0);
  const Integer low = x.low << as_bits(shift);
  const Integer high = x.high << as_bits(shift);
  return rounded({floor_divide(low, low.sign() < 0 ? y.low : y.high),
                  ceil_divide(high, high.sign() < 0 ? y.high : y.low), x.exponent - y.exponent - shift},
                 precision);
}

Interval square_root(const Interval& x, unsigned precision) {
  if (x.high.sign() < 0) throw std::domain_error("square root of a negative number");
  std::int64_t shift = std::max<std::int64_t>(2 * (static_cast<std::int64_t>(precision) + 1) - length(x.high), 0);
  if ((x.exponent - shift) % 2 != 0) ++shift;
  const Integer low = x.low.sign() < 0 ? Integer(0) : floor_sqrt(x.low << as_bits(shift));
  return rounded({low, ceil_sqrt(x.high << as_bits(shift)), (x.exponent - shift) / 2}, precision);
}

Interval power(const Interval& x, unsigned exponent, unsigned precision) {
  // Every multiplication may double the relative error and adds one unit: at most log2 of the exponent bits are lost.
  const unsigned working = precision + 2 * as_bits(length(exponent)) + 2;
  Interval base = x;
  if (exponent % 2 == 0 && x.low.sign() < 0) {  // |x|: an even power is never negative
    base = x.high.sign() <= 0 ? -x : Interval{0, std::max(-x.low, x.high), x.exponent};
  }
  Interval result = whole(1);
  for (unsigned left = exponent; left != 0; left >>= 1) {
    if ((left & 1) != 0) result = multiply(result, base, working);
    if (left > 1) base = multiply(base, base, working);
  }
  return rounded(std::move(result), precision);
}

// e^x = 2^k · (e^(r/2^h))^(2^h) with r = x − k·ln 2 in about [0, 0.7). The series of the innermost factor is written
// from inside out, e^s = 1 + s/1·(1 + s/2·(1 + … s/N·e^t)), where Lagrange's e^t with |t| ≤ |s| ≤ 1/2 lies in [1/2, 2].
std::optional<Interval> exponential(const Interval& x, unsigned precision) {
  if (x.is_zero()) return whole(1);
  if (x.top() > largest_exponential_top) {
    if (!x.may_be_zero()) throw Unproved("exponent out of reach");
    return std::nullopt;
  }
  const auto halvings = static_cast<std::int64_t>(std::sqrt(precision / 2.0)) + 2;
  const unsigned working = precision + as_bits(halvings) + 16;
  const unsigned reduction = working + as_bits(std::max<std::int64_t>(x.top(), 0)) + 2;
  const Integer k = x.top() < 0 ? 0 : [&] {
    const Interval quotient = *divide(x, ln2(64), 64);
    return floor_times(quotient.low, quotient.exponent, 1);
  }();
  Interval s = subtract(x, multiply(whole(k), ln2(reduction), reduction), reduction);
  if (!s.is_zero() && s.top() > 1) return std::nullopt;  // too wide
  s.exponent -= halvings;
  std::int64_t terms = 1;
  for (double gained = 0; gained < working; ++terms) {
    gained += static_cast<double>(halvings - 1) + std::log2(static_cast<double>(terms));
  }
  Interval series{1, 4, -1};
  const Interval one = whole(1);
  for (; terms > 0; --terms) {
    series = add(one, *divide(multiply(s, series, working), whole(terms), working), working);
  }
  for (std::int64_t i = 0; i < halvings; ++i) series = multiply(series, series, working);
  series.exponent += k.to_int64();
  return rounded(std::move(series), precision);
}

// ln x = k·ln 2 + 2·artanh z with z = (m−1)/(m+1), x = m·2^k and m about [3/4, 3/2]. The series of artanh z / z from
// inside out is 1/1 + z²·(1/3 + z²·(1/5 + …)); with |z| ≤ 1/2 the rest that is left out lies in [0, 2].
std::optional<Interval> logarithm(const Interval& x, unsigned precision) {
  if (x.high.sign() <= 0) throw std::domain_error("logarithm of a number that is not positive");
  if (x.low.sign() <= 0) return std::nullopt;
  const unsigned working = precision + 16;
  Interval m = x;
  m.exponent -= x.top();
  std::int64_t k = x.top();
  if (4 * x.high < (Integer(3) << as_bits(length(x.high)))) {
    ++m.exponent;
    --k;
  }
  const Interval one = whole(1);
  const Interval z = *divide(subtract(m, one, working), add(m, one, working), working);
  if (!z.is_zero() && z.top() > -1) return std::nullopt;  // too wide
  const Interval square = power(z, 2, working);
  Interval series{0, 2, 0};
  for (std::int64_t i = working / 4 + 1; i >= 0; --i) {
    series = add(enclose(Rational(1, 2 * i + 1), working), multiply(square, series, working), working);
  }
  const Interval artanh = multiply(z, series, working);
  return add(multiply(whole(k), ln2(working), working), multiply(whole(2), artanh, working), precision);
}

// arctan x = 2^h·arctan z, z being x taken h times to x/(1 + √(1 + x²)), so that |z| < 2^(1−h). The series of arctan z / z
// from inside out is 1/1 − z²·(1/3 − z²·(1/5 − …)); what is left out lies in [0, 1].
Interval arctangent(const Interval& x, unsigned precision) {
  const auto halvings = static_cast<std::int64_t>(std::sqrt(precision / 2.0)) + 2;
  const unsigned working = precision + 2 * as_bits(halvings) + 16;
  const Interval one = whole(1);
  Interval z = x;
  for (std::int64_t i = 0; i < halvings; ++i) {
    const Interval root = square_root(add(one, power(z, 2, working), working), working);
    z = *divide(z, add(one, root, working), working);
  }
  const Interval square = power(z, 2, working);
  Interval series{0, 1, 0};
  for (std::int64_t i = working / (2 * (halvings - 1)) + 1; i >= 0; --i)
    series = subtract(enclose(Rational(1, 2 * i + 1), working), multiply(square, series, working), working);
  Interval result = multiply(z, series, working);
  result.exponent += halvings;
  return rounded(std::move(result), precision);
}

Integer floor_times(const Integer& mantissa, std::int64_t exponent, const Rational& scale) {
  const std::int64_t top = exponent + length(mantissa) + length(scale.numerator()) - length(scale.denominator()) + 1;
  if (top < 0) return mantissa.sign() < 0 ? -1 : 0;
  const Integer product = mantissa * scale.numerator();
  if (exponent >= 0) return floor_divide(product << as_bits(exponent), scale.denominator());
  return floor_divide(product, scale.denominator() << as_bits(-exponent));
}

}  // namespace normtrace::exact
