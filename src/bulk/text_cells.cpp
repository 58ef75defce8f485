#include "bulk/text_cells.h"

#include <string>

#include "bulk/number_text.h"

namespace normtrace::bulk {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

const char* cell_end(const char* at, const char* line_end, char separator) {
  if (at < line_end && *at == '"' && separator != ' ') {
    for (++at; at < line_end; ++at)
      if (*at == '"') {
        if (at + 1 < line_end && at[1] == '"')
          ++at;
        else
          break;
      }
  }
  while (at < line_end && (separator == ' ' ? !is_blank(*at) : *at != separator)) ++at;
  return at;
}

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  const char* at = line.data();
  const char* const end = at + line.size();
  if (separator == ' ') {
    while (true) {
      while (at < end && is_blank(*at)) ++at;
      if (at == end) return cells;
      const char* const cell = at;
      at = cell_end(at, end, separator);
      cells.emplace_back(cell, static_cast<std::size_t>(at - cell));
    }
  }
  while (true) {
    const char* const cell = at;
    at = cell_end(at, end, separator);
    cells.emplace_back(cell, static_cast<std::size_t>(at - cell));
    if (at == end) return cells;
    ++at;
  }
}

std::string_view trimmed(std::string_view cell) {
  while (!cell.empty() && is_blank(cell.front())) cell.remove_prefix(1);
  while (!cell.empty() && is_blank(cell.back())) cell.remove_suffix(1);
  return cell;
}
std::string_view unquoted(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
  return cell;
}

bool is_number(std::string_view cell) {
  const std::string copy = std::string(unquoted(cell)) + std::string(kParseSlack, ' ');
  double value;
  const char* const end = copy.data() + copy.size() - kParseSlack;
  return end != copy.data() && parse(copy.data(), end, value) == end;
}

bool holds_name_and_number(std::string_view cell) {
  for (const std::string_view sign : {"=", ":", "＝", "：", "　"}) {
    const std::size_t at = cell.rfind(sign);
    if (at != std::string_view::npos && at > 0 && is_number(trimmed(cell.substr(at + sign.size())))) return true;
  }
  return false;
}

std::string_view without_line_end(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

}  // namespace normtrace::bulk
