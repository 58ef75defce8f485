#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "bulk/number_text.h"
#include "bulk_doubles.h"
#include "catch.h"
#include "exact/decimal.h"
#include "exact/value.h"

using namespace normtrace;
using bulk::Digits;
using bulk::Printing;

namespace {

std::string printed(double value, Printing printing) {
  std::string text(bulk::kLongestNumber + bulk::kPrintSlack, '#');
  text.resize(static_cast<std::size_t>(bulk::print(text.data(), value, printing) - text.data()));
  return text;
}

// All of the text as a number, or nothing.
std::optional<double> read(const std::string& text) {
  std::string padded = text + "\n" + std::string(bulk::kParseSlack, '\0');
  double value;
  const char* const end = padded.data() + text.size();
  return bulk::parse(padded.data(), end, value) == end ? std::optional(value) : std::nullopt;
}

// Every kind of double: any bits, sizes of normalized numbers, few decimals, halves of units.
std::vector<double> samples(std::size_t count) {
  std::mt19937_64 random(42);
  std::normal_distribution<double> normal;
  std::vector<double> result{0.0,
                             0.5,
                             2.5,
                             0.125,
                             1e15,
                             123456789,
                             5e-324,
                             2.2250738585072014e-308,
                             1e22,
                             1e23,
                             999999.5,
                             9.5,
                             99.95,
                             1e-5,
                             1e-4,
                             9007199254740993.0,
                             -1e-5,
                             0.0005,
                             1.7976931348623157e308};
  while (result.size() < count) {
    const double any = std::bit_cast<double>(random());
    if (std::isfinite(any)) result.push_back(any);
    result.push_back(normal(random));
    result.push_back(std::round(normal(random) * 1e4) / 1e3);
    result.push_back(std::ldexp(static_cast<double>(random() % 4096) - 2048, -static_cast<int>(random() % 12)));
    result.push_back(std::pow(10.0, static_cast<double>(random() % 40) - 20));
  }
  return result;
}

// The significant digits of a number's text and the power of ten of the first.
struct Digits10 {
  std::string digits;
  int exponent;
};
Digits10 digits_of(const std::string& text) {
  Digits10 result{"", 0};
  int before_point = 0;
  bool point = false;
  for (const char c : text) {
    if (c == 'e') break;
    if (c == '.') point = true;
    if (c < '0' || c > '9') continue;
    if (!point) ++before_point;
    result.digits += c;
  }
  const std::size_t first = result.digits.find_first_not_of('0');
  if (first == std::string::npos) return {"", 0};
  result.exponent = before_point - 1 - static_cast<int>(first);
  if (const std::size_t e = text.find('e'); e != std::string::npos) result.exponent += std::stoi(text.substr(e + 1));
  result.digits = result.digits.substr(first);
  while (result.digits.back() == '0') result.digits.pop_back();
  return result;
}

}  // namespace

TEST_CASE("decimals are printed by the rule of the whole program") {
  for (const double value : samples(4000))
    for (const int count : {0, 1, 3, 6, 8, 9, 20, 50}) {
      CAPTURE(value, count);
      if (std::fabs(value) > 1e40 || std::fabs(value) < 1e-40) continue;
      const exact::Decimal expected = exact::to_decimal(exact::Value(doubles::rational(value)),
                                                        static_cast<unsigned>(count), exact::PowerOfTen::e_notation);
      CHECK(printed(value, {Digits::decimals, count}) == expected.text);
    }
}

TEST_CASE("significant digits are rounded once, half away from zero") {
  for (const double value : samples(4000))
    for (const int count : {1, 2, 6, 9, 16, 17}) {
      const std::string text = printed(value, {Digits::significant, count});
      CAPTURE(value, count, text);
      if (value == 0) {
        CHECK(text == "0");
        continue;
      }
      const Digits10 shown = digits_of(text);
      REQUIRE(shown.digits.size() <= static_cast<std::size_t>(count));
      // The number in units of its last digit is the digits, give or take a half.
      const exact::Rational units =
          exact::abs(doubles::rational(value)) * exact::power_of_ten(count - 1 - shown.exponent);
      std::string padded = shown.digits;
      padded.append(static_cast<std::size_t>(count) - shown.digits.size(), '0');
      const exact::Rational difference = units - exact::Rational(exact::Integer::from_digits(padded));
      const exact::Rational half(1, 2);
      CHECK(difference < half);
      CHECK(difference >= -half);
      CHECK((text[0] == '-') == (value < 0));
    }
}

TEST_CASE("the shortest digits read back, and none fewer would") {
  for (const double value : samples(40000)) {
    const std::string text = printed(value, {});
    CAPTURE(value, text);
    CHECK(read(text) == value);
    char reference[64];
    const auto end = std::to_chars(reference, reference + sizeof reference, value, std::chars_format::scientific).ptr;
    CHECK(digits_of(text).digits == digits_of(std::string(reference, end)).digits);
  }
}

TEST_CASE("what is plain and what is scientific") {
  CHECK(printed(-0.0, {}) == "0");
  CHECK(printed(1e15, {}) == "1e15");
  CHECK(printed(123456789012345, {}) == "123456789012345");
  CHECK(printed(0.00001, {}) == "0.00001");
  CHECK(printed(0.000001, {}) == "1e-6");
  CHECK(printed(-1.3416407864998738, {}) == "-1.3416407864998738");
  CHECK(printed(123456789, {Digits::significant, 6}) == "1.23457e8");
  CHECK(printed(0.7302967433402214, {Digits::decimals, 3}) == "0.730");
  CHECK(printed(2.5, {Digits::decimals, 3}) == "2.5");
  CHECK(printed(std::nan(""), {}) == "nan");
  CHECK(printed(-HUGE_VAL, {Digits::decimals, 2}) == "-inf");
}

TEST_CASE("numbers are read to the nearest double") {
  std::mt19937_64 random(3);
  for (const double value : samples(20000)) {
    char text[400];
    const auto check = [&](std::to_chars_result result) {
      const std::string written(text, result.ptr);
      double expected;
      std::from_chars(text, result.ptr, expected);
      CAPTURE(written);
      CHECK(read(written) == expected);
    };
    check(std::to_chars(text, text + sizeof text, value));
    check(
        std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, static_cast<int>(random() % 30)));
    if (std::fabs(value) < 1e30 && std::fabs(value) > 1e-30)
      check(std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, static_cast<int>(random() % 40)));
  }
}

TEST_CASE("spellings of numbers") {
  CHECK(read("+1.5") == 1.5);
  CHECK(read(".5") == 0.5);
  CHECK(read("5.") == 5.0);
  CHECK(read("-.5e1") == -5.0);
  CHECK(read("1E+3") == 1000.0);
  CHECK(read("1e400") == HUGE_VAL);
  CHECK(read("-1e400") == -HUGE_VAL);
  CHECK(read("1e-400") == 0.0);
  CHECK(read("0.00000000000000000000000000001e30") == 10.0);
  CHECK(read("1e99999999999999999999") == HUGE_VAL);
  CHECK(read("1e-99999999999999999999") == 0.0);
  CHECK(read("0e99999") == 0.0);
  CHECK(read("5e-324") == 5e-324);
  CHECK(read("2.4703282292062327e-324") == 0.0);
  CHECK(read("2.4703282292062328e-324") == 5e-324);
  // Half way between the largest double and 2^1024, a little less and a little more.
  CHECK(read("179769313486231580793728971405303e276") == 1.7976931348623157e308);
  CHECK(read("179769313486231580793728971405304e276") == HUGE_VAL);
  CHECK(read("-Infinity") == -HUGE_VAL);
  CHECK(std::isnan(read("NaN").value()));
  for (const char* const wrong : {"", "-", "+", ".", "-.", "e5", "1e", "1e+", "--1", "+-1", "0x10", "1_000", "nan(1)",
                                  "1..2", "1.2.3", "infinite", "1e5.5", "NA", "None"}) {
    CAPTURE(wrong);
    CHECK_FALSE(read(wrong));
  }
}
