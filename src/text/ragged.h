#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/document.h"

namespace normtrace::text {

// One row of numbers where it was written.
struct WrittenRow {
  SourcePointer source;
  std::span<const Cell> cells;  // at least one
  std::string_view name;        // empty: the message calls it by its number
};

// Throws Error if the rows differ in length: names two of them, and asks whether a comma was typed for a point if that would
// explain the difference.
void require_equal_lengths(std::span<const WrittenRow> rows);

// Rows of one source that stand one behind the other in `cells`. `begins`: the index of each row's first cell; `names`: one a
// row, or none.
void require_equal_lengths(const SourcePointer& source, std::span<const Cell> cells,
                           std::span<const std::size_t> begins, std::span<const std::string> names = {});

}  // namespace normtrace::text
