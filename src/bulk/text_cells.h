#pragma once

#include <string_view>
#include <vector>

namespace normtrace::bulk {

// The separator ' ' stands for any run of blanks and tabs.
// The cell that begins at `at`, without the separator: a quoted one ends with its quote.
const char* cell_end(const char* at, const char* line_end, char separator);
std::vector<std::string_view> cells_of(std::string_view line, char separator);

std::string_view trimmed(std::string_view cell);
// Without blanks and quotes around it.
std::string_view unquoted(std::string_view cell);
std::string_view without_line_end(std::string_view line);
// Whether a row may have it: nan and inf are numbers too.
bool is_number(std::string_view cell);
// "x=1", "x: 1": a name and the first number of its vector.
bool holds_name_and_number(std::string_view cell);

}  // namespace normtrace::bulk
