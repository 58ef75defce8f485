#pragma once

#include <string>
#include <vector>

#include "exact/decimal.h"
#include "words/words.h"

namespace normtrace::render {

enum class Steps { full, article, brief, none };

// How things are to look; what they are is in the trace.
struct Style {
  words::Language language = words::Language::en;
  unsigned digits = 3;          // decimals in steps
  unsigned summary_digits = 2;  // decimals in the summary table
  exact::PowerOfTen power = exact::PowerOfTen::superscript;
  Steps steps = Steps::article;
  bool color = false;
  bool elide = true;      // leave out the middle of long vectors
  std::size_t width = 0;  // columns of the terminal; 0: as wide as it comes
};

// A number or vector as it is printed, and whether anything was rounded: what decides between = and ≈.
struct Shown {
  std::string text;
  bool rounded = false;

  [[nodiscard]] const char* relation() const { return rounded ? "≈" : "="; }
};

Shown show(const exact::Value& x, const Style& style);
// "[1, 2, 3]"; long vectors are elided in the middle if the style says so.
Shown show(const std::vector<exact::Value>& x, const Style& style);
// A number as it was given.
std::string show_input(const exact::Rational& x, const Style& style);
std::string show_input(const std::vector<exact::Rational>& x, const Style& style);
// ε: as it was given, or 2⁻²³ where it is the gap above 1 of a machine type.
std::string show_eps(const exact::Rational& eps, const Style& style);
// As a term of a sum or product: a short fraction where the decimals do not end in time, in brackets where it is
// negative; rounded only where neither is short.
Shown show_term(const exact::Value& x, const Style& style);
// √30/2, 1/2+√5/5; for a vector with one root (√5/5)·[-3, -1, 1, 3]. Empty where there is no short form, or where it says
// nothing that the printed decimals do not.
std::string show_exact(const exact::Value& x, const Style& style);
std::string show_exact(const std::vector<exact::Value>& x, const Style& style);

// Joins parts by a separator, leaving out the middle where the style elides and there are many.
std::string join(const std::vector<std::string>& parts, std::string_view separator, const Style& style);

}  // namespace normtrace::render
