#include "render/table.h"

#include <algorithm>
#include <utility>

#include "words/width.h"

namespace normtrace::render {

std::string aligned(const Table& table, std::string_view indent) {
  std::vector<std::size_t> widths(table.front().size());
  for (const auto& row : table)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], words::display_width(row[column]));
  std::string text;
  for (const auto& row : table) {
    text += indent;
    std::size_t blanks = 0;  // owed to the columns so far; empty cells at the end of a row ask for none
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (!row[column].empty()) text.append(std::exchange(blanks, 0), ' ') += row[column];
      blanks += widths[column] + 2 - words::display_width(row[column]);
    }
    text += "\n";
  }
  return text;
}

std::string markdown_table(const Table& table) {
  std::string text;
  for (std::size_t row = 0; row < table.size(); ++row) {
    text += "|";
    for (const std::string& cell : table[row]) {
      text += " ";
      for (const char c : cell) {
        if (c == '|') text += '\\';
        text += c;
      }
      text += " |";
    }
    text += "\n";
    if (row != 0) continue;
    text += "|";
    for (std::size_t column = 0; column < table[row].size(); ++column) text += " --- |";
    text += "\n";
  }
  return text;
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string csv_table(const Table& table) {
  std::string text;
  for (const auto& row : table) {
    for (std::size_t column = 0; column < row.size(); ++column)
      text += (column == 0 ? "" : ",") + csv_cell(row[column]);
    text += "\n";
  }
  return text;
}

}  // namespace normtrace::render
