#pragma once

#include <compare>
#include <span>
#include <string>

#include "exact/integer.h"

namespace normtrace::exact {

// p/q in lowest terms with q > 0.
class Rational {
 public:
  Rational() = default;
  // A whole number is a fraction.
  Rational(Integer whole) : numerator_(std::move(whole)) {}  // NOLINT(google-explicit-constructor)
  Rational(std::int64_t whole) : numerator_(whole) {}        // NOLINT(google-explicit-constructor)
  // Requires denominator ≠ 0 (throws std::domain_error otherwise: ask first).
  Rational(Integer numerator, const Integer& denominator);

  // digits · 10^-places, without the gcd of two long numbers: only 2 and 5 can cancel.
  static Rational decimal(Integer digits, unsigned places);

  [[nodiscard]] const Integer& numerator() const { return numerator_; }
  [[nodiscard]] const Integer& denominator() const { return denominator_; }
  [[nodiscard]] bool is_zero() const { return numerator_.is_zero(); }
  [[nodiscard]] bool is_one() const { return numerator_.is_one() && denominator_.is_one(); }
  [[nodiscard]] bool is_whole() const { return denominator_.is_one(); }
  [[nodiscard]] int sign() const { return numerator_.sign(); }
  // "3", "-1/3".
  [[nodiscard]] std::string to_string() const;

  Rational operator-() const;
  friend Rational operator+(const Rational& x, const Rational& y);
  friend Rational operator-(const Rational& x, const Rational& y);
  friend Rational operator*(const Rational& x, const Rational& y);
  // Requires y ≠ 0.
  friend Rational operator/(const Rational& x, const Rational& y);
  friend bool operator==(const Rational& x, const Rational& y) = default;
  friend std::strong_ordering operator<=>(const Rational& x, const Rational& y);

 private:
  struct Lowest {};
  Rational(Integer numerator, Integer denominator, Lowest /*already in lowest terms*/)
      : numerator_(std::move(numerator)), denominator_(std::move(denominator)) {}

  Integer numerator_;
  Integer denominator_ = 1;
};

Rational abs(const Rational& x);
// 10^exponent, exponent of either sign.
Rational power_of_ten(int exponent);
// ⌊x⌋.
Integer floor(const Rational& x);
// Adds in a balanced tree: the partial sums of n fractions with different denominators stay short for as long as
// possible, so the cost is that of a few operations of full length instead of n.
Rational sum(std::span<const Rational> terms);

}  // namespace normtrace::exact
