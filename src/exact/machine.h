#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "exact/decimal.h"
#include "exact/rational.h"
#include "exact/value.h"

namespace normtrace::exact {

// A binary floating point type of IEEE 754 kind, with subnormal numbers, infinities and NaN. Its finite values are
// ±m·2^(e−precision+1) with 0 ≤ m < 2^precision and min_exponent ≤ e ≤ max_exponent; every one of them is a double.
struct Format {
  std::string_view name;  // as PyTorch and NumPy spell it
  int precision;          // bits of the significand, the hidden one included
  int min_exponent;       // of the smallest normal number, 2^min_exponent
  int max_exponent;       // of the largest number, just below 2^(max_exponent+1)

  // The largest relative error of one rounding, 2^−precision, and the gap above 1, what frameworks call eps.
  [[nodiscard]] constexpr double unit_roundoff() const { return two_to(-precision); }
  [[nodiscard]] constexpr double epsilon() const { return two_to(1 - precision); }
  [[nodiscard]] constexpr double largest() const { return (2 - epsilon()) * two_to(max_exponent); }
  [[nodiscard]] constexpr double smallest_normal() const { return two_to(min_exponent); }
  [[nodiscard]] constexpr double smallest_subnormal() const { return two_to(min_exponent - precision + 1); }
  // Significant decimals that tell any two of its numbers apart: 2 + ⌊precision·log10 2⌋.
  [[nodiscard]] constexpr unsigned decimals() const { return 2 + static_cast<unsigned>(precision) * 30103 / 100000; }
  // Whether every number of the other format is one of this one too.
  [[nodiscard]] constexpr bool holds(const Format& other) const {
    return precision >= other.precision && max_exponent >= other.max_exponent &&
           min_exponent - precision <= other.min_exponent - other.precision;
  }

 private:
  static constexpr double two_to(int exponent) {
    double power = 1;
    for (; exponent > 0; --exponent) power *= 2;
    for (; exponent < 0; ++exponent) power /= 2;
    return power;
  }
};

inline constexpr Format float64{"float64", 53, -1022, 1023};
inline constexpr Format float32{"float32", 24, -126, 127};
inline constexpr Format bfloat16{"bfloat16", 8, -126, 127};
inline constexpr Format float16{"float16", 11, -14, 15};
inline constexpr std::array<const Format*, 4> formats{&float64, &float32, &bfloat16, &float16};

// Null if no format has that name.
const Format* find_format(std::string_view name);

// The nearest value of the format, of two equally near the one with an even significand; beyond the largest by half a
// unit or more ±infinity, as IEEE 754 rounds. Negative numbers too small for the format become −0. NaN stays NaN.
double round_to(const Format& format, const Rational& x);
double round_to(const Format& format, double x);
// Requires a defined x.
double round_to(const Format& format, const Value& x);
// The distance between neighbours of the format around x, what is called its unit in the last place (ulp). Requires a
// finite x of the format.
double last_place(const Format& format, double x);
// With one digit more than tells the numbers of the format apart; "inf", "-inf", "nan" as frameworks print them.
std::string to_text(const Format& format, double x, PowerOfTen style);
// The shortest decimal whose nearest double is x: 0.1, 1e-07, "inf", "-inf", "nan"; −0 becomes 0.
std::string shortest_text(double x);
// Requires a finite x; −0 becomes 0.
Rational exact_value(double x);

// What a machine keeps its numbers in, and what it adds long sums in (the same, or a wider format). Null: unknown.
struct Arithmetic {
  const Format* format = nullptr;
  const Format* accumulator = format;

  friend bool operator==(const Arithmetic&, const Arithmetic&) = default;
};

// A number as a machine computes with it: every operation is rounded once, to the format.
// It stands where formulas want a number. A whole number in a formula, such as a count, is exact and has no format of its own; the
// result is rounded to the format of the number it meets. (257 has no place in bfloat16, but x/257 divides by 257, as
// PyTorch's kernels do.) Numbers of different arithmetics do not meet: a formula says with `cast` what is done there;
// std::logic_error otherwise.
class Float {
 public:
  Float() = default;
  // Exact for |count| ≤ 2^53.
  Float(std::int64_t count) : value_(static_cast<double>(count)) {}  // NOLINT(google-explicit-constructor)
  // Requires a known format.
  Float(const Rational& x, const Arithmetic& arithmetic)
      : value_(round_to(*arithmetic.format, x)), arithmetic_(arithmetic) {}
  Float(double x, const Arithmetic& arithmetic);

  [[nodiscard]] double value() const { return value_; }
  // Of a whole number that has not met another yet: not known.
  [[nodiscard]] const Arithmetic& arithmetic() const { return arithmetic_; }
  [[nodiscard]] Float cast(const Arithmetic& to) const { return {value_, to}; }

  Float operator-() const;
  friend Float operator+(const Float& x, const Float& y);
  friend Float operator-(const Float& x, const Float& y);
  friend Float operator*(const Float& x, const Float& y);
  friend Float operator/(const Float& x, const Float& y);
  friend Float sqrt(const Float& x);
  // The C library's, computed in float64 (wrong by less than one unit in its last place) and rounded to the format.
  friend Float exp(const Float& x);

 private:
  double value_ = 0;
  Arithmetic arithmetic_;
};

// From left to right in the accumulator; the result is rounded to the format once, at the end. Of no terms: the whole number 0.
Float sum(std::span<const Float> terms);
// The sum is divided in the accumulator too, before it is rounded to the format, as frameworks take a mean. The divisor is
// the number of terms where none is given. Requires at least one term.
Float mean(std::span<const Float> terms, std::int64_t divisor);
Float mean(std::span<const Float> terms);

}  // namespace normtrace::exact
