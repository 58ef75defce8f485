#include "classroom/explain/report_words.h"

#include <cmath>

#include "exact/decimal.h"

namespace normtrace::classroom::explain {

using exact::Integer;
using exact::Rational;
using exact::Value;

std::string rough(Wide x, int digits) {
  if (x == 0) return "0";
  if (!std::isfinite(x)) return "∞";
  const auto places = static_cast<unsigned>(digits - 1);
  int exponent = static_cast<int>(std::floor(std::log10(std::fabs(x))));
  const auto mantissa = [&] { return to_fixed(Value(from_wide(x) * exact::power_of_ten(-exponent)), places); };
  // 9.96 at two digits is 10.
  if (mantissa().find("10") == (x < 0 ? 1U : 0U)) ++exponent;
  if (exponent < -2 || exponent > 6) return mantissa() + "e" + std::to_string(exponent);
  return to_fixed(Value(from_wide(x)), static_cast<unsigned>(std::max(0, digits - 1 - exponent)));
}

std::pair<std::string, std::string> range_text(const Bounds& bounds) {
  constexpr int most_digits = 16;
  int digits = 2;
  while (digits < most_digits && rough(bounds.low, digits) == rough(bounds.high, digits)) ++digits;
  return {rough(bounds.low, digits), rough(bounds.high, digits)};
}

std::string eps_text(const Rational& x) {
  if (x.numerator().is_one() && x.denominator().bits() > 6)
    if (const auto power = static_cast<unsigned>(x.denominator().bits() - 1);
        x.denominator() == Integer::power_of_two(power))
      return "2^-" + std::to_string(power);
  constexpr std::size_t longest = 16;
  if (const std::string exact = to_exact_text(x, 12, exact::PowerOfTen::e_notation); exact.size() > longest)
    return rough(to_wide(x), 4);
  for (int exponent = -3; exponent >= -30; --exponent) {
    const Rational mantissa = x * exact::power_of_ten(-exponent);
    if (mantissa >= Rational(1) && exponent < -3)
      return to_exact_text(mantissa, 12, exact::PowerOfTen::e_notation) + "e" + std::to_string(exponent);
    if (mantissa >= Rational(1)) break;
  }
  return to_exact_text(x, 12, exact::PowerOfTen::e_notation);
}

std::string joined(const std::vector<std::string>& clauses, words::Language language) {
  std::string text;
  for (const std::string& clause : clauses) text += (text.empty() ? "" : say(language, "explain.and")) + clause;
  return text;
}

std::string answer_json(std::string_view verdict, const std::vector<words::Message>& notes, const render::Style& style,
                        const std::function<void(render::JsonWriter&)>& members) {
  render::JsonWriter json(style);
  json.begin_object();
  json.key("schema");
  json.number(1);
  json.member("command", "explain");
  json.member("verdict", verdict);
  members(json);
  json.key("notes");
  json.begin_array();
  for (const words::Message& note : notes) {
    json.begin_object();
    json.member("id", note.id);
    json.member("text", words::say(style.language, note));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace normtrace::classroom::explain
