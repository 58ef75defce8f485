#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace normtrace::words {

// Breaks lines of more than `width` columns at blanks and between wide characters, never before a closing mark, after an
// opening one or between a relation (= or ≈) and what follows. The rest of a line stands two columns further in, or under
// the second of two things that blanks part ("  --eps E   what is added") where that one begins in the first half. 0 columns: as it was. A single word that is
// longer stays whole. Colours of a terminal (ESC [ … m) take no column.
std::string fold(std::string_view text, std::size_t width);

}  // namespace normtrace::words
