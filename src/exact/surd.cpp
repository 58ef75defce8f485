#include "exact/surd.h"

#include <stdexcept>
#include <utility>

namespace normtrace::exact {

Surd::Surd(Rational a, Rational b, Integer r)
    : rational_(std::move(a)), coefficient_(std::move(b)), radicand_(std::move(r)) {
  if (coefficient_.is_zero()) radicand_ = 0;
}

Surd Surd::root(const Rational& x) {
  if (x.sign() < 0) throw std::domain_error("square root of a negative number");
  if (x.is_zero()) return {};
  // √(p/q) = √(p·q)/q; p and q share no factor, so their squares can be pulled apart.
  SquareFactor above = pull_square(x.numerator());
  const SquareFactor below = pull_square(x.denominator());
  Integer radicand = above.rest * below.rest;
  Rational factor(above.root, below.root * below.rest);
  if (radicand.is_one()) return factor;
  return {0, std::move(factor), std::move(radicand)};
}

int Surd::sign() const {
  const int a = rational_.sign();
  const int b = coefficient_.sign();
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  const auto order = rational_ * rational_ <=> coefficient_ * coefficient_ * Rational(radicand_);
  return order > 0 ? a : b;
}

bool same_field(const Surd& x, const Surd& y) {
  return x.is_rational() || y.is_rational() || x.radicand() == y.radicand();
}

namespace {
const Integer& common_radicand(const Surd& x, const Surd& y) {
  if (!same_field(x, y)) throw std::logic_error("two different roots in one sum or product");
  return x.is_rational() ? y.radicand() : x.radicand();
}
}  // namespace

Surd operator+(const Surd& x, const Surd& y) {
  if (x.is_rational() && y.is_rational()) return x.rational_ + y.rational_;
  return {x.rational_ + y.rational_, x.coefficient_ + y.coefficient_, common_radicand(x, y)};
}
Surd operator-(const Surd& x, const Surd& y) { return x + -y; }
Surd operator*(const Surd& x, const Surd& y) {
  if (x.is_rational() && y.is_rational()) return x.rational_ * y.rational_;
  const Integer& r = common_radicand(x, y);
  if (y.is_rational()) return {x.rational_ * y.rational_, x.coefficient_ * y.rational_, r};
  if (x.is_rational()) return y * x;
  return {x.rational_ * y.rational_ + x.coefficient_ * y.coefficient_ * Rational(r),
          x.rational_ * y.coefficient_ + x.coefficient_ * y.rational_, r};
}
Surd operator/(const Surd& x, const Surd& y) {
  if (y.is_rational()) return x * Surd(Rational(1) / y.rational_);
  // 1/(a + b√r) = (a − b√r)/(a² − b²r); the norm is not 0 because √r is irrational.
  const Rational norm = y.rational_ * y.rational_ - y.coefficient_ * y.coefficient_ * Rational(y.radicand_);
  return x * Surd(y.rational_ / norm, -y.coefficient_ / norm, y.radicand_);
}

Surd over_root_of(const Surd& x, const Surd& y) {
  if (same_field(x, y)) return y;
  Integer root;
  if (!perfect_square(x.radicand() * y.radicand(), root)) return y;
  // √s = √(r·s)/r · √r
  return {y.rational_part(), y.coefficient() * Rational(root, x.radicand()), x.radicand()};
}

Integer floor_times(const Surd& x, const Rational& scale) {
  if (x.is_rational()) return floor(x.rational_part() * scale);
  const Rational a = x.rational_part() * scale;
  const Rational b = x.coefficient() * scale;
  // ⌊(A + B√r)/q⌋ = ⌊(A + ⌊B√r⌋)/q⌋ for whole A, B and q > 0.
  const Integer common = exact_divide(a.denominator(), gcd(a.denominator(), b.denominator())) * b.denominator();
  const Integer over_a = a.numerator() * exact_divide(common, a.denominator());
  const Integer over_b = b.numerator() * exact_divide(common, b.denominator());
  const Integer root = floor_sqrt(over_b * over_b * x.radicand());
  return floor_divide(over_a + (over_b.sign() < 0 ? -root - 1 : root), common);
}

}  // namespace normtrace::exact
