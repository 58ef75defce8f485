#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace normtrace::bulk {

// The types that numbers of files have, narrow to wide: each holds every number of those before it.
enum class Element { float16, float32, float64 };
std::size_t bytes_of(Element element);
std::string_view name_of(Element element);  // "float16" and so on

// The largest double that the type rounds to a finite number.
double largest(Element element);

// IEEE 754 binary16 and back, to nearest, ties to even.
double from_half(std::uint16_t bits);
std::uint16_t to_half(double value);

// The nearest number of the type, ties to even.
inline double rounded(Element element, double value) {
  switch (element) {
    case Element::float16: return from_half(to_half(value));
    case Element::float32: return static_cast<float>(value);
    case Element::float64: break;
  }
  return value;
}

}  // namespace normtrace::bulk
