#pragma once

#include <cstddef>
#include <span>

namespace normtrace::bulk {

// How float64 numbers become text.
enum class Digits {
  shortest,     // the fewest digits that read back to the same number
  significant,  // `count` digits, trailing zeros dropped
  decimals,     // `count` decimals, trailing zeros kept unless nothing was rounded: 2.5 but 0.730
};
struct Printing {
  Digits digits = Digits::shortest;
  int count = 0;  // 1 to 17 significant digits, 0 to 50 decimals
};

// No number takes more characters, whatever the Printing.
constexpr std::size_t kLongestNumber = 96;
// print() may write this many characters past the end it returns.
constexpr std::size_t kPrintSlack = 32;

// Writes value at out and returns the end. Rounded once from the exact value of the double, half away from zero; never
// "-0"; scientific ("1.342e-5") when the plain form would show zeros only or has more than 15 digits before the point;
// "nan", "inf", "-inf".
char* print(char* out, double value, Printing printing);
// The values one after another, each with the separator after it.
char* print(char* out, std::span<const double> values, char separator, Printing printing);

// Reads a decimal number at text: sign, digits with at most one point, exponent, or nan, inf, infinity in any case.
// Returns the end, or null if there is no number; the nearest double, overflow being infinite as in IEEE 754.
// The memory must be readable for kParseSlack characters past `end`, and *end must not be part of a number.
constexpr std::size_t kParseSlack = 16;
const char* parse(const char* text, const char* end, double& value);
// Reads numbers as long as each has the separator right behind it; returns how many, and sets `text` behind the last separator.
std::size_t parse(const char*& text, const char* end, std::span<double> values, char separator);

}  // namespace normtrace::bulk
