#pragma once

#include <optional>
#include <vector>

#include "classroom/explain/search.h"

// What comes near where no rule fits as it stands.
namespace normtrace::classroom::explain {

// Usual rules whose outputs were all multiplied by one round number, and moved by another: 50 + 10·x̂.
void search_scaled(const Sample& sample, const Outer& outer, Found& found);

struct Nearest {
  Rule rule;
  std::vector<std::size_t> exceptions;  // the only outputs that do not fit
};

// `unusual_eps`: a rule that needs an ε which nobody uses.
std::optional<Nearest> nearest(const Sample& sample, const std::optional<Rule>& unusual_eps);

}  // namespace normtrace::classroom::explain
