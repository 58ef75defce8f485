#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "classroom/explain/rule.h"
#include "classroom/explain/sample.h"
#include "classroom/explain/telling.h"
#include "exact/machine.h"
#include "text/document.h"

// Which rule turned this input into that output?
namespace normtrace::classroom::explain {

enum class Verdict { explained, ambiguous, rounding_only, none };
std::string_view id(Verdict verdict);

struct Answer {
  Verdict verdict = Verdict::none;
  Tolerance tolerance = Tolerance::printed;
  std::vector<Rule> rules;              // that give every printed number, the simplest first
  std::optional<Rule> nearest;          // where there is none
  std::vector<std::size_t> exceptions;  // the only outputs that do not fit the nearest
  double simpler_by = 1;                // rules whose costs differ by less are as simple as one another
  // Of `rules`: the first that is another rule than rules[0] and as simple; 0 if none. Whatever differs in ε alone, or
  // comes to the same for every input, is not another rule.
  std::size_t rival = 0;
  std::optional<Telling> telling;  // rules[0] from the rival
};

struct Question {
  Sample sample;
  std::vector<text::Cell> output;              // as many as the input has numbers
  bool transposed = false;                     // the output has rows where the input has columns
  const exact::Format* input_type = nullptr;   // that the paste names, or its numbers show
  const exact::Format* output_type = nullptr;  // that the paste names
};

Answer explain(const Question& question);

// Rules whose costs differ by less are said to be as simple as one another.
inline constexpr double simpler_by = 1;
inline constexpr std::size_t most_rules = 40;

}  // namespace normtrace::classroom::explain
