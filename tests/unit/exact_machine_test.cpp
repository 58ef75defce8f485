#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "exact/machine.h"

using namespace normtrace::exact;

namespace {

struct RoundedFraction {
  std::string numerator, denominator, in_float64, in_float32, in_bfloat16, in_float16;
};
struct RoundedOperation {
  std::string format, x;
  char operation;
  std::string y, result;
};
#include "exact_machine_oracle.inc"

double read(const std::string& text) { return std::strtod(text.c_str(), nullptr); }
Rational read_fraction(const std::string& numerator, const std::string& denominator) {
  const bool negative = numerator.front() == '-';
  const Integer n = Integer::from_digits(numerator.substr(negative ? 1 : 0));
  return {negative ? -n : n, Integer::from_digits(denominator)};
}
// 0 and −0 are two, NaN and NaN are one.
bool same(double x, double y) {
  return std::isnan(x) ? std::isnan(y) : std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

// The value of a 16-bit pattern with `precision` bits of significand, from the definition of the formats.
double decode(unsigned bits, int precision, int min_exponent) {
  const unsigned significand = bits & ((1U << (precision - 1)) - 1);
  const int exponent = static_cast<int>(bits >> (precision - 1));
  if (exponent == 0) return std::ldexp(significand, min_exponent - precision + 1);
  return std::ldexp(significand + (1U << (precision - 1)), min_exponent + exponent - 1 - precision + 1);
}

// Rounding of a float32 to bfloat16 on its bits, as hardware without bfloat16 does it.
float bfloat16_by_bits(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<float>((bits + 0x7FFFU + ((bits >> 16) & 1U)) & 0xFFFF0000U);
}

std::vector<Float> floats(const std::vector<double>& values, const Arithmetic& arithmetic) {
  std::vector<Float> result;
  for (const double value : values) result.emplace_back(value, arithmetic);
  return result;
}

Float operate(const Float& x, char operation, const Float& y) {
  switch (operation) {
    case '+': return x + y;
    case '-': return x - y;
    case '*': return x * y;
    case '/': return x / y;
    default: return sqrt(x);
  }
}

Float variance_one_pass(const std::vector<Float>& x) {
  std::vector<Float> squares;
  for (const Float& value : x) squares.push_back(value * value);
  const Float mu = mean(x);
  return mean(squares) - mu * mu;
}

}  // namespace

TEST_CASE("the facts of the four formats") {
  CHECK(find_format("float16") == &float16);
  CHECK(find_format("float8") == nullptr);
  CHECK(float64.largest() == std::numeric_limits<double>::max());
  CHECK(float64.smallest_subnormal() == std::numeric_limits<double>::denorm_min());
  CHECK(float64.epsilon() == std::numeric_limits<double>::epsilon());
  CHECK(float32.largest() == std::numeric_limits<float>::max());
  CHECK(float32.smallest_normal() == std::numeric_limits<float>::min());
  CHECK(float32.smallest_subnormal() == std::numeric_limits<float>::denorm_min());
  CHECK(float32.epsilon() == 1.1920928955078125e-07);
  CHECK(float16.largest() == 65504);
  CHECK(float16.epsilon() == 0.0009765625);
  CHECK(float16.smallest_subnormal() == 5.9604644775390625e-08);
  CHECK(bfloat16.epsilon() == 0.0078125);
  CHECK(bfloat16.unit_roundoff() == 0.00390625);
  CHECK(bfloat16.largest() == 338953138925153547590470800371487866880.0);
}

TEST_CASE("fractions and doubles are rounded once, to the nearest") {
  for (const RoundedFraction& row : rounded_fractions) {
    const Rational x = read_fraction(row.numerator, row.denominator);
    INFO(x.to_string());
    CHECK(same(round_to(float64, x), read(row.in_float64)));
    CHECK(same(round_to(float32, x), read(row.in_float32)));
    CHECK(same(round_to(bfloat16, x), read(row.in_bfloat16)));
    CHECK(same(round_to(float16, x), read(row.in_float16)));
    const double as_double = read(row.in_float64);
    if (as_double == 0 || !std::isfinite(as_double) || exact_value(as_double) != x) continue;
    CHECK(same(round_to(float32, as_double), read(row.in_float32)));
    CHECK(same(round_to(bfloat16, as_double), read(row.in_bfloat16)));
    CHECK(same(round_to(float16, as_double), read(row.in_float16)));
  }
}

TEST_CASE("every number of 16 bits stays, and the middle of two goes to the even one") {
  for (const Format* format : {&float16, &bfloat16}) {
    const unsigned finite = ((2U * static_cast<unsigned>(format->max_exponent)) + 1) << (format->precision - 1);
    int wrong = 0;
    for (unsigned bits = 0; bits < finite; ++bits) {
      const double x = decode(bits, format->precision, format->min_exponent);
      const double next = decode(bits + 1, format->precision, format->min_exponent);
      const double beyond = next > format->largest() ? std::numeric_limits<double>::infinity() : next;
      const double middle = (x + next) / 2;
      wrong += !same(round_to(*format, x), x);
      wrong += !same(round_to(*format, -x), -x);
      wrong += !same(round_to(*format, middle), bits % 2 == 0 ? x : beyond);
      wrong += !same(round_to(*format, std::nextafter(middle, 0.0)), x);
      wrong += !same(round_to(*format, -std::nextafter(middle, next)), -beyond);
      wrong += !same(round_to(*format, exact_value(middle)), bits % 2 == 0 ? x : beyond);
    }
    INFO(format->name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("casts of random floats agree with the hardware and with rounding on bits") {
  std::mt19937_64 random(7);
  int wrong = 0;
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t bits = random();
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(bits >> 32));
    if (!std::isnan(single)) wrong += !same(round_to(bfloat16, static_cast<double>(single)), bfloat16_by_bits(single));
    // A double whose exponent is one that float32 knows, or just outside.
    const std::uint64_t exponent = 1023 - 152 + bits % 284;
    const auto wide = std::bit_cast<double>((random() & ~(std::uint64_t{0x7FF} << 52)) | (exponent << 52));
    wrong += !same(round_to(float32, wide), static_cast<double>(static_cast<float>(wide)));
    wrong += !same(round_to(float32, exact_value(wide)), static_cast<double>(static_cast<float>(wide)));
  }
  CHECK(wrong == 0);
}

TEST_CASE("operations are rounded once to the format") {
  for (const RoundedOperation& row : rounded_operations) {
    const Arithmetic arithmetic{find_format(row.format)};
    INFO(row.format << " " << row.x << " " << row.operation << " " << row.y);
    const Float result = operate(Float(read(row.x), arithmetic), row.operation, Float(read(row.y), arithmetic));
    CHECK(same(result.value(), read(row.result)));
  }
}

TEST_CASE("float32 operations on random bits agree with the hardware") {
  std::mt19937_64 random(11);
  const Arithmetic arithmetic{&float32};
  int wrong = 0;
  for (int i = 0; i < 100000; ++i) {
    const auto a = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    // Every other pair has neighbouring exponents, so that sums do not lose one of the two.
    const std::uint32_t near = std::bit_cast<std::uint32_t>(a) + (static_cast<std::uint32_t>(random()) >> 5);
    const auto b = std::bit_cast<float>(i % 2 == 0 ? near : static_cast<std::uint32_t>(random()));
    const Float x(static_cast<double>(a), arithmetic);
    const Float y(static_cast<double>(b), arithmetic);
    wrong += !same((x + y).value(), a + b);
    wrong += !same((x - y).value(), a - b);
    wrong += !same((x * y).value(), a * b);
    wrong += !same((x / y).value(), a / b);
    wrong += !same(sqrt(x).value(), std::sqrt(a));
  }
  CHECK(wrong == 0);
}

TEST_CASE("quotients and roots of all pairs of significands are those of the exact fraction") {
  const Arithmetic arithmetic{&bfloat16};
  int wrong = 0;
  for (std::int64_t a = 128; a < 256; ++a) {
    for (std::int64_t b = 128; b < 256; ++b) {
      // 2^−134·a/b is subnormal; its last bits are lost twice if anything is rounded twice.
      const Float tiny(std::ldexp(static_cast<double>(a), -133), arithmetic);
      const Float quotient = tiny / b;
      const Rational exact(Integer(a), Integer(b) << 133U);
      wrong += !same(quotient.value(), round_to(bfloat16, exact));
      wrong += !same((Float(a) / Float(double(b), arithmetic)).value(), round_to(bfloat16, Rational(a, b)));
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("infinities and NaN follow IEEE 754") {
  const Arithmetic half{&float16};
  const double infinity = std::numeric_limits<double>::infinity();
  const Float large(300.0, half);
  CHECK(same((large * large).value(), infinity));
  CHECK(same((-large * large).value(), -infinity));
  CHECK(std::isnan((large * large - large * large).value()));
  CHECK(same((Float(1.0, half) / Float(-0.0, half)).value(), -infinity));
  CHECK(std::isnan((Float(0.0, half) / 0).value()));
  CHECK(std::isnan(sqrt(Float(-1.0, half)).value()));
  CHECK(same(sqrt(Float(-0.0, half)).value(), -0.0));
  CHECK(same((Float(0.0, half) * -1).value(), -0.0));
  CHECK(std::isnan(round_to(float16, std::nan(""))));
  CHECK(same(Float(1e5, {&float32}).cast(half).value(), infinity));
  CHECK(Float(1e-4, half).value() != 0);
  CHECK((Float(1e-4, half) * Float(1e-4, half)).value() == 0);
}

TEST_CASE("whole numbers are exact, their results take the format they meet, formats do not meet each other") {
  const Arithmetic brain{&bfloat16};
  CHECK((Float(257) * Float(1.0, brain)).value() == 256);
  CHECK((Float(1.0, brain) * 259).value() == 260);
  CHECK((Float(257) + Float(1)).value() == 258);
  CHECK((Float(256.0, brain) / 257).value() == 0.99609375);  // 1 if the count were rounded to 256
  // 257 is the middle of 256 and 258; what decides is far below the last bit of a double.
  CHECK((Float(257) + Float(1e-30, brain)).value() == 258);
  CHECK((Float(257) - Float(1e-30, brain)).value() == 256);
  CHECK((Float(259) - Float(1e-30, brain)).value() == 258);
  CHECK((Float(15.8125, brain) + 1).value() == 16.75);
  CHECK((Float(15.8125, {&float32}) + 1).value() == 16.8125);
  CHECK_THROWS_AS(Float(1.0, brain) + Float(1.0, {&float16}), std::logic_error);
}

TEST_CASE("sums go from left to right in the accumulator") {
  // 2048 + 1 is a tie in float16 and stays 2048.
  const std::vector<double> values = {2048, 1, 1, 1, 1};
  CHECK(sum(floats(values, {&float16})).value() == 2048);
  CHECK(sum(floats({1, 1, 1, 1, 2048}, {&float16})).value() == 2052);
  CHECK(sum(floats(values, {&float16, &float32})).value() == 2052);
  CHECK(sum(floats(values, {&float16, &float32})).arithmetic() == Arithmetic{&float16, &float32});
  // Adding overflows, the mean does not if it is taken in the accumulator.
  const std::vector<double> large = {60000, 60000, 60000};
  CHECK(std::isinf(sum(floats(large, {&float16, &float32})).value()));
  CHECK(std::isinf(mean(floats(large, {&float16})).value()));
  CHECK(mean(floats(large, {&float16, &float32})).value() == 60000);
  CHECK(sum(std::vector<Float>{}).value() == 0);
}

TEST_CASE("one pass loses the variance of numbers far from 0") {
  CHECK(variance_one_pass(floats({10001, 10002, 10003, 10004}, {&float32})).value() == -8);
  CHECK(variance_one_pass(floats({100001, 100002, 100003, 100004}, {&float32})).value() == 1024);
  CHECK(variance_one_pass(floats({100000001, 100000002, 100000003, 100000004}, {&float64})).value() == 2);
  CHECK(variance_one_pass(floats({40000, 40001, 40002, 40003}, {&float32})).value() == -128);
  CHECK(variance_one_pass(floats({80000, 80001, 80002, 80003}, {&float32})).value() == -512);
  CHECK(variance_one_pass(floats({2000, 2000.5, 1998, 2001.5}, {&float32})).value() == 1.5);
}

TEST_CASE("the weight before or after the cast: Llama's and Gemma's order differ in the last bit") {
  const Arithmetic wide{&float32};
  const auto check = [&](const Arithmetic& narrow, const std::vector<double>& values,
                         const std::vector<double>& weights, const Rational& eps, const std::vector<double>& llama,
                         const std::vector<double>& gemma) {
    const std::vector<Float> x = floats(values, wide);
    std::vector<Float> squares;
    for (const Float& value : x) squares.push_back(value * value);
    const Float inverse = Float(1) / sqrt(mean(squares) + Float(eps, wide));
    for (std::size_t i = 0; i < llama.size(); ++i) {
      const Float weight(weights[i], narrow);
      CHECK((weight * (x[i] * inverse).cast(narrow)).value() == llama[i]);
      CHECK((x[i] * inverse * weight.cast(wide)).cast(narrow).value() == gemma[i]);
    }
  };
  check({&float16}, {1, 2, 3, 4}, {0.3, 1.7, 2.3, 0.9}, power_of_ten(-6),
        {0.10955810546875, 1.2421875, 2.521484375, 1.314453125},
        {0.10955810546875, 1.2412109375, 2.51953125, 1.314453125});
  check({&bfloat16}, {4, 3, 0, 0}, {1.5, 1.5}, 0, {2.40625, 1.8046875}, {2.40625, 1.796875});
}

TEST_CASE("a double is a fraction") {
  CHECK(exact_value(0.1).to_string() == "3602879701896397/36028797018963968");
  CHECK(exact_value(-6.5) == Rational(-13, 2));
  CHECK(exact_value(-0.0).is_zero());
  CHECK(exact_value(9007199254740993e20).to_string() == "900719925474099347573952589676412928");
  CHECK(exact_value(std::numeric_limits<double>::denorm_min()) == Rational(1, Integer::power_of_two(1074)));
}
