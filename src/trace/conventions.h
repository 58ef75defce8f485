#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "norm/presets.h"
#include "trace/trace.h"

namespace normtrace::trace {

// One way to compute a norm, and who does it so.
struct ConventionResult {
  Trace trace;
  std::vector<const norm::Preset*> presets;  // empty for the articles' own way

  // Where this result parts from the articles' in a row: the fewest decimals at which the two print differently; none if
  // they are equal, or no printing of `most_decimals` tells them apart.
  std::vector<std::optional<unsigned>> parting;  // one a row
};

inline constexpr unsigned most_decimals = 50;

// All ways of one norm; the articles' stands first.
struct NormSurvey {
  const norm::Norm* norm;
  std::vector<ConventionResult> results;
};

// One input under every convention that the table of presets holds.
struct Survey {
  tensor::Tensor input;
  std::vector<NormSurvey> norms;
};

// γ and β are those of `base`. BatchNorm needs a batch: it is left out where there is one token.
Survey survey(const tensor::Tensor& input, const norm::Convention& base);

// The outputs of a row of the input.
std::vector<Value> row_of(const Trace& trace, std::size_t row);
// The results of a norm that print the same in a row, by their places in `results`; in the order of the first of each.
std::vector<std::vector<std::size_t>> grouped(const NormSurvey& survey, std::size_t row, unsigned digits);
// Whether two numbers show the same digits; 2 and 1.99999 do at four decimals.
bool prints_same(const Value& x, const Value& y, unsigned digits);
// The fewest decimals at which two rows of equal length print differently.
std::optional<unsigned> parting_decimal(const std::vector<Value>& x, const std::vector<Value>& y);

}  // namespace normtrace::trace
