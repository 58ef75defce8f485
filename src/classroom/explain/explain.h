#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "classroom/explain/rule.h"
#include "classroom/explain/sample.h"
#include "text/document.h"

// Which rule turned this input into that output?
namespace normtrace::classroom::explain {

enum class Verdict { explained, ambiguous, rounding_only, none };
std::string_view id(Verdict verdict);

// What had to be granted before anything fitted.
enum class Tolerance {
  printed,         // nothing: the inputs are exact, and an output stands for what is printed so
  input_prints,    // inputs that look like prints stand for what is printed so
  truncated,       // outputs were cut off instead of rounded
  own_digits,      // each output has the digits it is written with
  float32,         // results of float32 arithmetic
  float32_prints,  // that, and inputs that look like prints
  bfloat16,
  float16,
};
std::string_view id(Tolerance tolerance);

// An input on which two rules differ.
struct Telling {
  std::vector<exact::Rational> input;
  std::vector<Wide> first;
  std::vector<Wide> second;
};

struct Answer {
  Verdict verdict = Verdict::none;
  Tolerance tolerance = Tolerance::printed;
  std::vector<Rule> rules;      // that give every printed number, the simplest first
  std::optional<Rule> nearest;  // where there is none
  // Of `rules`: the first that is another rule than rules[0] and as simple; 0 if none. Whatever differs in ε alone, or
  // comes to the same for every input, is not another rule.
  std::size_t rival = 0;
  std::optional<Telling> telling;  // rules[0] from the rival
};

struct Question {
  Sample sample;
  std::vector<text::Cell> output;  // as many as the input has numbers
  bool transposed = false;         // the output has rows where the input has columns
};

Answer explain(const Question& question);

// Rules whose costs differ by less are said to be as simple as one another.
inline constexpr double simpler_by = 1;
inline constexpr std::size_t most_rules = 40;

}  // namespace normtrace::classroom::explain
