#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>

#include "exact/rational.h"

namespace normtrace::exact {

// More digits, or a larger exponent, would be needed than a proof is allowed to cost.
class Unproved : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The real numbers from low·2^exponent to high·2^exponent, both ends included.
// Every operation below rounds its ends outwards to `precision` bits, so the result holds f(x) for every x of the
// argument. The precision is relative: numbers of any magnitude keep that many leading bits. Where an operation is not
// defined on the whole argument (a divisor that may be 0) the result is nullopt: a narrower argument may do. All throw
// Unproved when a magnitude leaves 2^±(2^48).
struct Interval {
  Integer low;
  Integer high;
  std::int64_t exponent = 0;

  // The least e with |x| ≤ 2^e for every x inside; meaningless for [0, 0].
  [[nodiscard]] std::int64_t top() const;
  [[nodiscard]] bool is_zero() const { return low.is_zero() && high.is_zero(); }
  [[nodiscard]] bool may_be_zero() const { return low.sign() <= 0 && high.sign() >= 0; }
  // [−high, −low].
  Interval operator-() const { return {-high, -low, exponent}; }
};

Interval enclose(const Rational& x, unsigned precision);
// Σ of all terms, rounded once at the end: the order of the terms does not matter.
Interval sum(std::span<const Interval* const> terms, unsigned precision);
Interval multiply(const Interval& x, const Interval& y, unsigned precision);
std::optional<Interval> divide(const Interval& x, const Interval& y, unsigned precision);
// x is known to be ≥ 0 even if its enclosure reaches below. Throws std::domain_error if all of it is negative.
Interval square_root(const Interval& x, unsigned precision);
Interval power(const Interval& x, unsigned exponent, unsigned precision);
// Throws Unproved beyond |x| = 2^40.
std::optional<Interval> exponential(const Interval& x, unsigned precision);
// Throws std::domain_error if no x inside is positive.
std::optional<Interval> logarithm(const Interval& x, unsigned precision);

Interval arctangent(const Interval& x, unsigned precision);

// ⌊mantissa·2^exponent·scale⌋. Requires scale > 0, and a result short enough to be written down.
Integer floor_times(const Integer& mantissa, std::int64_t exponent, const Rational& scale);

}  // namespace normtrace::exact
