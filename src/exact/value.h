#pragma once

#include <span>
#include <variant>

#include "exact/rational.h"
#include "exact/real.h"
#include "exact/surd.h"

namespace normtrace::exact {

// A number of a trace: exact (a surd), enclosed (a real known by its recipe, once a computation leaves the field of one
// root), or undefined (a division by zero), which every operation passes on. The formulas of norm/ are written once over
// a number type; this is the one whose digits are proved.
class Value {
 public:
  Value() = default;
  Value(std::int64_t whole) : form_(Surd(whole)) {}               // NOLINT(google-explicit-constructor)
  Value(Rational rational) : form_(Surd(std::move(rational))) {}  // NOLINT(google-explicit-constructor)
  Value(Surd surd) : form_(std::move(surd)) {}                    // NOLINT(google-explicit-constructor)
  Value(Real real) : form_(std::move(real)) {}                    // NOLINT(google-explicit-constructor)
  static Value undefined() { return Value(Undefined{}); }

  [[nodiscard]] bool is_undefined() const { return std::holds_alternative<Undefined>(form_); }
  // The exact form, or null for an enclosed or undefined value.
  [[nodiscard]] const Surd* surd() const { return std::get_if<Surd>(&form_); }
  [[nodiscard]] const Rational* rational() const;
  // Requires a defined value. Throws Unproved if an enclosed one cannot be told from 0.
  [[nodiscard]] int sign() const;
  [[nodiscard]] bool is_zero() const { return surd() && surd()->is_zero(); }

  Value operator-() const;
  friend Value operator+(const Value& x, const Value& y);
  friend Value operator-(const Value& x, const Value& y);
  friend Value operator*(const Value& x, const Value& y);
  // Undefined where y is 0.
  friend Value operator/(const Value& x, const Value& y);
  friend Value power(const Value& x, unsigned exponent);

 private:
  struct Undefined {};
  explicit Value(Undefined none) : form_(none) {}
  friend Real to_real(const Value& x);

  std::variant<Surd, Real, Undefined> form_;
};

// Requires a defined value.
Real to_real(const Value& x);
// Undefined for a negative x.
Value sqrt(const Value& x);
Value exp(const Value& x);
Value sum(std::span<const Value> terms);
// The angle in [0, 180] that has this cosine, in degrees: exact where it is a whole number of degrees and the cosine is.
// Undefined beyond ±1.
Value degrees_of_cosine(const Value& cosine);
Value abs(const Value& x);
// True if both are exact and equal, or enclosed by the same recipe: other enclosed values cannot be proved equal.
bool proved_equal(const Value& x, const Value& y);
// x < 0, 0 or > 0 of x − y. Requires defined values.
int compare(const Value& x, const Value& y);
// ⌊x·scale⌋. Requires a defined x and scale > 0.
Integer floor_times(const Value& x, const Rational& scale);

}  // namespace normtrace::exact
