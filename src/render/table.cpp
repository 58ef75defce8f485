#include "render/table.h"

#include <algorithm>
#include <utility>

#include "words/utf8.h"
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

namespace {

// Punctuation, signs and full-width forms beyond ASCII.
bool is_sign(char32_t code) {
  return (code >= 0x2000 && code < 0x2600) || (code >= 0x3000 && code < 0x3040) || (code >= 0xFE00 && code < 0xFFF0);
}

// Whether a reader of CSV could take a name for anything else: a number, an assignment, a comment, a bracket.
bool needs_quotes(std::string_view name) {
  if (name.empty()) return false;
  for (const std::string_view word : {"nan", "NaN", "NA", "inf", "null", "None", "true", "True", "false", "False"})
    if (name == word) return true;
  static constexpr std::string_view harmless = " _.-";
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (std::size_t at = 0; at < name.size();) {
    const words::Decoded character = words::decode(name, at);
    const char c = name[at];
    const bool digit = c >= '0' && c <= '9';
    const bool plain = character.code < 0x80
                           ? is_letter(c) || (at > 0 && (digit || harmless.find(c) != std::string_view::npos))
                           : !is_sign(character.code);
    if (!plain) return true;
    at += character.length;
  }
  return false;
}

}  // namespace

std::string csv_name(std::string_view name) {
  const std::string cell = csv_cell(name);
  return cell == name && needs_quotes(name) ? "\"" + cell + "\"" : cell;
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
