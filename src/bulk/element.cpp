#include "bulk/element.h"

#include <cmath>
#include <limits>

namespace normtrace::bulk {

std::size_t bytes_of(Element element) {
  switch (element) {
    case Element::float16: return 2;
    case Element::float32: return 4;
    case Element::float64: break;
  }
  return 8;
}

std::string_view name_of(Element element) {
  switch (element) {
    case Element::float16: return "float16";
    case Element::float32: return "float32";
    case Element::float64: break;
  }
  return "float64";
}

double largest(Element element) {
  switch (element) {
    case Element::float16: return std::nextafter(65520.0, 0.0);
    case Element::float32: return std::nextafter(0x1.ffffffp127, 0.0);
    case Element::float64: break;
  }
  return std::numeric_limits<double>::max();
}

double from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1F;
  const int fraction = bits & 0x3FF;
  double magnitude;
  if (exponent == 0x1F)
    magnitude = fraction ? std::nan("") : HUGE_VAL;
  else
    magnitude = exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

std::uint16_t to_half(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return 0x7E00;  // whose sign is the processor's
  if (magnitude >= 65520) return sign | 0x7C00;
  if (magnitude < 0x1p-14) return sign | static_cast<std::uint16_t>(std::nearbyint(magnitude * 0x1p24));
  const int exponent = std::ilogb(magnitude);
  // A carry out of the fraction is the next exponent, as it should be.
  const auto fraction = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<std::uint16_t>(sign | (((exponent + 15) << 10) + fraction - 1024));
}

}  // namespace normtrace::bulk
