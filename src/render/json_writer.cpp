#include "render/json_writer.h"

#include <cmath>

#include "exact/decimal.h"
#include "exact/machine.h"

namespace normtrace::render {

JsonWriter::JsonWriter(const Style& style) : style_(style) {
  style_.power = exact::PowerOfTen::e_notation;
  style_.elide = false;
}

void JsonWriter::separate() {
  if (!first_) text_ += ", ";
  first_ = false;
}

void JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  text_ += bracket;
  first_ = false;
}

void JsonWriter::raw(std::string_view text) {
  separate();
  text_ += text;
}

void JsonWriter::key(std::string_view name) {
  string(name);
  text_ += ": ";
  first_ = true;
}

void JsonWriter::string(std::string_view text) {
  static constexpr std::string_view hexadecimal = "0123456789abcdef";
  separate();
  text_ += '"';
  std::size_t plain = 0;  // start of what needs no escape
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f) continue;
    text_.append(text, plain, i - plain);
    plain = i + 1;
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += text[i];
    } else {
      text_ += "\\u00";
      text_ += hexadecimal[c >> 4];
      text_ += hexadecimal[c & 15];
    }
  }
  text_.append(text, plain);
  text_ += '"';
}

void JsonWriter::number(std::size_t value) { raw(std::to_string(value)); }

void JsonWriter::machine(double value) {
  if (std::isnan(value)) return string("NaN");
  if (std::isinf(value)) return string(value < 0 ? "-Infinity" : "Infinity");
  raw(exact::shortest_text(value));
}

void JsonWriter::num(std::string_view text, const exact::Value& value, bool rounded) {
  begin_object();
  member("text", text);
  key("exact");
  if (value.surd())
    string(to_expression(*value.surd()));
  else
    null();
  key("value");
  if (const auto nearest = nearest_double(value))
    raw(exact::shortest_text(*nearest));
  else
    null();
  key("rounded");
  boolean(rounded);
  end_object();
}

void JsonWriter::value(const exact::Value& value) {
  if (value.is_undefined()) return null();
  const exact::Decimal decimal = to_decimal(value, style_.digits, style_.power);
  num(decimal.text, value, decimal.rounded);
}

void JsonWriter::input(const exact::Rational& value) { num(show_input(value, style_), value, false); }

}  // namespace normtrace::render
