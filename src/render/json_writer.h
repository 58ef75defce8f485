#pragma once

#include <string>
#include <string_view>

#include "exact/value.h"
#include "render/style.h"

namespace normtrace::render {

// Writes JSON as it goes, so that a trace of a million numbers needs no second copy of itself as a document.
// The caller keeps the order of the grammar; commas are put by the writer.
class JsonWriter {
 public:
  explicit JsonWriter(const Style& style);

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);
  void string(std::string_view text);
  void number(std::size_t value);
  // A number as a machine has it; "Infinity", "-Infinity" and "NaN", for which JSON has no numbers, as strings.
  void machine(double value);
  void boolean(bool value) { raw(value ? "true" : "false"); }
  void null() { raw("null"); }
  // NUM: {"text", "exact", "value", "rounded"}; null for an undefined value.
  void value(const exact::Value& value);
  // A NUM whose text is the number as it was given.
  void input(const exact::Rational& value);

  void member(std::string_view name, std::string_view text) {
    key(name);
    string(text);
  }

  [[nodiscard]] std::string take() { return std::move(text_) + "\n"; }

 private:
  void open(char bracket);
  void close(char bracket);
  void raw(std::string_view text);
  void separate();
  void num(std::string_view text, const exact::Value& value, bool rounded);

  Style style_;
  std::string text_;
  bool first_ = true;  // nothing stands yet in the innermost object or array
};

}  // namespace normtrace::render
