#pragma once

#include <cmath>

namespace normtrace::bulk {

// high + low, unevaluated, |low| ≤ half an ulp of high: about 106 bits (Dekker 1971).
struct Pair {
  double high = 0;
  double low = 0;
};

// a + b without error (Knuth).
inline Pair two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

// a + b without error if |a| ≥ |b| or a = 0.
inline Pair renormalized(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a·b without error, as long as neither the halves overflow (|a|, |b| < 2^990) nor the error underflows.
inline Pair two_product(double a, double b) {
  constexpr double splitter = 0x1p27 + 1;
  const double product = a * b;
  const double a_high = splitter * a - (splitter * a - a);
  const double b_high = splitter * b - (splitter * b - b);
  const double a_low = a - a_high;
  const double b_low = b - b_high;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

inline Pair operator-(Pair x) { return {-x.high, -x.low}; }
inline Pair operator+(Pair x, Pair y) {
  const Pair high = two_sum(x.high, y.high);
  const Pair low = two_sum(x.low, y.low);
  const Pair sum = renormalized(high.high, high.low + low.high);
  return renormalized(sum.high, sum.low + low.low);
}
inline Pair operator-(Pair x, Pair y) { return x + -y; }
inline Pair operator*(Pair x, Pair y) {
  const Pair product = two_product(x.high, y.high);
  return renormalized(product.high, product.low + (x.high * y.low + x.low * y.high));
}
// Within 3·2^-106 of the quotient (Joldes, Muller and Popescu 2017, algorithm 15).
inline Pair operator/(Pair x, double y) {
  const double first = x.high / y;
  const Pair product = two_product(first, y);
  return renormalized(first, (((x.high - product.high) - product.low) + x.low) / y);
}
inline Pair reciprocal(Pair x) {
  const double first = 1 / x.high;
  const Pair product = two_product(first, x.high);
  return renormalized(first, (((1 - product.high) - product.low) - first * x.low) * first);
}
// Requires x > 0; passes NaN on.
inline Pair sqrt(Pair x) {
  const double root = std::sqrt(x.high);
  const Pair rest = x - two_product(root, root);
  return renormalized(root, rest.high / (2 * root));
}
// x·2^exponent; exact as long as nothing under- or overflows. Nearly always the exponent is 0, and ldexp is slow.
inline double scaled(double x, int exponent) { return exponent == 0 ? x : std::ldexp(x, exponent); }
inline Pair scaled(Pair x, int exponent) { return {scaled(x.high, exponent), scaled(x.low, exponent)}; }

}  // namespace normtrace::bulk
