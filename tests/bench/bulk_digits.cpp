// Random doubles printed in every way and read again, held to std::to_chars; where the two differ (it rounds ties to even), to
// exact numbers. Prints how many values it looked at and how many were wrong.
//
//     bulk_digits COUNT [SEED]

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

#include "bulk/number_text.h"
#include "exact/decimal.h"
#include "exact/value.h"

using namespace normtrace;

namespace {

// The significant digits of a number without the zeros around them, and the power of ten of the first.
struct Digits10 {
  char text[80];
  int count = 0;
  int exponent = 0;

  explicit Digits10(std::string_view number) {
    int before_point = 0, leading = 0;
    bool point = false;
    std::size_t i = 0;
    for (; i < number.size() && number[i] != 'e'; ++i) {
      if (number[i] == '.') point = true;
      if (number[i] < '0' || number[i] > '9') continue;
      before_point += !point;
      if (count == 0 && number[i] == '0')
        ++leading;
      else
        text[count++] = number[i];
    }
    exponent = before_point - 1 - leading;
    if (i < number.size()) exponent += std::atoi(std::string(number.substr(i + 1)).c_str());
    while (count > 0 && text[count - 1] == '0') --count;
  }
  bool operator==(const Digits10& other) const {
    return std::string_view(text, static_cast<std::size_t>(count)) ==
               std::string_view(other.text, static_cast<std::size_t>(other.count)) &&
           (count == 0 || exponent == other.exponent);
  }
};

exact::Rational rational(double x) {
  int exponent;
  const auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  exponent -= 53;
  const exact::Integer power = exact::Integer::power_of_two(static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? exact::Rational(whole, power) : exact::Rational(exact::Integer(whole) * power);
}

// Whether the digits are |value| in units of 10^unit, rounded half away from zero.
bool is_rounded(double value, int unit, const Digits10& digits) {
  exact::Integer whole;
  for (int i = 0; i < digits.count; ++i) whole = whole * 10 + exact::Integer(digits.text[i] - '0');
  const exact::Rational shown = exact::Rational(whole) * exact::power_of_ten(digits.exponent - digits.count + 1 - unit);
  const exact::Rational difference = exact::abs(rational(value)) * exact::power_of_ten(-unit) - shown;
  const exact::Rational half(1, 2);
  return difference < half && difference >= -half;
}

bool is_right(double value, int count) {
  char ours[bulk::kLongestNumber + bulk::kPrintSlack], theirs[512];
  char* end = bulk::print(ours, value, {});
  std::to_chars_result reference = std::to_chars(theirs, theirs + sizeof theirs, value, std::chars_format::scientific);
  if (Digits10({ours, end}) != Digits10({theirs, reference.ptr})) return false;
  std::memset(end, 0, bulk::kParseSlack);
  double read;
  if (bulk::parse(ours, end, read) != end || read != value) return false;

  const int significant = 1 + count % 17;
  end = bulk::print(ours, value, {bulk::Digits::significant, significant});
  *end = '\0';
  reference = std::to_chars(theirs, theirs + sizeof theirs, value, std::chars_format::scientific, significant - 1);
  const Digits10 digits({ours, end});
  if (digits != Digits10({theirs, reference.ptr}) && !is_rounded(value, digits.exponent + 1 - significant, digits))
    return false;

  const int decimals = count % 9;
  if (std::fabs(value) < std::pow(0.1, decimals) || std::fabs(value) >= 1e15) return true;
  end = bulk::print(ours, value, {bulk::Digits::decimals, decimals});
  *end = '\0';
  reference = std::to_chars(theirs, theirs + sizeof theirs, value, std::chars_format::fixed, decimals);
  const Digits10 fixed({ours, end});
  return fixed == Digits10({theirs, reference.ptr}) || is_rounded(value, -decimals, fixed);
}

}  // namespace

int main(int count, char** words) {
  const std::uint64_t values = count > 1 ? std::strtoull(words[1], nullptr, 10) : 1000000;
  std::mt19937_64 random(count > 2 ? std::strtoull(words[2], nullptr, 10) : 1);
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < values; ++i) {
    const std::uint64_t bits = random();
    // Mostly sizes that normalized numbers have, then any bits, then few decimals.
    double value = std::bit_cast<double>((bits & 0x800FFFFFFFFFFFFF) | (1023 - 12 + bits % 16) << 52);
    if (i % 8 == 1) value = std::bit_cast<double>(bits);
    if (i % 8 == 2) value = static_cast<double>(static_cast<std::int64_t>(bits) >> 36) / 1000;
    if (!std::isfinite(value) || value == 0) continue;
    if (is_right(value, static_cast<int>(random() % 1000))) continue;
    ++wrong;
    std::printf("%.17g\n", value);
  }
  std::printf("%llu values, %llu wrong\n", static_cast<unsigned long long>(values),
              static_cast<unsigned long long>(wrong));
  return wrong > 0;
}
