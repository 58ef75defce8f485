#pragma once

#include <optional>
#include <vector>

#include "classroom/explain/numbers.h"
#include "classroom/explain/rule.h"
#include "classroom/explain/sample.h"

namespace normtrace::classroom::explain {

// What was done to input or output as a whole before the rules are tried on them.
struct Outer {
  std::vector<std::string_view> slips;
  double cost = 0;
  bool thorough = true;  // with the rules that have a number of their own to try: partial statistics, padding, rounding
  Tolerance tolerance = Tolerance::printed;  // that the sample's outputs were given
  double granted_cost = 0;                   // of believing that they need it
};

struct Found {
  std::vector<Rule> rules;      // those that give every printed number, in no order
  std::optional<Rule> nearest;  // gives them only with an ε that nobody uses
};

// What divides by 0: ±∞ where x − μ, or x, is not 0, and NaN where it is.
void search_division_by_zero(const Sample& sample, Found& found);

// Tries every rule on a prepared sample. Two steps for each pair of a grouping and a centre: the outputs must be proportional to the numerators
// of each group, which leaves a range for the denominator; then each statistic, root and place of ε is held against that
// range alone. A rule is found only if each printed number holds what the rule gives.
void search(const Sample& sample, const Outer& outer, Found& found);

// How far the outputs are from what a rule gives.
void judge(Rule& rule, const Grouped& grouped);

// What a rule gives; NaN where it is 0/0.
std::vector<Wide> predict(const Rule& rule, const Grouped& grouped);
// For a sample of any shape. Empty if the rule makes no sense for the shape.
std::vector<Wide> predict(const Rule& rule, const Sample& sample);

}  // namespace normtrace::classroom::explain
