#include "render/table.h"

#include <algorithm>
#include <utility>

#include "words/width.h"

namespace normtrace::render {

namespace {

constexpr std::size_t gap = 2;

struct Columns {
  std::size_t begin = 1;
  std::size_t end = 1;
};

// The columns behind the first, in runs that fit beside it; at least one each.
std::vector<Columns> runs(const std::vector<std::size_t>& widths, std::size_t indent, std::size_t width) {
  std::vector<Columns> result = {{}};
  std::size_t used = indent + widths.front();
  for (std::size_t column = 1; column < widths.size(); ++column) {
    const bool begun = result.back().end > result.back().begin;
    if (width != 0 && begun && used + gap + widths[column] > width) {
      result.push_back({column, column});
      used = indent + widths.front();
    }
    used += gap + widths[column];
    result.back().end = column + 1;
  }
  return result;
}

}  // namespace

std::string aligned(const Table& table, std::string_view indent, std::size_t width) {
  std::vector<std::size_t> widths(table.front().size());
  for (const auto& row : table)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], words::display_width(row[column]));
  std::string text;
  for (const Columns& run : runs(widths, indent.size(), width)) {
    if (run.begin > 1) text += "\n";
    for (const auto& row : table) {
      text += indent;
      std::size_t blanks = 0;  // owed to the columns so far; empty cells at the end of a row ask for none
      const auto add = [&](std::size_t column) {
        if (!row[column].empty()) text.append(std::exchange(blanks, 0), ' ') += row[column];
        blanks += widths[column] + gap - words::display_width(row[column]);
      };
      add(0);
      for (std::size_t column = run.begin; column < run.end; ++column) add(column);
      text += "\n";
    }
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
