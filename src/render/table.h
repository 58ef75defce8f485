#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace normtrace::render {

// Rows of cells; the first row is the head. All rows have the same number of cells.
using Table = std::vector<std::vector<std::string>>;

// Columns padded to the display width of their widest cell, two blanks apart. Columns that do not fit in `width` (0: all
// do) follow in tables of their own, each behind the first column.
std::string aligned(const Table& table, std::string_view indent, std::size_t width);
// With | and a rule under the head; a | inside a cell is escaped.
std::string markdown_table(const Table& table);
// A cell with a comma, quote or line break stands in quotes, as spreadsheets write it.
std::string csv_cell(std::string_view text);
// The name of a row, in quotes where it could be read as anything else.
std::string csv_name(std::string_view name);
std::string csv_table(const Table& table);

}  // namespace normtrace::render
