#include "classroom/explain/bounds.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace normtrace::classroom::explain {

using exact::Integer;
using exact::Rational;

namespace {

Wide to_wide(const Integer& x) {
  if (x.fits_int64()) return static_cast<Wide>(x.to_int64());
  const auto excess = static_cast<unsigned>(std::max<std::size_t>(abs(x).bits(), 126) - 126);
  const Integer leading = abs(x) >> excess;
  const Integer high = leading >> 63;
  const Integer low = leading - (high << 63);
  const Wide magnitude = std::ldexp(static_cast<Wide>(high.to_int64()), 63) + static_cast<Wide>(low.to_int64());
  return std::ldexp(x.sign() < 0 ? -magnitude : magnitude, static_cast<int>(excess));
}

}  // namespace

Wide to_wide(const Rational& x) { return to_wide(x.numerator()) / to_wide(x.denominator()); }

// The fraction is not brought to lowest terms: that would cost more than all the rest.
Wide difference(const Rational& x, const Rational& y) {
  return to_wide(x.numerator() * y.denominator() - y.numerator() * x.denominator()) /
         to_wide(x.denominator() * y.denominator());
}

Rational from_wide(Wide x) {
  int exponent = 0;
  const Wide mantissa = std::frexp(x, &exponent);
  const Integer whole(static_cast<std::int64_t>(std::round(std::ldexp(mantissa, 62))));
  exponent -= 62;
  if (exponent >= 0) return whole << static_cast<unsigned>(exponent);
  return {whole, Integer::power_of_two(static_cast<unsigned>(-exponent))};
}

double steady(Wide x, int digits) {
  return std::strtod(fmt::format("{:.{}e}", static_cast<double>(x), digits - 1).c_str(), nullptr);
}

Bounds quotient(const Bounds& a, const Bounds& b) {
  const Wide ends[] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
  return {*std::min_element(std::begin(ends), std::end(ends)), *std::max_element(std::begin(ends), std::end(ends))};
}

}  // namespace normtrace::classroom::explain
