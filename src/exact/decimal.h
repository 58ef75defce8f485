#pragma once

#include <optional>
#include <string>

#include "exact/value.h"

namespace normtrace::exact {

// How a power of ten is written: 1.342e-5 for machines, 1.342×10⁻⁵ for people.
enum class PowerOfTen { e_notation, superscript };

struct Decimal {
  std::string text;
  bool rounded = false;  // whether text lost anything: decides between = and ≈
};

// The printing rule of the whole program. A value whose expansion ends within `places` is printed bare and shortest;
// any other is rounded there, half away from zero, from its exact value, zeros kept. A non-zero value that would show
// zeros only, or |x| ≥ 10^15, is written with a power of ten and a mantissa under the same rule.
// Requires a defined value.
Decimal to_decimal(const Value& x, unsigned places, PowerOfTen style);
// `digits` significant digits, to compare numbers of one precision: 1.3418, 16384, 5.9605×10⁻⁸; bare and shortest where
// nothing is lost, whole numbers below 10^15 whole. Requires a defined value.
Decimal to_significant(const Value& x, unsigned digits, PowerOfTen style);
// Always `places` decimals and never a power of ten: -1.0000. Used where columns are padded as frameworks print them.
std::string to_fixed(const Value& x, unsigned places);
// A number as it was given, nothing lost: its decimal expansion if that ends (with a power of ten where to_decimal would
// use one), else p/q.
std::string to_exact_text(const Rational& x, unsigned places, PowerOfTen style);
// Whether the decimal expansion of x ends within `places`.
bool fits(const Rational& x, unsigned places);
bool has_finite_decimal(const Rational& x);
// The nearest IEEE double, ties to even; none beyond its range. Never -0.0. Requires a defined value.
std::optional<double> nearest_double(const Value& x);
// |x|·10^places as a whole number, half away from zero.
Integer rounded_scaled(const Value& x, unsigned places);

// The grammar `R`, `sqrt(C)`, `-sqrt(C)`, `R*sqrt(C)`, `R+sqrt(C)`, `R-sqrt(C)`, `R+R*sqrt(C)`, `R-R*sqrt(C)` with R whole
// or p/q in lowest terms and C a positive whole number.
std::string to_expression(const Surd& x);
// The surd that such a text writes, in normal form; none if it is not of the grammar.
std::optional<Surd> parse_expression(std::string_view text);

}  // namespace normtrace::exact
