#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "trace/comparison.h"

namespace normtrace::trace {

// What is done to an input: every number x becomes scale·x + shift, or one number is set.
struct Edit {
  struct Place {
    std::size_t row;
    std::size_t column;
    exact::Rational value;
  };

  exact::Rational scale = 1;
  exact::Rational shift = 0;
  std::optional<Place> set;
};

enum class Move {
  none,       // equal, proved
  moved,      // different, proved
  undefined,  // undefined before, after, or both
  untold,     // enclosed values that cannot be told apart
};

// One output before and after. The difference is after − before.
struct OutputMove {
  Move move = Move::none;
  Value difference;
};

struct Change {
  Edit edit;
  Trace before;
  Trace after;
  std::vector<OutputMove> outputs;  // in the order of the input
  std::vector<Conclusion> verdicts;

  [[nodiscard]] bool row_moved(std::size_t row) const;
};

// Requires a place inside the input. The digits are those printed, for what they show and what they hide.
Change change(const Request& before, const Edit& edit, unsigned digits);

std::string_view id(Move move);  // "none", "moved", "undefined", "untold"

}  // namespace normtrace::trace
