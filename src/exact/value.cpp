#include "exact/value.h"

#include <array>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace normtrace::exact {

const Rational* Value::rational() const {
  const Surd* const exact = surd();
  return exact && exact->is_rational() ? &exact->rational_part() : nullptr;
}

Real to_real(const Value& x) {
  if (const Surd* const exact = x.surd()) {
    if (exact->is_rational()) return Real::rational(exact->rational_part());
    const Real root = Real::rational(exact->coefficient()) * sqrt(Real::rational(exact->radicand()));
    return exact->rational_part().is_zero() ? root : Real::rational(exact->rational_part()) + root;
  }
  if (x.is_undefined()) throw std::logic_error("an undefined value has no enclosure");
  return std::get<Real>(x.form_);
}

int Value::sign() const {
  if (const Surd* const exact = surd()) return exact->sign();
  return to_real(*this).sign();
}

Value Value::operator-() const {
  if (is_undefined()) return *this;
  if (const Surd* const exact = surd()) return -*exact;
  return -std::get<Real>(form_);
}

namespace {
bool either_undefined(const Value& x, const Value& y) { return x.is_undefined() || y.is_undefined(); }
}  // namespace

Value operator+(const Value& x, const Value& y) {
  if (either_undefined(x, y)) return Value::undefined();
  if (x.surd() && y.surd()) {
    const Surd other = over_root_of(*x.surd(), *y.surd());
    if (same_field(*x.surd(), other)) return *x.surd() + other;
  }
  if (x.is_zero()) return y;
  if (y.is_zero()) return x;
  return to_real(x) + to_real(y);
}

Value operator-(const Value& x, const Value& y) { return x + -y; }

Value operator*(const Value& x, const Value& y) {
  if (either_undefined(x, y)) return Value::undefined();
  if (x.surd() && y.surd()) {
    const Surd other = over_root_of(*x.surd(), *y.surd());
    if (same_field(*x.surd(), other)) return *x.surd() * other;
    // √r·√s = √(r·s)
    if (x.surd()->rational_part().is_zero() && other.rational_part().is_zero())
      return Surd(x.surd()->coefficient() * other.coefficient()) *
             Surd::root(Rational(x.surd()->radicand() * other.radicand()));
  }
  if (x.is_zero() || y.is_zero()) return 0;
  return to_real(x) * to_real(y);
}

Value operator/(const Value& x, const Value& y) {
  if (either_undefined(x, y) || y.is_zero()) return Value::undefined();
  if (y.surd()) return x * Value(Surd(1) / *y.surd());
  return x.is_zero() ? Value(0) : Value(to_real(x) / to_real(y));
}

Value sqrt(const Value& x) {
  if (x.is_undefined() || x.sign() < 0) return Value::undefined();
  if (const Rational* const rational = x.rational()) return Surd::root(*rational);
  return sqrt(to_real(x));
}

Value exp(const Value& x) {
  if (x.is_undefined()) return x;
  return x.is_zero() ? Value(1) : Value(exp(to_real(x)));
}

namespace {

// Terms of one field, added in a balanced tree as fractions are.
Value sum_in_field(std::span<const Value> terms) {
  if (terms.size() == 1) return terms[0];
  const std::size_t half = terms.size() / 2;
  return sum_in_field(terms.first(half)) + sum_in_field(terms.subspan(half));
}

bool one_field(std::span<const Value> terms) {
  const Surd* root = nullptr;
  for (const Value& term : terms) {
    if (!term.surd()) return false;
    if (term.rational()) continue;
    if (root && root->radicand() != term.surd()->radicand()) return false;
    root = term.surd();
  }
  return true;
}

}  // namespace

Value sum(std::span<const Value> terms) {
  if (terms.empty()) return 0;
  if (one_field(terms)) return sum_in_field(terms);
  // Roots that are alike are added, and cancel, exactly before anything is enclosed.
  std::map<Integer, Value> by_root;
  std::vector<Real> recipes;
  for (const Value& term : terms) {
    if (term.is_undefined()) return term;
    if (!term.surd()) {
      recipes.push_back(to_real(term));
      continue;
    }
    Value& part = by_root[term.surd()->radicand()];
    part = part + term;
  }
  const Value fraction = by_root[0];
  std::erase_if(by_root, [](const auto& entry) { return entry.first.is_zero() || entry.second.is_zero(); });
  if (recipes.empty() && by_root.empty()) return fraction;
  if (recipes.empty() && by_root.size() == 1) return fraction + by_root.begin()->second;
  if (!fraction.is_zero()) recipes.push_back(to_real(fraction));
  for (const auto& [root, part] : by_root) recipes.push_back(to_real(part));
  return sum(std::span<const Real>(recipes));
}

Value power(const Value& x, unsigned exponent) {
  Value result = 1;
  Value base = x;
  for (unsigned left = exponent; left != 0; left >>= 1) {
    if ((left & 1) != 0) result = result * base;
    if (left > 1) base = base * base;
  }
  return result;
}

Value degrees_of_cosine(const Value& cosine) {
  // The only cosines of the form a + b√r that belong to a fraction of the circle.
  static const std::array<std::pair<Surd, int>, 7> known = {{{Surd(0), 90},
                                                             {Surd(1), 0},
                                                             {Surd(Rational(1, 2)), 60},
                                                             {Surd::root(Rational(1, 2)), 45},
                                                             {Surd::root(Rational(3, 4)), 30},
                                                             {Surd(Rational(1, 4), Rational(1, 4), 5), 36},
                                                             {Surd(Rational(-1, 4), Rational(1, 4), 5), 72}}};
  if (cosine.is_undefined() || compare(abs(cosine), 1) > 0) return Value::undefined();
  for (const auto& [known_cosine, degrees] : known) {
    if (proved_equal(cosine, known_cosine)) return degrees;
    if (proved_equal(-cosine, known_cosine)) return 180 - degrees;
  }
  // arccos c = 2·arctan √((1 − c)/(1 + c)), and 45° is arctan 1, which keeps its enclosure from one angle to the next.
  static thread_local const Real one = Real::rational(1);
  static thread_local const Real eighth_of_circle = arctan(one);
  const Real c = to_real(cosine);
  return Real::rational(90) * arctan(sqrt((one - c) / (one + c))) / eighth_of_circle;
}

Value abs(const Value& x) { return !x.is_undefined() && x.sign() < 0 ? -x : x; }

bool proved_equal(const Value& x, const Value& y) {
  if (either_undefined(x, y)) return false;
  if (!x.surd() && !y.surd()) return same_recipe(to_real(x), to_real(y)) > 0;
  if (!x.surd() || !y.surd()) return false;
  return *x.surd() == over_root_of(*x.surd(), *y.surd());
}

int compare(const Value& x, const Value& y) { return (x - y).sign(); }

Integer floor_times(const Value& x, const Rational& scale) {
  if (const Surd* const exact = x.surd()) return floor_times(*exact, scale);
  return to_real(x).floor_times(scale);
}

}  // namespace normtrace::exact
