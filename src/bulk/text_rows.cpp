#include "bulk/text_rows.h"

#include <algorithm>

#include "bulk/error.h"
#include "bulk/text_cells.h"
#include "text/characters.h"
#include "text/error.h"
#include "words/utf8.h"

namespace normtrace::bulk {

namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 30;
constexpr std::size_t kLongestQuote = 40;  // bytes of a wrong cell that a message repeats

// What a cell is instead of a number, where the way to mend it is known.
const char* reason(std::string_view cell, bool first) {
  std::string pointed(cell);
  std::ranges::replace(pointed, ',', '.');
  if (is_number(pointed)) return "bulk.decimal_comma";
  if (first && holds_name_and_number(cell)) return "bulk.name_and_number";
  if (cell.front() == '"' && (cell.size() == 1 || cell.back() != '"')) return "bulk.open_quote";
  std::string ascii;
  for (std::size_t at = 0; at < cell.size();) {
    if (!words::decode(cell, at).valid) return "bulk.not_a_number";
    const text::Character character = text::character_at(cell, at);
    if (character.code < 0x80 && !character.dropped) ascii += static_cast<char>(character.code);
    at += character.length;
  }
  return is_number(ascii) ? "bulk.typographic_number" : "bulk.not_a_number";
}

}  // namespace

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
  BadLine result{lines_, std::string(line), line.size(), line.size(), 0, {}};
  const auto at = [&](std::size_t j, std::string_view cell, words::Message wrong) {
    result.begin = static_cast<std::size_t>(cell.data() - line.data());
    result.end = result.begin + cell.size();
    result.cell = j;
    result.wrong = std::move(wrong);
    return result;
  };
  const std::vector<std::string_view> cells = cells_of(line, layout_.separator);
  const std::string wanted = std::to_string(layout_.width);
  for (std::size_t j = layout_.names; j < cells.size(); ++j) {
    const std::string number = std::to_string(j + 1 - layout_.names);
    if (j - layout_.names >= layout_.width)
      return at(j, cells[j], {"bulk.too_many", {wanted, std::to_string(cells.size() - layout_.names)}});
    if (trimmed(cells[j]).empty()) {
      if (j + 1 == cells.size() && cells.size() - layout_.names < layout_.width) break;
      return at(j, cells[j], {"bulk.empty_cell", {number}});
    }
    if (!is_number(cells[j])) {
      const std::string_view cell = trimmed(cells[j]);
      return at(j, cell, {reason(cell, j == 0), {number, text::printable(cell.substr(0, kLongestQuote))}});
    }
  }
  result.wrong = {"bulk.too_few",
                  {wanted, std::to_string(cells.size() - std::min<std::size_t>(cells.size(), layout_.names))}};
  return result;
}

}  // namespace normtrace::bulk
