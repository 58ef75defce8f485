#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "exact/rational.h"

namespace doubles {

// The number that a finite double is.
inline normtrace::exact::Rational rational(double x) {
  using normtrace::exact::Integer;
  using normtrace::exact::Rational;
  int exponent;
  const auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  exponent -= 53;
  const Integer power = Integer::power_of_two(static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? Rational(whole, power) : Rational(Integer(whole) * power);
}

// How many doubles lie from x to y.
inline std::uint64_t steps(double x, double y) {
  const auto place = [](double value) {
    const auto bits = std::bit_cast<std::int64_t>(value);
    return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
  };
  const auto a = static_cast<std::uint64_t>(place(x)), b = static_cast<std::uint64_t>(place(y));
  return place(x) > place(y) ? a - b : b - a;
}

}  // namespace doubles
