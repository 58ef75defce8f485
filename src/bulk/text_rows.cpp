#include "bulk/text_rows.h"

#include <algorithm>
#include <optional>

#include "bulk/error.h"
#include "text/error.h"

namespace normtrace::bulk {

namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 30;
constexpr std::size_t kLongestQuote = 40;  // bytes of a wrong cell that a message repeats
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The cell that begins at `at`, without the separator: a quoted one ends with its quote.
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

std::vector<std::string_view> split(std::string_view line, char separator) {
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

bool is_whole(std::string_view cell) {
  return !cell.empty() && std::ranges::all_of(cell, [](char c) { return c >= '0' && c <= '9'; });
}

// Several numbers with blanks between: no cell of a table with tabs.
bool holds_numbers(std::string_view cell) {
  const std::vector<std::string_view> words = split(cell, ' ');
  return words.size() > 1 && std::ranges::any_of(words, is_number);
}

char likely_separator(std::string_view line) {
  if (line.find(',') != std::string_view::npos) return ',';
  if (line.find('\t') != std::string_view::npos && std::ranges::none_of(split(line, '\t'), holds_numbers)) return '\t';
  return line.find(';') != std::string_view::npos ? ';' : ' ';
}

std::string_view without_line_end(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

// Lines of a text with where each begins.
struct Line {
  std::string_view text;
  std::size_t begin;
  std::size_t next;
};
std::optional<Line> line_at(std::string_view text, std::size_t begin) {
  while (begin < text.size()) {
    const std::size_t found = text.find('\n', begin);
    const std::size_t end = found == std::string_view::npos ? text.size() : found;
    const std::size_t next = found == std::string_view::npos ? end : end + 1;
    const std::string_view line = without_line_end(text.substr(begin, end - begin));
    if (!trimmed(line).empty()) return Line{line, begin, next};
    begin = next;
  }
  return std::nullopt;
}

}  // namespace

TextLayout read_layout(std::string_view text, char separator, const std::string& source) {
  TextLayout layout;
  if (text.find('\0') != std::string_view::npos)
    throw Error(Error::bad_input, {"bulk.binary_text", {source}}, {"bulk.say_format", {}});
  std::size_t start = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  std::optional<Line> line = line_at(text, start);
  // "# …" is a comment where a row of numbers cannot begin so: in the vectors of words, '#' is a word.
  while (line && trimmed(line->text).starts_with('#')) {
    const auto cells = split(line->text, separator ? separator : likely_separator(line->text));
    if (cells.size() > 1 && std::all_of(cells.begin() + 1, cells.end(), is_number)) break;
    start = line->next;
    line = line_at(text, start);
  }
  if (!line) throw Error(Error::bad_input, {"bulk.no_rows", {source}});
  const std::optional<Line> second = line_at(text, line->next);
  layout.separator = separator ? separator : likely_separator(line->text);
  std::vector<std::string_view> first = split(line->text, layout.separator);

  const bool counts =
      second && first.size() == 2 && is_whole(first[0]) && is_whole(first[1]) &&
      split(second->text, layout.separator).size() == std::stoull(std::string(first[1]).substr(0, 18)) + 1 &&
      !is_number(split(second->text, layout.separator)[0]);
  const bool rest_are_numbers = std::all_of(first.begin() + (first.size() > 1 ? 1 : 0), first.end(), is_number);
  const bool empty_corner = first.size() > 1 && unquoted(first[0]).empty() && layout.separator != ' ';
  std::vector<std::string_view> header;
  std::optional<Line> row = line;
  if (counts || !rest_are_numbers || empty_corner) {
    if (!counts) header = first;
    row = second;
    start = line->next;
    if (!row) throw Error(Error::bad_input, {"bulk.no_rows", {source}});
    if (!separator && header.size() == 1) layout.separator = likely_separator(row->text);
  }
  const std::vector<std::string_view> cells = split(row->text, layout.separator);
  // A header with an empty corner, or with a cell less than the rows, says that the first column holds names.
  layout.names = cells.size() > 1 && (!is_number(cells[0]) || (empty_corner && !header.empty()) ||
                                      (!header.empty() && header.size() + 1 == cells.size()));
  layout.width = cells.size() - layout.names;
  layout.header = row->begin;
  for (const char c : text.substr(0, layout.header)) layout.header_lines += c == '\n';
  if (header.size() >= layout.width && header.size() <= layout.width + layout.names)
    for (std::size_t j = header.size() - layout.width; j < header.size(); ++j)
      layout.features.emplace_back(unquoted(header[j]));
  return layout;
}

bool LineReader::next(Buffer& block, std::size_t& bytes) {
  if (ended_ && carry_.empty()) return false;
  std::size_t filled = carry_.size();
  std::size_t goal = kTextBlock;
  block.reserve(std::max(goal, filled) + 1, 0);
  std::memcpy(block.data(), carry_.data(), filled);
  carry_.clear();
  while (true) {
    if (!ended_ && filled < goal) {
      const std::size_t got = input_.read(offset_, block.data() + filled, goal - filled);
      offset_ += got;
      ended_ = got < goal - filled;
      filled += got;
    }
    if (ended_) {
      if (filled == 0) return false;
      if (block.data()[filled - 1] != '\n') block.data()[filled++] = '\n';
      break;
    }
    const void* const last = ::memrchr(block.data(), '\n', filled);
    if (last) {
      const std::size_t whole = static_cast<std::size_t>(static_cast<const char*>(last) - block.data()) + 1;
      carry_.assign(block.data() + whole, filled - whole);
      filled = whole;
      break;
    }
    if (goal >= kLongestLine) throw Error(Error::bad_input, {"bulk.endless_line", {input_.name()}});
    goal *= 2;
    block.reserve(goal + 1, filled);
  }
  std::memset(block.data() + filled, 0, kParseSlack);
  bytes = filled;
  return true;
}

void LineReader::restart(std::uint64_t offset) {
  offset_ = offset;
  carry_.clear();
  ended_ = false;
}

std::string LineReader::head() {
  std::string text;
  Buffer block;
  std::size_t bytes;
  for (int blocks = 0; blocks < 3 && next(block, bytes); ++blocks) text.append(block.data(), bytes);
  carry_.insert(0, text);
  return text;
}

void LineReader::drop(std::size_t bytes) { carry_.erase(0, bytes); }

const char* RowParser::line_break(const char* from) const {
  return static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(end_ - from)));
}

void RowParser::skip_blanks() {
  while (*at_ == ' ' || (*at_ == '\t' && layout_.separator != '\t')) ++at_;
}

RowParser::Result RowParser::next() {
  while (at_ < end_) {
    line_ = at_;
    ++lines_;
    if (parse_line()) return Result::row;
    const char* const line_end = line_break(line_);
    at_ = line_end + 1;
    if (!trimmed(without_line_end({line_, static_cast<std::size_t>(line_end - line_)})).empty()) return Result::bad;
  }
  return Result::end;
}

bool RowParser::parse_line() {
  if (layout_.names) {
    const char* const line_end = line_break(line_);
    if (layout_.separator == ' ') skip_blanks();
    const char* const name = at_;
    at_ = cell_end(at_, line_end, layout_.separator);
    if (at_ == line_end || at_ == name) return false;
    name_ = {name, static_cast<std::size_t>(at_ - name)};
    ++at_;
  }
  const char separator = layout_.separator;
  double* const values = values_.data();
  const std::size_t width = layout_.width;
  for (std::size_t j = 0; j < width; ++j) {
    // The plain cells at once, then the next one with whatever there is around it.
    j += parse(at_, end_, {values + j, width - 1 - j}, separator);
    if (separator == ' ') skip_blanks();
    const bool last = j + 1 == width;
    const char* const after = parse(at_, end_, values[j]);
    if (after && !last && *after == separator) {
      at_ = after + 1;
    } else if (after && last && (*after == '\n' || *after == '\r')) {
      at_ = after;
    } else {
      if (!parse_cell(values[j])) return false;
      if (last || separator == ' ') continue;
      if (*at_++ != separator) return false;
    }
  }
  const char* const line_end = at_;
  if (*at_ == '\r') ++at_;
  if (at_ >= end_ || *at_ != '\n') return false;
  ++at_;
  line_end_ = {line_end, static_cast<std::size_t>(at_ - line_end)};
  return true;
}

// A cell with blanks or quotes around the number, or the last one of its row; stops after the blanks that follow.
bool RowParser::parse_cell(double& value) {
  skip_blanks();
  const bool quoted = *at_ == '"';
  at_ += quoted;
  const char* const after = parse(at_, end_, value);
  if (!after) return false;
  at_ = after;
  if (quoted && *at_++ != '"') return false;
  const char* const before_blanks = at_;
  skip_blanks();
  return at_ != before_blanks || *at_ == layout_.separator || *at_ == '\n' || *at_ == '\r';
}

BadLine RowParser::bad() const {
  const char* const line_end = line_break(line_);
  const std::string_view line = without_line_end({line_, static_cast<std::size_t>(line_end - line_)});
  BadLine result{lines_, std::string(line), line.size(), line.size(), {}};
  const auto at = [&](std::string_view cell, words::Message wrong) {
    result.begin = static_cast<std::size_t>(cell.data() - line.data());
    result.end = result.begin + cell.size();
    result.wrong = std::move(wrong);
    return result;
  };
  const std::vector<std::string_view> cells = split(line, layout_.separator);
  const std::string wanted = std::to_string(layout_.width);
  for (std::size_t j = layout_.names; j < cells.size(); ++j) {
    const std::string number = std::to_string(j + 1 - layout_.names);
    if (j - layout_.names >= layout_.width)
      return at(cells[j], {"bulk.too_many", {wanted, std::to_string(cells.size() - layout_.names)}});
    if (trimmed(cells[j]).empty()) {
      if (j + 1 == cells.size() && cells.size() - layout_.names < layout_.width) break;
      return at(cells[j], {"bulk.empty_cell", {number}});
    }
    if (!is_number(cells[j])) {
      const std::string_view cell = trimmed(cells[j]);
      return at(cell, {"bulk.not_a_number", {number, text::printable(cell.substr(0, kLongestQuote))}});
    }
  }
  result.wrong = {"bulk.too_few",
                  {wanted, std::to_string(cells.size() - std::min<std::size_t>(cells.size(), layout_.names))}};
  return result;
}

}  // namespace normtrace::bulk
