#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "exact/rational.h"
#include "text/document.h"

namespace normtrace::text {

constexpr long largest_exponent = 1000;
constexpr std::uint32_t longest_literal = 1000;  // characters

// A number as written: sign, digits, point, exponent, or p/q. Its spellings: -1.5, .5, 1., 1e-5, 1.5f, 1_000, 1'000,
// １．５, 1。5, 1.5*^-5 (Mathematica), 1.5d-5 (Fortran), 1.5×10⁻⁵, 1/3, 1//3 (Julia), \frac{1}{3}.
struct Literal {
  std::uint32_t end = 0;  // byte after the last one
  bool negative = false;
  std::string digits;  // of the mantissa, or of the numerator
  long decimals = 0;   // digits after the point
  long exponent = 0;   // as written
  std::string denominator;
  bool has_point = false;
  bool has_exponent = false;
  bool digit_groups = false;       // 1_000
  bool ideographic_point = false;  // 1。5
  bool double_slash = false;       // 1//2
  bool invisible = false;          // a zero-width character stands inside
};

// False if no number starts at byte `at`, or if it runs on into something else (2x1, 1.2.3, 0x1F).
bool scan_literal(std::string_view text, std::uint32_t at, Literal& literal);

// Requires a denominator other than 0 and an exponent within ±largest_exponent.
Cell value_of(const Literal& literal);

}  // namespace normtrace::text
