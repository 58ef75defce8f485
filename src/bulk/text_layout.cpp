#include "bulk/text_layout.h"

#include <algorithm>
#include <span>

#include "bulk/error.h"
#include "bulk/statistics_file.h"
#include "bulk/text_cells.h"
#include "text/characters.h"
#include "words/utf8.h"

namespace normtrace::bulk {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kSeparatorLine = "sep=";  // and one character: what Excel writes and reads
constexpr std::size_t kLinesLookedAt = 20;
// Words that stand where a number is missing, and those that a column of row numbers is called.
constexpr std::string_view kMissing[] = {"na", "n/a", "#n/a", "null", "none", "nil", "missing"};
constexpr std::string_view kIndices[] = {"id", "idx", "index", "no", "no.", "row", "序号", "编号", "行号"};

using Cells = std::vector<std::string_view>;

bool is_whole(std::string_view cell) {
  return !cell.empty() && std::ranges::all_of(cell, [](char c) { return c >= '0' && c <= '9'; });
}

// The characters of a cell with full-width digits, signs and brackets as ASCII; those of no UTF-8 as letters.
std::u32string characters_of(std::string_view cell) {
  std::u32string characters;
  for (std::size_t at = 0; at < cell.size();) {
    if (!words::decode(cell, at).valid) {
      characters += U'\xE9';
      ++at;
      continue;
    }
    const text::Character character = text::character_at(cell, at);
    if (!character.dropped) characters += character.code;
    at += character.length;
  }
  return characters;
}

// A header or a name: it has a letter, and does not begin as a number does, after brackets, signs or currencies.
bool is_word(std::string_view cell) {
  if (trimmed(cell).starts_with('"') && trimmed(cell) == unquoted(cell))
    return false;  // a quotation mark without another
  const std::u32string characters = characters_of(unquoted(cell));
  const auto is_letter = [](char32_t c) { return !text::is_digit(c) && c != '_' && text::is_word_character(c); };
  const auto first = std::ranges::find_if(
      characters, [&](char32_t c) { return text::is_digit(c) || text::is_word_character(c) || is_letter(c); });
  return first != characters.end() && !text::is_digit(*first) && std::any_of(first, characters.end(), is_letter);
}
std::string lower(std::string_view cell) {
  std::string result(cell);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}
bool is_missing(std::string_view cell) {
  return std::ranges::find(kMissing, lower(unquoted(cell))) != std::end(kMissing);
}
bool is_name(std::string_view cell) { return is_word(cell) && !is_missing(cell) && !holds_name_and_number(cell); }
bool is_word_for_index(std::string_view cell) {
  return std::ranges::find(kIndices, lower(unquoted(cell))) != std::end(kIndices);
}
bool is_word_or_empty(std::string_view cell) { return trimmed(cell).empty() || is_word(cell); }

std::span<const std::string_view> rest_of(const Cells& cells) {
  return std::span(cells).subspan(cells.size() > 1 ? 1 : 0);
}

// A name, perhaps, and numbers.
bool is_row(const Cells& cells) { return std::ranges::all_of(rest_of(cells), is_number); }

// Whether these cells are first, first + 1, … and so many that they may be places instead of values.
template <class Cell>
bool count_up(std::size_t size, std::size_t first, Cell cell) {
  constexpr std::size_t kFewest[] = {3, 5};  // from 0, as programs count, sooner than from 1
  if (size < kFewest[first]) return false;
  for (std::size_t i = 0; i < size; ++i)
    if (unquoted(cell(i)) != std::to_string(first + i)) return false;
  return true;
}

struct Line {
  std::string_view text;
  std::size_t begin;
  std::size_t next;
};
// The first line from `begin` on that is not blank.
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

char separator_of(std::span<const Line> lines) {
  char best = 0;
  std::ptrdiff_t most = 0;
  for (const char separator : {',', '\t', ';', ' '}) {
    const std::ptrdiff_t rows = std::ranges::count_if(lines, [&](const Line& line) {
      const Cells cells = cells_of(line.text, separator);
      return cells.size() > 1 && is_row(cells);
    });
    if (rows > most) {
      most = rows;
      best = separator;
    }
  }
  if (best) return best;
  // No row can be read: one with ';' has decimal commas, one without any has a number alone.
  for (const char separator : {';', ',', '\t'})
    if (lines.back().text.find(separator) != std::string_view::npos) return separator;
  return ' ';
}

// Files that are often taken for tables, and how to make one of them.
void refuse_no_text(std::string_view text, const std::string& source) {
  const auto refuse = [&](const char* wrong, const char* mend) {
    throw Error(Error::bad_input, {wrong, {source}}, {mend, {}});
  };
  for (const std::string_view mark : {"\xFF\xFE", "\xFE\xFF"})
    if (text.starts_with(mark)) refuse("bulk.utf16", "bulk.utf16_mend");
  if (text.starts_with("\x1F\x8B")) refuse("bulk.gzip", "bulk.gzip_mend");
  if (text.starts_with("PK\x03\x04")) refuse("bulk.zip", "bulk.zip_mend");
  if (text.starts_with(kStatisticsLine)) refuse("bulk.is_statistics", "bulk.is_statistics_mend");
  if (text.find('\0') != std::string_view::npos) refuse("bulk.binary_text", "bulk.say_format");
  const std::size_t line_end = text.find_first_of("\r\n");
  if (line_end != std::string_view::npos && line_end + 1 < text.size() && text[line_end] == '\r' &&
      text[line_end + 1] != '\n' && text.find('\n') >= text.size() - 1)
    refuse("bulk.lone_returns", "bulk.lone_returns_mend");
}

// Whether the first line is the "COUNT WIDTH" of word2vec and fastText: the rows have a name and WIDTH numbers. Two whole
// numbers before rows of numbers alone may be a short row as well.
bool is_count(const std::vector<Cells>& lines) {
  if (lines.size() < 2 || lines[0].size() != 2 || !is_whole(lines[0][0]) || !is_whole(lines[0][1])) return false;
  return lines[1].size() == std::stoull(std::string(lines[0][1]).substr(0, 18)) + 1 &&
         std::any_of(lines.begin() + 1, lines.end(), [](const Cells& row) { return !is_number(row[0]); });
}

// The first lines that may be a header or rows, and what parts their cells.
struct Beginning {
  std::vector<Line> lines;
  std::vector<Cells> cells;
  char separator = ' ';
};
Beginning beginning_of(std::string_view text, char separator) {
  Beginning result;
  const std::size_t start = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (auto line = line_at(text, start); line && result.lines.size() < kLinesLookedAt;
       line = line_at(text, line->next)) {
    const bool first = result.lines.empty();
    if (first && line->text.starts_with(kSeparatorLine) && line->text.size() == kSeparatorLine.size() + 1) {
      if (!separator) separator = line->text.back();
      continue;
    }
    // "# …" is a comment where a row of numbers cannot begin so: in the vectors of words, '#' is a word.
    if (first && trimmed(line->text).starts_with('#')) {
      const Cells cells = cells_of(line->text, separator ? separator : separator_of({&*line, 1}));
      if (cells.size() < 2 || !is_row(cells)) continue;
    }
    result.lines.push_back(*line);
  }
  if (result.lines.empty()) return result;
  result.separator = separator ? separator : separator_of(result.lines);
  for (const Line& line : result.lines) result.cells.push_back(cells_of(line.text, result.separator));
  return result;
}

// What the first line is, if it is no row.
struct Heading {
  bool counts = false;        // "COUNT WIDTH"
  bool header = false;        // names of the features
  bool empty_corner = false;  // nothing above the first cells
  bool lacks_a_cell = false;  // has one less than the rows; a title of one word does not

  Heading(const std::vector<Cells>& lines, const std::optional<bool>& wish) : counts(!wish && is_count(lines)) {
    const Cells& first = lines[0];
    const auto begins = [](const Cells& some) { return !unquoted(some[0]).empty(); };
    const bool corner = first.size() > 1 && !begins(first) && std::ranges::any_of(lines, begins);
    const bool words = std::ranges::all_of(first, is_word_or_empty) && std::ranges::any_of(first, is_word);
    header = !counts && wish.value_or(corner || (words && !is_row(first)));
    empty_corner = header && corner;
    lacks_a_cell = header && lines.size() > 1 && first.size() > 1 && first.size() + 1 == lines[1].size();
  }
  [[nodiscard]] std::size_t lines() const { return counts || header ? 1 : 0; }
};

// Whether the first cells themselves say that they are names.
bool begin_with_names(std::span<const Cells> rows) {
  const auto count = [&](auto property) { return static_cast<std::size_t>(std::ranges::count_if(rows, property)); };
  return !is_number(rows[0][0]) && count([](const Cells& some) { return is_row(some) && is_name(some[0]); }) > 0 &&
         2 * count([](const Cells& some) { return is_number(some[0]); }) < rows.size();
}

// What could be meant otherwise.
std::vector<words::Message> remarks_on(const TextLayout& layout, const LayoutWishes& wishes, const Heading& heading,
                                       const Cells& first, std::span<const Cells> rows) {
  std::vector<words::Message> remarks;
  const auto feature = [&](std::size_t j) { return rows[0][j + layout.names]; };
  if (heading.lines() == 0 && !wishes.header && rows.size() > 1 && count_up(layout.width, 0, feature))
    remarks.push_back({"bulk.counting_row", {}});
  const auto first_cell = [&](std::size_t i) { return rows[i][0]; };
  if (layout.maybe_names && (count_up(rows.size(), 0, first_cell) || count_up(rows.size(), 1, first_cell) ||
                             (heading.header && is_word_for_index(first[0]))))
    remarks.push_back({"bulk.counting_column", {}});
  if (heading.lacks_a_cell && !wishes.names && !begin_with_names(rows)) remarks.push_back({"bulk.names_by_header", {}});
  return remarks;
}

}  // namespace

TextLayout read_layout(std::string_view text, const LayoutWishes& wishes, const std::string& source) {
  TextLayout layout;
  refuse_no_text(text, source);
  const auto without_rows = [&] {
    if (!wishes.may_be_empty) throw Error(Error::bad_input, {"bulk.no_rows", {source}});
    layout.header = text.size();
    return layout;
  };
  const Beginning beginning = beginning_of(text, wishes.separator);
  const auto& [lines, cells, separator] = beginning;
  if (lines.empty()) return without_rows();
  layout.separator = separator;
  const Cells& first = cells[0];
  const Heading heading(cells, wishes.header);
  const std::size_t row = heading.lines();
  if (row == lines.size()) return without_rows();

  const std::span<const Cells> rows = std::span(cells).subspan(row);
  const bool names_above = heading.counts || heading.empty_corner || heading.lacks_a_cell;
  layout.names = rows[0].size() > 1 && wishes.names.value_or(names_above || begin_with_names(rows));
  layout.width = rows[0].size() - layout.names;
  layout.maybe_header = !wishes.header && row == 0 && !is_row(rows[0]);
  layout.maybe_names = !wishes.names && !layout.names && rows[0].size() > 1;

  if (heading.counts) layout.rows = std::stoull(std::string(first[0]).substr(0, 18));
  layout.header = lines[row].begin;
  layout.header_lines = static_cast<std::uint64_t>(std::ranges::count(text.substr(0, layout.header), '\n'));
  if (heading.header && first.size() >= layout.width && first.size() <= layout.width + layout.names)
    for (const std::string_view cell : std::span(first).last(layout.width))
      layout.features.emplace_back(unquoted(cell));
  layout.remarks = remarks_on(layout, wishes, heading, first, rows);
  return layout;
}

}  // namespace normtrace::bulk
