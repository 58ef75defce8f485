#include "render/style.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>

#include "exact/machine.h"

namespace normtrace::render {

using exact::Rational;
using exact::Surd;
using exact::Value;

namespace {

// A fraction or exact form longer than this teaches less than its decimals.
constexpr std::size_t short_fraction = 11;
constexpr std::size_t short_expression = 24;
constexpr std::size_t short_decimal = 12;
constexpr std::size_t longest_whole_bits = 64;
// Vectors up to this length are shown whole; of longer ones this many entries at either end.
constexpr std::size_t whole_vector = 12;
constexpr std::size_t shown_end = 4;

std::string in_brackets(const std::string& text) { return "(" + text + ")"; }

bool short_text(const Rational& x) {
  return x.numerator().bits() + x.denominator().bits() < 4 * short_fraction && x.to_string().size() <= short_fraction;
}

// c·√r with c = p/q as "√30/2", "-3√5/5".
std::string root_text(const Rational& coefficient, const exact::Integer& radicand) {
  std::string text;
  const exact::Integer factor = abs(coefficient.numerator());
  if (coefficient.sign() < 0) text += "-";
  if (!factor.is_one()) text += factor.to_string();
  text += "√" + radicand.to_string();
  if (!coefficient.is_whole()) text += "/" + coefficient.denominator().to_string();
  return text;
}

std::string surd_text(const Surd& x) {
  if (x.is_rational()) return x.rational_part().to_string();
  const std::string root = root_text(x.coefficient(), x.radicand());
  if (x.rational_part().is_zero()) return root;
  return x.rational_part().to_string() + (x.coefficient().sign() < 0 ? "" : "+") + root;
}

// The number of which all are whole multiples, or 0 if all are 0.
Rational common_factor(const std::vector<Value>& x) {
  exact::Integer numerator = 0;
  exact::Integer denominator = 1;
  for (const Value& value : x) {
    const Rational& c = value.surd()->coefficient();
    numerator = gcd(numerator, c.numerator());
    denominator = exact_divide(denominator, gcd(denominator, c.denominator())) * c.denominator();
  }
  return {numerator, denominator};
}

// The one root of which all entries are multiples, or 0 if there is none such.
exact::Integer common_root(const std::vector<Value>& x) {
  exact::Integer root = 0;
  for (const Value& value : x) {
    const Surd* const surd = value.surd();
    if (!surd || !surd->rational_part().is_zero()) return 0;
    if (surd->is_rational()) continue;
    if (!root.is_zero() && root != surd->radicand()) return 0;
    root = surd->radicand();
  }
  return root;
}

}  // namespace

std::string join(const std::vector<std::string>& parts, std::string_view separator, const Style& style) {
  const bool elided = style.elide && parts.size() > whole_vector;
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) text += separator;
    if (elided && i == shown_end) {
      text += "…";
      i = parts.size() - shown_end - 1;
      continue;
    }
    text += parts[i];
  }
  return text;
}

Shown show(const Value& x, const Style& style) {
  if (x.is_undefined()) return {words::say(style.language, "value.undefined"), false};
  const exact::Decimal decimal = to_decimal(x, style.digits, style.power);
  return {decimal.text, decimal.rounded};
}

Shown show(const std::vector<Value>& x, const Style& style) {
  Shown shown;
  std::vector<std::string> parts;
  parts.reserve(x.size());
  for (const Value& value : x) {
    Shown entry = show(value, style);
    shown.rounded |= entry.rounded;
    parts.push_back(std::move(entry.text));
  }
  shown.text = "[" + join(parts, ", ", style) + "]";
  return shown;
}

std::string show_input(const Rational& x, const Style& style) { return to_exact_text(x, style.digits, style.power); }

std::string show_input(const std::vector<Rational>& x, const Style& style) {
  std::vector<std::string> parts;
  parts.reserve(x.size());
  std::ranges::transform(x, std::back_inserter(parts), [&](const Rational& value) { return show_input(value, style); });
  return "[" + join(parts, ", ", style) + "]";
}

std::string show_eps(const Rational& eps, const Style& style) {
  static constexpr std::string_view raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (const exact::Format* const type : exact::formats) {
    if (type->precision < exact::float32.precision || eps != exact::exact_value(type->epsilon())) continue;
    std::string text = "2⁻";
    for (const char digit : std::to_string(type->precision - 1)) text += raised[digit - '0'];
    return text;
  }
  return show_input(eps, style);
}

namespace {

// Without rounding, if that is short: a whole number, a fraction, or all of its decimals.
std::optional<std::string> short_and_whole(const Rational& x, const Style& style) {
  if (x.is_whole() && x.numerator().bits() < longest_whole_bits) return x.to_string();
  if (short_text(x)) return x.to_string();
  if (x.numerator().bits() < longest_whole_bits && has_finite_decimal(x)) {
    std::string text = to_exact_text(x, style.digits, style.power);
    if (text.size() <= short_decimal) return text;
  }
  return std::nullopt;
}

// Rounded, but never to fewer digits than the style has decimals: 0.00164, not 0.002, so that whoever goes on with the
// printed term comes out near the printed result.
std::string significant(const Value& x, const Style& style) {
  unsigned places = style.digits;
  while (rounded_scaled(x, places).to_string().size() < style.digits) ++places;
  return to_decimal(x, places, style.power).text;
}

}  // namespace

Shown show_term(const Value& x, const Style& style) {
  if (x.is_undefined()) return show(x, style);
  // What is short is measured without the sign: x and -x look alike.
  const Value size = abs(x);
  Shown shown = show(size, style);
  if (shown.rounded) {
    const auto whole = size.rational() ? short_and_whole(*size.rational(), style) : std::nullopt;
    const bool decimals = !rounded_scaled(size, style.digits).is_zero();
    if (whole)
      shown = {*whole, false};
    else if (decimals)
      shown.text = significant(size, style);
  }
  if (x.sign() < 0) shown.text = in_brackets("-" + shown.text);
  return shown;
}

std::string show_exact(const Value& x, const Style& style) {
  if (!x.surd() || !show(x, style).rounded) return {};
  if (x.rational() && !short_text(*x.rational())) return {};
  std::string text = surd_text(*x.surd());
  return text.size() <= short_expression ? text : std::string();
}

std::string show_exact(const std::vector<Value>& x, const Style& style) {
  if (!show(x, style).rounded) return {};
  const exact::Integer root = common_root(x);
  std::vector<std::string> parts;
  std::string front;
  if (!root.is_zero()) {
    const Rational factor = common_factor(x);
    const std::string text = root_text(factor, root);
    if (text.size() > short_expression) return {};
    front = in_brackets(text) + "·";
    for (const Value& value : x) parts.push_back((value.surd()->coefficient() / factor).to_string());
  } else {
    for (const Value& value : x) {
      if (!value.surd()) return {};
      parts.push_back(surd_text(*value.surd()));
    }
  }
  if (std::ranges::any_of(parts, [](const std::string& part) { return part.size() > short_expression; })) return {};
  return front + "[" + join(parts, ", ", style) + "]";
}

}  // namespace normtrace::render
