#include "exact/rational.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace normtrace::exact {

Rational::Rational(Integer numerator, const Integer& denominator) {
  if (denominator.is_zero()) throw std::domain_error("denominator 0");
  if (denominator.is_one()) {
    numerator_ = std::move(numerator);
    return;
  }
  Integer common = gcd(numerator, denominator);
  if (denominator.sign() < 0) common = -common;
  numerator_ = exact_divide(numerator, common);
  denominator_ = exact_divide(denominator, common);
}

Rational Rational::decimal(Integer digits, unsigned places) {
  if (digits.is_zero()) return {};
  unsigned twos = 0;
  while (twos < places && !digits.is_odd()) {
    digits = digits >> 1;
    ++twos;
  }
  unsigned fives = 0;
  while (fives < places && floor_remainder(digits, 5).is_zero()) {
    digits = exact_divide(digits, 5);
    ++fives;
  }
  Integer denominator = Integer::power_of_ten(places - std::max(twos, fives));
  if (twos < fives) denominator *= Integer::power_of_two(fives - twos);
  if (fives < twos) denominator *= power(5, twos - fives);
  return {std::move(digits), std::move(denominator), Lowest{}};
}

std::string Rational::to_string() const {
  return is_whole() ? numerator_.to_string() : numerator_.to_string() + "/" + denominator_.to_string();
}

Rational Rational::operator-() const { return {-numerator_, denominator_, Lowest{}}; }

Rational operator+(const Rational& x, const Rational& y) {
  if (x.is_whole() && y.is_whole()) return x.numerator_ + y.numerator_;
  if (x.denominator_ == y.denominator_) return {x.numerator_ + y.numerator_, x.denominator_};
  return {x.numerator_ * y.denominator_ + y.numerator_ * x.denominator_, x.denominator_ * y.denominator_};
}
Rational operator-(const Rational& x, const Rational& y) { return x + -y; }
Rational operator*(const Rational& x, const Rational& y) {
  if (x.is_whole() && y.is_whole()) return x.numerator_ * y.numerator_;
  // Cancelling crosswise keeps the factors short; both products are then already in lowest terms.
  const Integer left = gcd(x.numerator_, y.denominator_);
  const Integer right = gcd(y.numerator_, x.denominator_);
  if (left.is_zero() || right.is_zero()) return 0;
  return {exact_divide(x.numerator_, left) * exact_divide(y.numerator_, right),
          exact_divide(x.denominator_, right) * exact_divide(y.denominator_, left), Rational::Lowest{}};
}
Rational operator/(const Rational& x, const Rational& y) {
  if (y.is_zero()) throw std::domain_error("division by zero");
  const int sign = y.sign();
  return x * Rational(sign < 0 ? -y.denominator_ : y.denominator_, sign < 0 ? -y.numerator_ : y.numerator_,
                      Rational::Lowest{});
}
std::strong_ordering operator<=>(const Rational& x, const Rational& y) {
  if (x.denominator_ == y.denominator_) return x.numerator_ <=> y.numerator_;
  return x.numerator_ * y.denominator_ <=> y.numerator_ * x.denominator_;
}

Rational abs(const Rational& x) { return x.sign() < 0 ? -x : x; }

Rational power_of_ten(int exponent) {
  const Integer power = Integer::power_of_ten(static_cast<unsigned>(exponent < 0 ? -exponent : exponent));
  return exponent < 0 ? Rational(1, power) : Rational(power);
}

Integer floor(const Rational& x) { return floor_divide(x.numerator(), x.denominator()); }

Rational sum(std::span<const Rational> terms) {
  if (terms.empty()) return 0;
  if (terms.size() == 1) return terms[0];
  const std::size_t half = terms.size() / 2;
  return sum(terms.first(half)) + sum(terms.subspan(half));
}

}  // namespace normtrace::exact
