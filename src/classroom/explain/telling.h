#pragma once

#include <optional>

#include "classroom/explain/search.h"

// Which of the rules that fit are one rule, and what tells the others apart.
namespace normtrace::classroom::explain {

// An input on which two rules differ.
struct Telling {
  std::vector<exact::Rational> input;
  std::vector<Wide> first;
  std::vector<Wide> second;
};

// Empty where none is known.
std::optional<Telling> telling_apart(const Rule& a, const Rule& b, const Sample& sample);
// Whatever differs in an ε that does not show, or in nothing for any input, is not another rule.
bool comes_to_the_same(const Rule& a, const Rule& b, const Sample& sample);

}  // namespace normtrace::classroom::explain
