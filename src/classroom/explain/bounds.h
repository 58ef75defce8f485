#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "exact/rational.h"

// The search works on long double: 64 bits, 11 more than the numbers it judges were computed with, and a range that squares
// of any input stay in. What cancels (x − μ) is subtracted exactly before it becomes one.
namespace normtrace::classroom::explain {

using Wide = long double;

inline constexpr Wide unbounded = std::numeric_limits<Wide>::infinity();

// The nearest long double, wrong by less than one unit in its 64th bit.
Wide to_wide(const exact::Rational& x);
// The nearest to x − y, which is not rounded before.
Wide difference(const exact::Rational& x, const exact::Rational& y);
// Requires a finite x.
exact::Rational from_wide(Wide x);

// x to so many significant decimals: those that do not depend on how many bits a long double has, which is 64 on some
// processors and 113 or 53 on others.
double steady(Wide x, int digits = 6);

// Every number from low to high, both included.
struct Bounds {
  Wide low = -unbounded;
  Wide high = unbounded;

  [[nodiscard]] bool empty() const { return !(low <= high); }
  [[nodiscard]] bool holds(Wide x) const { return low <= x && x <= high; }
  [[nodiscard]] Wide middle() const { return (low + high) / 2; }
};

inline Bounds around(Wide x, Wide radius) { return {x - radius, x + radius}; }
inline Bounds intersection(const Bounds& a, const Bounds& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}
inline Bounds operator-(const Bounds& a) { return {-a.high, -a.low}; }
inline Bounds operator+(const Bounds& a, Wide b) { return {a.low + b, a.high + b}; }
inline Bounds operator-(const Bounds& a, const Bounds& b) { return {a.low - b.high, a.high - b.low}; }
inline Bounds operator*(const Bounds& a, Wide b) {
  return b >= 0 ? Bounds{a.low * b, a.high * b} : Bounds{a.high * b, a.low * b};
}
// Requires that b does not hold 0.
Bounds quotient(const Bounds& a, const Bounds& b);
// f(a) for an increasing f.
template <class Function>
Bounds increasing(const Bounds& a, Function f) {
  return {f(a.low), f(a.high)};
}
inline Bounds root(const Bounds& a) {
  return increasing(a, [](Wide x) { return std::sqrt(std::max<Wide>(x, 0)); });
}
// Of numbers that are not negative.
inline Bounds square(const Bounds& a) {
  return increasing(a, [](Wide x) { return x * x; });
}

}  // namespace normtrace::classroom::explain
