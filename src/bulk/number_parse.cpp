#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <system_error>

#include "bulk/number_text.h"

namespace normtrace::bulk {

namespace {

// Powers of ten that a double holds exactly: a whole number below 2^53 times or over one of them is rounded once
// (Clinger 1990).
constexpr double kExactPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kLargestExactPower = 22;
constexpr std::uint64_t kLargestExactWhole = std::uint64_t{1} << 53;
constexpr int kDigitsInWord = 19;

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

inline std::uint64_t eight_characters(const char* text) {
  std::uint64_t word;
  std::memcpy(&word, text, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}
// How many of eight characters, from the first (in the lowest byte) on, are digits; `values` is what they are without '0'.
inline int leading_digits(std::uint64_t values) {
  // A carry comes from a byte that is no digit, and what is behind that does not count.
  const std::uint64_t others = ((values + 0x7676767676767676) | values) & 0x8080808080808080;
  return others ? std::countr_zero(others) / 8 : 8;
}
// Eight digits, the first in the lowest byte: pairs, fours, the whole.
inline std::uint64_t value_of_digits(std::uint64_t values) {
  values = values * 10 + (values >> 8);
  return (((values & 0x000000FF000000FF) * 0x000F424000000064) +
          (((values >> 16) & 0x000000FF000000FF) * 0x0000271000000001)) >>
         32;
}
constexpr std::uint64_t kTens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
// Appends the digits at `at`, eight at most, to `whole` and returns how many.
inline int append_digits(const char* at, std::uint64_t& whole) {
  const std::uint64_t values = eight_characters(at) ^ 0x3030303030303030;
  const int count = leading_digits(values);
  if (count == 0) return 0;
  whole = whole * kTens[count] + value_of_digits(values << (64 - 8 * count));
  return count;
}

// Whatever the short way does not settle: many digits, large exponents, nan and inf.
const char* parse_any(const char* text, const char* end, double& value) {
  const bool negative = *text == '-';
  const char* const digits = text + (negative || *text == '+');
  if (digits == end || *digits == '-' || *digits == '+') return nullptr;
  const std::from_chars_result result = std::from_chars(digits, end, value);
  if (result.ec == std::errc::invalid_argument) return nullptr;
  if (result.ec == std::errc::result_out_of_range) {
    // from_chars leaves the value alone: too large or too small. Only a text with a huge or a tiny magnitude comes here,
    // so the sign of its decimal exponent tells.
    long exponent = 0;
    const char* at = digits;
    bool point = false, counted = false;
    long first_digit = 0;
    for (; at != result.ptr && (is_digit(*at) || *at == '.'); ++at) {
      if (*at == '.') {
        point = true;
        continue;
      }
      if (*at != '0') counted = true;
      if (counted && !point) ++first_digit;
      if (!counted && point) --first_digit;
    }
    if (at != result.ptr) {
      const char* const sign = at + 1;
      const std::from_chars_result read = std::from_chars(sign + (*sign == '+'), result.ptr, exponent);
      if (read.ec == std::errc::result_out_of_range)
        exponent = *sign == '-' ? std::numeric_limits<int>::min() : std::numeric_limits<int>::max();
    }
    value = exponent + first_digit > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  }
  // nan(…) is C's, and no number.
  if (*(result.ptr - 1) == ')') return nullptr;
  if (negative) value = -value;
  return result.ptr;
}

inline const char* parse_one(const char* text, const char* end, double& value) {
  const char* at = text;
  const bool negative = *at == '-';
  at += static_cast<int>(negative) | static_cast<int>(*at == '+');
  std::uint64_t whole = 0;
  const char* const first = at;
  for (; is_digit(*at); ++at) whole = whole * 10 + static_cast<std::uint64_t>(*at - '0');
  std::ptrdiff_t digits = at - first;
  int exponent = 0;
  if (*at == '.') {
    const char* const fraction = ++at;
    int count = append_digits(at, whole);
    at += count;
    if (count == 8) {
      count = append_digits(at, whole);
      at += count;
      if (count == 8)
        for (; is_digit(*at); ++at) whole = whole * 10 + static_cast<std::uint64_t>(*at - '0');
    }
    exponent = static_cast<int>(fraction - at);
    digits += at - fraction;
  }
  if (digits == 0 || digits > kDigitsInWord || at > end) return parse_any(text, end, value);
  if ((*at | 0x20) == 'e') {
    const char* power = at + 1;
    const bool down = *power == '-';
    power += down || *power == '+';
    if (!is_digit(*power)) return nullptr;
    int written = 0;
    for (; is_digit(*power); ++power)
      if (written < 10000) written = written * 10 + (*power - '0');
    exponent += down ? -written : written;
    at = power;
  }
  if (whole > kLargestExactWhole || exponent < -kLargestExactPower || exponent > kLargestExactPower)
    return parse_any(text, end, value);
  const double magnitude = exponent < 0 ? static_cast<double>(whole) / kExactPowers[-exponent]
                                        : static_cast<double>(whole) * kExactPowers[exponent];
  // A sign is as good as random: no branch.
  value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | std::uint64_t{negative} << 63);
  return at;
}

}  // namespace

const char* parse(const char* text, const char* end, double& value) { return parse_one(text, end, value); }

std::size_t parse(const char*& text, const char* end, std::span<double> values, char separator) {
  const char* at = text;
  std::size_t count = 0;
  for (double& value : values) {
    const char* const after = parse_one(at, end, value);
    if (!after || *after != separator) break;
    at = after + 1;
    ++count;
  }
  text = at;
  return count;
}

}  // namespace normtrace::bulk
