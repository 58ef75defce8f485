#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "exact/interval.h"
#include "exact/rational.h"

namespace normtrace::exact {

// A real number known by a recipe: an expression of fractions, + − × ÷, roots, powers, exponentials, logarithms and arc tangents.
// It is enclosed in an interval, and the interval narrowed until the question that is asked has its answer; every
// answer is proved. What about 2^15 bits do not decide (fewer, down to 2^12, for recipes of more than a thousand
// nodes), such as whether √2·√8 − 4 is 0, throws Unproved; a divisor that cannot be told from 0 does so too when a
// question is asked. Immutable and cheap to copy. Copies and recipes made from it share its nodes, and each node
// remembers its last enclosure: a number may be asked by one thread at a time.
class Real {
 public:
  Real() : Real(rational(0)) {}
  static Real rational(Rational value);

  // Between fractions these stay fractions. Throws std::domain_error for a divisor that is the fraction 0.
  Real operator-() const;
  friend Real operator+(const Real& x, const Real& y);
  friend Real operator-(const Real& x, const Real& y);
  friend Real operator*(const Real& x, const Real& y);
  friend Real operator/(const Real& x, const Real& y);
  // Requires x ≥ 0. Throws std::domain_error, here or when a question is asked, if x is proved negative.
  friend Real sqrt(const Real& x);
  // Scores beyond ±2^40 are Unproved.
  friend Real exp(const Real& x);
  // Requires x > 0, as sqrt does.
  friend Real log(const Real& x);
  friend Real arctan(const Real& x);
  friend Real power(const Real& x, unsigned exponent);
  // Any number of terms, in any order; cheaper than adding them one by one.
  friend Real sum(std::span<const Real> terms);

  // The value, if the recipe is a plain fraction; a null pointer does not mean that the value is irrational.
  [[nodiscard]] const Rational* as_rational() const;
  // ⌊x·scale⌋. Requires scale > 0. Throws Unproved also for results of more than 2^17 bits.
  [[nodiscard]] Integer floor_times(const Rational& scale) const;
  [[nodiscard]] int sign() const;
  // 1 or −1 if the recipes of x and y are the same but for signs, so that x = y or x = −y; 0 if that does not tell.
  friend int same_recipe(const Real& x, const Real& y);
  // An e with 2^(e−2) ≤ |x| ≤ 2^e. Throws Unproved for what cannot be told from 0, std::domain_error for the fraction
  // 0.
  [[nodiscard]] std::int64_t magnitude() const;

  struct Node;

 private:
  explicit Real(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  friend struct Recipe;

  std::shared_ptr<const Node> node_;
};

}  // namespace normtrace::exact
