#pragma once

#include "exact/integer.h"
#include "exact/rational.h"

namespace normtrace::exact {

// a + b·√r: what a norm's output is when its inputs are fractions (r = σ² + ε or the mean square + ε).
// Normal form: r is a whole number that is no square, with the square factors that pull_square finds moved into b; a
// rational number has b = 0 and r = 0. Two surds with the same r, or one of them rational, stay in the field under
// + − × ÷; the operators require that (ask same_field first).
class Surd {
 public:
  Surd() = default;
  Surd(Rational rational) : rational_(std::move(rational)) {}  // NOLINT(google-explicit-constructor)
  Surd(std::int64_t whole) : rational_(whole) {}               // NOLINT(google-explicit-constructor)
  // Requires b = 0, or that r ≥ 0 is in normal form already (as radicand() of another surd is).
  Surd(Rational a, Rational b, Integer r);
  // √x in normal form: √(5/4) is 1/2·√5. Requires x ≥ 0.
  static Surd root(const Rational& x);

  [[nodiscard]] const Rational& rational_part() const { return rational_; }
  [[nodiscard]] const Rational& coefficient() const { return coefficient_; }
  [[nodiscard]] const Integer& radicand() const { return radicand_; }
  [[nodiscard]] bool is_rational() const { return coefficient_.is_zero(); }
  [[nodiscard]] bool is_zero() const { return rational_.is_zero() && coefficient_.is_zero(); }
  // From a² against b²·r, never from rounding.
  [[nodiscard]] int sign() const;

  Surd operator-() const { return {-rational_, -coefficient_, radicand_}; }
  friend Surd operator+(const Surd& x, const Surd& y);
  friend Surd operator-(const Surd& x, const Surd& y);
  friend Surd operator*(const Surd& x, const Surd& y);
  // Requires y ≠ 0.
  friend Surd operator/(const Surd& x, const Surd& y);
  friend bool operator==(const Surd& x, const Surd& y) = default;

 private:
  Rational rational_;
  Rational coefficient_;
  Integer radicand_;
};

bool same_field(const Surd& x, const Surd& y);
// y rewritten over the root of x, where √y's radicand is a square times x's (the bound of pull_square can leave such
// pairs); otherwise y itself.
Surd over_root_of(const Surd& x, const Surd& y);
// ⌊x·scale⌋. Requires scale > 0.
Integer floor_times(const Surd& x, const Rational& scale);

}  // namespace normtrace::exact
