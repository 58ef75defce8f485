#include "text/rows.h"

#include <algorithm>
#include <iterator>

#include "text/commas.h"
#include "text/error.h"
#include "text/literal.h"
#include "text/ragged.h"

namespace normtrace::text {

namespace {

using Kind = Token::Kind;

// Headings of a column that holds names.
constexpr std::string_view name_headings[] = {"token",  "tokens", "name", "id",   "word", "label", "index", "row",
                                              "sample", "key",    "#",    "no",   "idx",  "名称",  "词",    "词元",
                                              "令牌",   "名字",   "样本", "编号", "序号", "索引",  "行"};

bool is_name_heading(std::string_view word) {
  std::string lower(word);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return std::find(std::begin(name_headings), std::end(name_headings), lower) != std::end(name_headings);
}

// Of extents that nobody has checked: stops where it can no longer be right.
std::size_t product(const std::vector<std::size_t>& extents) {
  std::size_t result = 1;
  for (const std::size_t extent : extents) {
    if (result > most_numbers) return result;
    result *= extent;
  }
  return result;
}

}  // namespace

std::string Rows::take_pending_name() {
  if (!pending_) return {};
  pending_ = false;
  return std::exchange(label_, {});
}

void Rows::leave_pending_name() {
  if (!pending_) return;
  if (label_must_follow_)
    context_.fail(label_span_, "input.name_without_numbers", {label_}, "input.name_without_numbers_mend");
  context_.note_once(label_span_, "input.text_ignored", {label_});
  pending_ = false;
  label_.clear();
}

void Rows::begin_named(std::uint32_t first, std::uint32_t last, bool must_follow) {
  finish();
  leave_pending_name();
  label_ = context_.name(first, last);
  label_span_ = context_.span(first, last);
  label_must_follow_ = must_follow;
  pending_ = true;
}

void Rows::begin_columns(std::uint32_t first_number) {
  const std::string_view number = context_.text(context_.token(first_number));
  const bool continues = number != "1" && number != "0";
  if (!continues) finish();
  in_columns_ = true;
  if (!rows_.empty() && continues) {
    if (left_.empty()) {
      left_ = std::move(rows_);
    } else {
      if (left_.size() != rows_.size())
        context_.fail(context_.token(first_number), "input.column_blocks", {}, "input.column_blocks_mend");
      for (std::size_t i = 0; i < rows_.size(); ++i)
        std::move(rows_[i].cells.begin(), rows_[i].cells.end(), std::back_inserter(left_[i].cells));
    }
    rows_.clear();
  }
}

void Rows::begin_slice(std::uint32_t open) {
  if (in_slice_) {
    close_slice();
  } else {
    finish();
  }
  std::vector<std::size_t> index;
  const std::uint32_t close = context_.token(open).match;
  for (std::uint32_t i = open + 1; i < close; ++i) {
    const Token& token = context_.token(i);
    if (token.kind != Kind::number) continue;
    const exact::Rational value = context_.cell(token).value;
    if (value.sign() < 0 || value > exact::Rational(static_cast<std::int64_t>(most_numbers)) || !value.is_whole())
      context_.fail(token, "input.slices_missing", {}, "input.slices_missing_mend");
    index.push_back(static_cast<std::size_t>(value.numerator().to_int64()) + 1);
  }
  if (slices_.extents.empty()) slices_.extents.assign(index.size(), 0);
  slices_.span.end = context_.token(close).end;
  if (slices_.count == 0) slices_.span.begin = context_.token(open).begin;
  for (std::size_t i = 0; i < index.size() && i < slices_.extents.size(); ++i)
    slices_.extents[i] = std::max(slices_.extents[i], index[i]);
  in_slice_ = true;
}

void Rows::set_factor(std::uint32_t number) {
  factor_ = context_.cell(context_.token(number));
  has_factor_ = true;
  context_.note({context_.token(number).begin, context_.token(number).end}, "input.common_factor",
                {std::string(context_.text(context_.token(number)))});
}

void Rows::refuse_factor() const {
  if (!has_factor_) return;
  throw Error(context_.source(), factor_.span, {"input.old_factor", {}}, {"input.old_factor_mend", {}});
}

void Rows::add_row(Row row) {
  pending_ = false;
  if (has_factor_) {
    const int places = factor_.value >= exact::Rational(1)
                           ? static_cast<int>(factor_.value.to_string().size()) - 1
                           : 1 - static_cast<int>(factor_.value.denominator().to_string().size());
    for (Cell& cell : row.cells) {
      cell.value = cell.value * factor_.value;
      cell.decimals -= places;
    }
  }
  rows_.push_back(std::move(row));
}

void Rows::read_line(std::uint32_t first, std::uint32_t last) {
  if (read_decimal_commas(first, last)) return;
  if (!split_segments(first, last)) read_segment(first, last);
}

// Several named vectors on one line, or rows parted by `;`: each part is a segment. False if the line is one.
bool Rows::split_segments(std::uint32_t first, std::uint32_t last) {
  std::vector<Range> parts;
  bool named = false;
  bool single = true;  // every part between `;` is one number
  std::uint32_t begin = first;
  std::size_t numbers = 0;
  bool semicolon = false;
  for (std::uint32_t i = first; i <= last; ++i) {
    const bool end = i == last || context_.token(i).kind == Kind::semicolon;
    const bool name_begins = !end && numbers > 0 && i + 1 < last && context_.token(i + 1).kind == Kind::assign &&
                             (context_.token(i).kind == Kind::word || context_.token(i).kind == Kind::string);
    if (!end && !name_begins) {
      if (context_.token(i).kind == Kind::number) ++numbers;
      if (context_.token(i).kind == Kind::assign) named = true;
      continue;
    }
    if (i > begin) {
      single = single && (numbers <= 1);
      std::uint32_t part_end = i;
      if (name_begins && context_.token(i - 1).kind == Kind::comma) --part_end;
      parts.push_back({begin, part_end});
    }
    if (!name_begins && i < last) semicolon = true;
    begin = name_begins ? i : i + 1;
    numbers = 0;
  }
  if (parts.size() < 2) {
    if (semicolon && parts.size() == 1) read_segment(parts[0].first, parts[0].last);
    return semicolon && parts.size() == 1;
  }
  if (semicolon && single && !named) {  // cells of a table with `;` between
    delimited_ = true;
    read_cells(delimited(first, last, Kind::semicolon), context_.span(first, last), Kind::semicolon);
    return true;
  }
  for (const Range& part : parts) read_segment(part.first, part.last);
  return true;
}

// 猫;1,5;2,25: where `;` separates and every number cell has the shape d,d (or is whole), commas are decimal.
bool Rows::read_decimal_commas(std::uint32_t first, std::uint32_t last) {
  std::size_t pairs = 0;
  std::size_t semicolons = 0;
  const std::vector<Range> cells = delimited(first, last, Kind::semicolon);
  for (const Range& cell : cells) {
    const std::uint32_t size = cell.last - cell.first;
    const bool number = size >= 1 && context_.token(cell.first).kind == Kind::number;
    if (number && size == 3 && context_.token(cell.first + 1).kind == Kind::comma &&
        context_.token(cell.first + 2).kind == Kind::number && !context_.token(cell.first + 1).gap &&
        !context_.token(cell.first + 2).gap) {
      const std::string_view digits = context_.text(context_.token(cell.first + 2));
      const std::string_view whole = context_.text(context_.token(cell.first));
      if (whole.find('.') != std::string_view::npos ||
          digits.find_first_not_of("0123456789eE") != std::string_view::npos)
        return false;
      ++pairs;
    } else if (number && size != 1) {
      return false;
    } else if (!number && cell.first != first) {
      return false;
    }
  }
  for (std::uint32_t i = first; i < last; ++i) semicolons += context_.token(i).kind == Kind::semicolon ? 1 : 0;
  if (pairs == 0 || semicolons == 0) return false;
  Row row;
  row.span = context_.span(first, last);
  for (const Range& cell : cells) {
    if (cell.first == cell.last) {
      if (cell.last == last) continue;  // a `;` at the end
      context_.fail(context_.token(cell.first), "input.empty_element", {}, "input.empty_element_mend");
    }
    const Token& token = context_.token(cell.first);
    if (token.kind != Kind::number) {
      row.name = context_.name(cell.first, cell.last);
    } else if (cell.last - cell.first == 1) {
      row.cells.push_back(context_.cell(token));
    } else {
      Literal literal;
      const Span span = context_.span(cell.first, cell.last);
      std::string written(context_.text(span));
      for (const std::string_view comma : {",", "，", "﹐", "､", "、"})
        if (const std::size_t at = written.find(comma); at != std::string::npos) written.replace(at, comma.size(), ".");
      if (!scan_literal(written, 0, literal) || literal.end != written.size())
        context_.fail(span, "input.not_a_number", {written}, "input.not_a_number_mend");
      context_.cell(token);  // the limits
      Cell value = value_of(literal);
      value.span = span;
      row.cells.push_back(std::move(value));
      context_.note_once(span, "input.decimal_comma", {std::string(context_.text(span)), written});
    }
  }
  delimited_ = true;
  add_row(std::move(row));
  return true;
}

std::vector<Rows::Range> Rows::delimited(std::uint32_t first, std::uint32_t last, Kind delimiter) const {
  std::vector<Range> cells;
  std::uint32_t begin = first;
  for (std::uint32_t i = first; i < last; ++i) {
    if (context_.token(i).kind == Kind::open) {
      i = context_.token(i).match;
      continue;
    }
    if (context_.token(i).kind != delimiter) continue;
    cells.push_back({begin, i});
    begin = i + 1;
  }
  cells.push_back({begin, last});
  return cells;
}

std::vector<Rows::Range> Rows::tabbed(std::uint32_t first, std::uint32_t last) const {
  std::vector<Range> cells;
  std::uint32_t begin = first;
  for (std::uint32_t i = first; i < last; ++i) {
    const Token& token = context_.token(i);
    if (i == first || token.tabs == 0) continue;
    if (token.tabs > 1 && !cells.empty() && token.kind == Kind::number && context_.token(i - 1).kind == Kind::number)
      context_.fail({context_.token(i - 1).end, token.begin}, "input.empty_cell", {}, "input.empty_cell_mend");
    cells.push_back({begin, i});
    begin = i;
  }
  cells.push_back({begin, last});
  return cells;
}

void Rows::read_segment(std::uint32_t first, std::uint32_t last) {
  const auto has = [&](Kind kind) {
    return std::any_of(context_.tokens().begin() + first, context_.tokens().begin() + last,
                       [&](const Token& token) { return token.kind == kind; });
  };
  const Span line = context_.span(first, last);
  if (has(Kind::bar)) {
    delimited_ = true;
    std::vector<Range> cells = delimited(first, last, Kind::bar);
    if (cells.front().first == cells.front().last) cells.erase(cells.begin());
    if (!cells.empty() && cells.back().first == cells.back().last) cells.pop_back();
    read_cells(cells, line, Kind::bar);
    return;
  }
  if (has(Kind::assign)) {
    read_assigned(first, last);
    return;
  }
  const bool tabs = std::any_of(context_.tokens().begin() + first + 1, context_.tokens().begin() + last,
                                [](const Token& token) { return token.tabs > 0; });
  if (tabs && !has(Kind::comma)) {
    delimited_ = true;
    read_cells(tabbed(first, last), line, Kind::bar);
    return;
  }
  // CSV: a comma after every cell. Where blanks separate as well, the line is `name 1, 2, 3` or bare numbers.
  const std::vector<Range> cells = delimited(first, last, Kind::comma);
  const bool csv =
      cells.size() > 1 &&
      std::all_of(cells.begin() + 1, cells.end(), [](const Range& cell) { return cell.last - cell.first <= 1; }) &&
      std::none_of(context_.tokens().begin() + cells[0].first, context_.tokens().begin() + cells[0].last,
                   [](const Token& token) { return token.kind == Kind::number && token.gap && !token.line_start; });
  if (csv) {
    delimited_ = true;
    read_cells(cells, line, Kind::comma);
    return;
  }
  read_blank_separated(first, last, {});
}

// name = numbers; x = y = numbers gives them to the last name.
void Rows::read_assigned(std::uint32_t first, std::uint32_t last) {
  std::uint32_t begin = first;
  std::uint32_t numbers = 0;
  std::uint32_t words = 0;
  std::uint32_t assign = first;
  for (std::uint32_t i = first; i < last; ++i) {
    const Token& token = context_.token(i);
    if (token.kind == Kind::number) ++numbers;
    if (token.kind == Kind::word || token.kind == Kind::string) ++words;
    if (token.kind != Kind::assign) continue;
    // 1:0.5 2:0.3 is no name with numbers.
    if (numbers > (words > 0 && assign == first ? numbers : 1) || (numbers > 0 && assign != first))
      context_.fail_not_a_number(token);
    if (assign != first && i > assign + 1) begin = assign + 1;
    assign = i;
  }
  check_number_as_name(begin, assign, last);
  leave_pending_name();
  const std::string name = context_.name(begin, assign);
  if (assign + 1 >= last)
    context_.fail(context_.span(first, last), "input.name_without_numbers", {name}, "input.name_without_numbers_mend");
  read_blank_separated(assign + 1, last, name);
}

// 1:4 and 12:30 are no names with numbers; 1: 4 5 is, and says so.
void Rows::check_number_as_name(std::uint32_t begin, std::uint32_t assign, std::uint32_t last) const {
  if (assign - begin != 1 || assign + 1 >= last || context_.token(begin).kind != Kind::number) return;
  const Token& next = context_.token(assign + 1);
  if (context_.token(assign).mark == ':' && next.kind == Kind::number && !next.gap)
    context_.fail_not_a_number(context_.token(assign));
  context_.note_place(context_.span(begin, assign), "input.read_as_name",
                      {std::string(context_.text(context_.token(begin)))});
}

// |---|:-:|
bool Rows::is_rule(const std::vector<Range>& cells) const {
  return std::all_of(cells.begin(), cells.end(), [&](const Range& cell) {
    return std::all_of(context_.tokens().begin() + cell.first, context_.tokens().begin() + cell.last,
                       [](const Token& token) { return token.kind == Kind::symbol || token.kind == Kind::assign; });
  });
}

// str, f64, i64: polars writes the types below the names.
bool Rows::is_type_row(const std::vector<Range>& cells) const {
  static constexpr std::string_view types[] = {"str", "cat", "f32", "f64", "i8",  "i16",
                                               "i32", "i64", "u8",  "u16", "u32", "u64"};
  return std::all_of(cells.begin(), cells.end(), [&](const Range& cell) {
    return std::find(std::begin(types), std::end(types), context_.name(cell.first, cell.last)) != std::end(types);
  });
}

Cell Rows::read_cell(Range cell, Kind delimiter) const {
  if (cell.first == cell.last) {
    const std::uint32_t at =
        std::min<std::uint32_t>(cell.first, static_cast<std::uint32_t>(context_.tokens().size() - 1));
    if (delimiter != Kind::comma) context_.fail(context_.token(at), "input.empty_cell", {}, "input.empty_cell_mend");
    context_.fail(context_.token(at), "input.empty_element", {}, "input.empty_element_mend");
  }
  if (cell.last - cell.first > 1) {
    for (std::uint32_t j = cell.first; j < cell.last; ++j)
      if (context_.token(j).kind != Kind::number) context_.fail_not_a_number(context_.token(j));
    context_.fail(context_.span(cell.first, cell.last), "input.two_in_a_cell", {}, "input.two_in_a_cell_mend");
  }
  return context_.cell(context_.token(cell.first));
}

// A row of a table: a name or a number in the first cell, numbers in the others; or a header.
void Rows::read_cells(const std::vector<Range>& given, Span line, Kind delimiter) {
  std::vector<Range> cells = given;
  if (delimiter != Kind::bar && cells.size() > 1 && cells.back().first == cells.back().last) cells.pop_back();  // 1, 2,
  if (cells.empty()) return;
  const auto is_number = [&](const Range& cell) {
    return cell.last - cell.first == 1 && context_.is_numeric(context_.token(cell.first));
  };
  const bool header_names = is_named_by_header(cells.size());
  const bool any_number = std::any_of(cells.begin() + 1, cells.end(), [&](const Range& cell) {
    return cell.first < cell.last && context_.is_numeric(context_.token(cell.first));
  });
  if (is_rule(cells)) return;
  if (!any_number && !is_number(cells[0]) && rows_.empty()) {
    if (!header_.empty() && is_type_row(cells)) return;
    header_.clear();
    for (const Range& cell : cells) header_.push_back(context_.name(cell.first, cell.last));
    header_empty_first_ = cells[0].first == cells[0].last;
    return;
  }
  Row row;
  row.span = line;
  std::size_t begin = 0;
  if (header_names || !is_number(cells[0])) {
    row.name = context_.name(cells[0].first, cells[0].last);
    numbers_as_names_ =
        numbers_as_names_ || (is_number(cells[0]) && context_.token(cells[0].first).kind == Kind::number);
    if (!header_names && cells[0].first < cells[0].last)
      context_.check_name(cells[0].first, cells[0].last, follows_name());
    begin = 1;
  }
  for (std::size_t i = begin; i < cells.size(); ++i) row.cells.push_back(read_cell(cells[i], delimiter));
  if (delimiter == Kind::comma && begin < cells.size()) note_commas(context_, cells[begin].first, cells.back().last);
  if (row.cells.empty())
    context_.fail(line, "input.name_without_numbers", {row.name}, "input.name_without_numbers_mend");
  // A header of numbers: token,0,1,2 or ,0,1,2.
  if (rows_.empty() && header_.empty() && begin == 1 && (row.name.empty() || is_name_heading(row.name))) {
    bool counts = true;
    const exact::Rational start = row.cells[0].value;
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      counts = counts && row.cells[i].value == start + exact::Rational(static_cast<std::int64_t>(i));
    if (counts && (start.is_zero() || start.is_one())) {
      header_.push_back(row.name);
      for (const Cell& cell : row.cells) header_.emplace_back(context_.text(cell.span));
      header_empty_first_ = row.name.empty();
      counting_header_ = std::move(row);
      return;
    }
  }
  if (counting_header_) context_.note(counting_header_->span, "input.counting_header");
  counting_header_.reset();
  add_row(std::move(row));
}

// 猫 1 2 3; 1, 2, 3; 1 2, 3 4. Words before the first number are the name.
void Rows::read_blank_separated(std::uint32_t first, std::uint32_t last, std::string name) {
  Row row;
  row.span = context_.span(first, last);
  std::uint32_t i = first;
  while (i < last && !context_.is_numeric(context_.token(i)) && context_.token(i).kind != Kind::comma) {
    const Token& token = context_.token(i);
    const bool glued_next = i + 1 < last && !context_.token(i + 1).gap;
    if (token.kind == Kind::symbol && token.mark != '-' && !(token.line_start && !glued_next)) {
      if (i > first || i + 1 >= last) break;
    }
    ++i;
  }
  if (i > first) {
    if (!name.empty()) context_.fail_not_a_number(context_.token(first));
    if (i < last) context_.check_name(first, i, follows_name());
    name = context_.name(first, i);
  }
  if (i == last) {
    if (rows_.empty() && header_.empty() && i > first) {
      for (std::uint32_t j = first; j < last; ++j) header_.push_back(context_.name(j, j + 1));
      return;
    }
    context_.fail(row.span, "input.name_without_numbers", {name}, "input.name_without_numbers_mend");
  }
  row.name = std::move(name);
  bool had_value = i > first;  // `猫, 1, 2` is a CSV line with blanks
  for (; i < last; ++i) {
    const Token& token = context_.token(i);
    if (token.kind == Kind::comma) {
      if (!had_value)
        context_.fail(token, row.cells.empty() ? "input.leading_comma" : "input.empty_element", {},
                      "input.empty_element_mend");
      had_value = false;
      continue;
    }
    if (had_value && !row.cells.empty() && token.kind == Kind::number && context_.token(i - 1).kind == Kind::number) {
      const std::string_view left = context_.text(context_.token(i - 1));
      const std::string_view right = context_.text(token);
      if (right.size() == 3 && left.size() <= 3 && right.find_first_not_of("0123456789") == std::string_view::npos &&
          (right[0] == '0' || token.tight_blank))
        context_.fail({context_.token(i - 1).begin, token.end}, "input.digit_groups",
                      {std::string(context_.text({context_.token(i - 1).begin, token.end}))},
                      "input.digit_groups_mend");
    }
    row.cells.push_back(context_.cell(token));
    had_value = true;
  }
  note_commas(context_, first, last);
  add_row(std::move(row));
}

void Rows::read_indexed(std::uint32_t first, std::uint32_t last, bool wraps) {
  if (wraps && !rows_.empty() && indexed_) {
    Row more;
    const std::size_t before = rows_.size();
    read_blank_separated(first, last, {});
    more = std::move(rows_[before]);
    rows_.pop_back();
    std::move(more.cells.begin(), more.cells.end(), std::back_inserter(rows_.back().cells));
    return;
  }
  indexed_ = wraps;
  read_blank_separated(first, last, {});
}

void Rows::read_item(std::uint32_t first, std::uint32_t last, bool new_row) {
  items_ = true;
  if (last - first != 1) context_.fail_not_a_number(context_.token(first));
  const bool in_row = !rows_.empty() && !new_row;
  const Cell cell = context_.cell(context_.token(first));
  if (in_row) {
    rows_.back().cells.push_back(cell);
    rows_.back().span.end = cell.span.end;
    return;
  }
  add_row({{}, {cell}, cell.span});
}

void Rows::read_vector_cells(std::uint32_t first, std::uint32_t last) {
  std::vector<Range> cells = delimited(first, last, Kind::bar);
  if (cells.front().first == cells.front().last) cells.erase(cells.begin());
  if (!cells.empty() && cells.back().first == cells.back().last) cells.pop_back();
  pending_ = false;
  std::string name;
  std::size_t column = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::uint32_t open = cells[i].first;
    while (open < cells[i].last && context_.token(open).kind != Kind::open) ++open;
    if (open == cells[i].last) {
      if (i == 0) name = context_.name(cells[i].first, cells[i].last);
      continue;  // a number or word beside the vectors is no part of them
    }
    Document part;
    std::swap(part, context_.document());
    groups_.emit(open, name);
    std::swap(part, context_.document());
    std::move(part.remarks.begin(), part.remarks.end(), std::back_inserter(context_.document().remarks));
    if (part.arrays.size() != 1 || part.arrays[0].shape.size() != 1)
      context_.fail(context_.span(cells[i].first, cells[i].last), "input.not_a_vector", {}, "input.not_a_vector_mend");
    if (columns_of_vectors_.size() <= column) {
      columns_of_vectors_.emplace_back();
      columns_of_vectors_.back().header = i < header_.size() ? header_[i] : "";
      columns_of_vectors_.back().array = std::move(part.arrays[0]);
      Array& array = columns_of_vectors_.back().array;
      array.shape = {1, array.cells.size()};
      array.rows = {name};
    } else {
      Array& array = columns_of_vectors_[column].array;
      const WrittenRow rows[] = {{array.source, std::span(array.cells).last(array.width()), array.rows.back()},
                                 {array.source, part.arrays[0].cells, name}};
      require_equal_lengths(rows);
      std::move(part.arrays[0].cells.begin(), part.arrays[0].cells.end(), std::back_inserter(array.cells));
      ++array.shape[0];
      array.rows.push_back(name);
      array.span.end = part.arrays[0].span.end;
    }
    ++column;
  }
}

void Rows::emit_vector_columns() {
  if (columns_of_vectors_.empty()) return;
  std::vector<VectorColumn> columns = std::move(columns_of_vectors_);
  columns_of_vectors_.clear();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    Array& array = columns[i].array;
    array.name = columns[i].header;
    array.further_column = i > 0;
    if (array.shape[0] == 1) {
      array.shape = {array.shape[1]};
      if (!array.rows[0].empty()) array.name = array.rows[0];
      array.rows.clear();
    }
    context_.document().arrays.push_back(std::move(array));
  }
  if (columns.size() > 1)
    context_.note(context_.document().arrays.back().span, "input.further_columns", {columns[0].header});
}

// The first column of a print of pandas or R, or of a CSV file with an index, is no data.
bool Rows::header_names_first_column() const {
  if (header_.empty() || rows_.empty() || delimited_) return false;
  const std::size_t width = rows_[0].cells.size();
  const bool unnamed = std::all_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.name.empty(); });
  if (!unnamed || width < 2) return false;
  return header_.size() + 1 == width || (header_.size() == width && is_name_heading(header_[0]));
}

bool Rows::is_named_by_header(std::size_t cells) const {
  return header_.size() == cells && cells > 1 && (header_empty_first_ || is_name_heading(header_[0]));
}

// The first line of a print of pandas whose columns have no names but 0, 1, 2: it has no index, or the rows have names.
void Rows::take_counting_header() {
  if (!header_.empty() || delimited_ || rows_.size() < 2 || !rows_[0].name.empty()) return;
  const auto counts = [](const Cell& cell, std::size_t i) {
    return !cell.point && cell.value == exact::Rational(static_cast<std::int64_t>(i));
  };
  const std::vector<Cell>& columns = rows_[0].cells;
  const bool named = !rows_[1].name.empty();
  const std::size_t width = columns.size() + (named ? 0 : 1);
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (!counts(columns[i], i)) return;
  for (std::size_t row = 1; row < rows_.size(); ++row) {
    const bool fits = rows_[row].cells.size() == width && rows_[row].name.empty() != named;
    if (!fits || (!named && !counts(rows_[row].cells[0], row - 1))) return;
  }
  context_.note(rows_[0].span, "input.counting_header");
  for (const Cell& cell : columns) header_.emplace_back(context_.text(cell.span));
  rows_.erase(rows_.begin());
}

void Rows::take_index_column() {
  if (numbers_as_names_) context_.note(rows_[0].span, "input.index_column");
  if (!header_names_first_column()) return;
  context_.note(rows_[0].cells[0].span, "input.index_column");
  for (Row& row : rows_) {
    row.name = context_.text(row.cells[0].span);
    row.cells.erase(row.cells.begin());
  }
}

void Rows::close_slice() {
  if (rows_.empty()) return;
  std::vector<std::size_t> shape{rows_.size(), rows_[0].cells.size()};
  std::vector<std::size_t> begins;
  std::vector<Cell> cells;
  for (Row& row : rows_) {
    begins.push_back(cells.size());
    std::move(row.cells.begin(), row.cells.end(), std::back_inserter(cells));
  }
  require_equal_lengths(context_.source(), cells, begins);
  if (slices_.count > 0 && slices_.shape != shape)
    context_.fail(slices_.span, "input.uneven_shape", {std::to_string(slices_.count + 1)}, "input.ragged_mend");
  slices_.shape = shape;
  slices_.span.end = rows_.back().span.end;
  std::move(cells.begin(), cells.end(), std::back_inserter(slices_.cells));
  ++slices_.count;
  rows_.clear();
}

// 0, 1, 2 that nothing follows is data after all.
void Rows::settle_counting_header() {
  if (!counting_header_) return;
  Row row = std::move(*counting_header_);
  counting_header_.reset();
  header_.clear();
  if (row.name.empty())
    context_.fail({row.span.begin, row.span.begin + 1}, "input.leading_comma", {}, "input.empty_element_mend");
  add_row(std::move(row));
}

void Rows::emit_rows() {
  if (!left_.empty()) {
    if (left_.size() != rows_.size())
      context_.fail(left_[0].span, "input.column_blocks", {}, "input.column_blocks_mend");
    for (std::size_t i = 0; i < rows_.size(); ++i)
      std::move(rows_[i].cells.begin(), rows_[i].cells.end(), std::back_inserter(left_[i].cells));
    rows_ = std::move(left_);
    left_.clear();
  }
  if (rows_.empty()) return;
  take_counting_header();
  take_index_column();
  Array array;
  array.source = context_.source();
  array.span = {rows_.front().span.begin, rows_.back().span.end};
  array.batch = context_.batch;
  array.name = label_;
  std::vector<std::size_t> begins;
  bool named = false;
  for (Row& row : rows_) {
    named = named || !row.name.empty();
    begins.push_back(array.cells.size());
    array.rows.push_back(row.name);
    std::move(row.cells.begin(), row.cells.end(), std::back_inserter(array.cells));
  }
  require_equal_lengths(context_.source(), array.cells, begins, array.rows);
  const std::size_t width = array.cells.size() / rows_.size();
  if (rows_.size() == 1) {
    array.shape = {width};
    if (named) array.name = array.rows[0];
  } else if (width == 1 && !named) {
    array.shape = {rows_.size()};
    if (array.name.empty() && header_.size() == 1) array.name = header_[0];
    if (!items_) context_.note(array.span, "input.column", {std::to_string(rows_.size())});
  } else {
    array.shape = {rows_.size(), width};
  }
  if (!named || array.shape.size() == 1) array.rows.clear();
  const Role role = role_of(array.name);
  if (role == Role::running_mean || role == Role::running_var) {
    array.role = role;
    context_.note(array.span, "input.statistic", {array.name});
  }
  context_.document().arrays.push_back(std::move(array));
  rows_.clear();
}

void Rows::finish() {
  if (in_slice_) {
    close_slice();
    Array array;
    array.source = context_.source();
    array.span = slices_.span;
    array.batch = context_.batch;
    array.name = label_;
    // Slices are counted from 0 or from 1.
    array.shape = slices_.extents;
    if (product(array.shape) != slices_.count)
      for (std::size_t& extent : array.shape) --extent;
    if (product(array.shape) != slices_.count || slices_.count == 0)
      context_.fail(slices_.span, "input.slices_missing", {}, "input.slices_missing_mend");
    array.shape.insert(array.shape.end(), slices_.shape.begin(), slices_.shape.end());
    array.cells = std::move(slices_.cells);
    context_.document().arrays.push_back(std::move(array));
    slices_ = {};
    in_slice_ = false;
    label_.clear();
  }
  settle_counting_header();
  const bool had_rows = !rows_.empty() || !left_.empty();
  emit_rows();
  emit_vector_columns();
  if (had_rows) label_.clear();
  header_.clear();
  delimited_ = items_ = indexed_ = in_columns_ = has_factor_ = header_empty_first_ = numbers_as_names_ = false;
}

void Rows::finish_series() {
  const auto counts = [&](const Row& row) {
    return row.name.empty() && row.cells.size() == 2 &&
           row.cells[0].value == exact::Rational(static_cast<std::int64_t>(&row - rows_.data()));
  };
  const bool named = std::all_of(rows_.begin(), rows_.end(),
                                 [](const Row& row) { return !row.name.empty() && row.cells.size() == 1; });
  if (rows_.empty() || !header_.empty() || !(named || std::all_of(rows_.begin(), rows_.end(), counts))) return;
  for (Row& row : rows_) {
    row.name.clear();
    if (!named) row.cells.erase(row.cells.begin());
  }
  items_ = true;
  finish();
}

void Rows::finish_with_shape(std::vector<std::size_t> shape) {
  if (in_slice_) {
    finish();
    return;
  }
  items_ = true;  // the shape is known: no remark about a column
  const std::size_t before = context_.document().arrays.size();
  finish();
  if (context_.document().arrays.size() != before + 1) return;
  Array& array = context_.document().arrays.back();
  const std::size_t count = product(shape);
  if (count != array.cells.size() || shape.empty())
    context_.fail(array.span, "input.shape_mismatch", {std::to_string(array.cells.size()), std::to_string(count)},
                  "input.shape_mismatch_mend");
  array.shape = std::move(shape);
}

}  // namespace normtrace::text
