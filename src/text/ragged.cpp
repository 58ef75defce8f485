#include "text/ragged.h"

#include <algorithm>
#include <map>

#include "text/error.h"

namespace normtrace::text {

namespace {

constexpr std::string_view full_width_comma = "，";

std::string_view written(const WrittenRow& row, const Cell& cell) {
  return std::string_view(row.source->text).substr(cell.span.begin, cell.span.end - cell.span.begin);
}

std::string_view between(const WrittenRow& row, std::size_t left) {
  const std::uint32_t begin = row.cells[left].span.end;
  return std::string_view(row.source->text).substr(begin, row.cells[left + 1].span.begin - begin);
}

bool is_whole(std::string_view number, bool sign) {
  if (sign && (number[0] == '-' || number[0] == '+')) number.remove_prefix(1);
  return number.find_first_not_of("0123456789") == std::string_view::npos;
}

// 2,0 without a blank.
bool could_be_decimal_comma(const WrittenRow& row, std::size_t left) {
  const std::string_view gap = between(row, left);
  return (gap == "," || gap == full_width_comma) && is_whole(written(row, row.cells[left]), true) &&
         is_whole(written(row, row.cells[left + 1]), false);
}

// The first 2,0 of the row as it is written, if numbers of this form explain that the row is longer than `usual`: it has
// points or other separators as well, or it is made of such pairs alone.
std::string comma_typed_for_point(const WrittenRow& row, std::size_t usual) {
  if (row.cells.size() <= usual) return {};
  std::string first;
  std::size_t pairs = 0;
  bool otherwise = row.cells.size() == 2 * usual;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    otherwise = otherwise || row.cells[i].point;
    if (i + 1 == row.cells.size()) break;
    if (!could_be_decimal_comma(row, i)) {
      otherwise = true;
      continue;
    }
    if (first.empty())
      first = std::string_view(row.source->text)
                  .substr(row.cells[i].span.begin, row.cells[i + 1].span.end - row.cells[i].span.begin);
    ++pairs;
    ++i;
  }
  return otherwise && pairs >= row.cells.size() - usual ? first : std::string();
}

words::Message how_to_mend(const WrittenRow& row, std::size_t usual) {
  const std::string typed = comma_typed_for_point(row, usual);
  if (typed.empty()) return {"input.ragged_mend", {}};
  const std::size_t ascii = typed.find(',');
  std::string meant = typed;
  if (ascii != std::string::npos) {
    meant[ascii] = '.';
  } else {
    meant.replace(meant.find(full_width_comma), full_width_comma.size(), ".");
  }
  return {"input.comma_for_point_mend", {typed, meant}};
}

}  // namespace

void require_equal_lengths(std::span<const WrittenRow> rows) {
  std::map<std::size_t, std::size_t> times;
  for (const WrittenRow& row : rows) ++times[row.cells.size()];
  if (times.size() <= 1) return;
  // The length that most rows have is taken for the right one; of two equally frequent ones the shorter, since a comma
  // typed for a point makes a row longer.
  const std::size_t usual = std::max_element(times.begin(), times.end(), [](const auto& x, const auto& y) {
                              return x.second < y.second;
                            })->first;
  const auto odd =
      std::find_if(rows.begin(), rows.end(), [&](const WrittenRow& row) { return row.cells.size() != usual; });
  const auto other =
      std::find_if(rows.begin(), rows.end(), [&](const WrittenRow& row) { return row.cells.size() == usual; });
  const auto called = [&](auto row) {
    return row->name.empty() ? std::to_string(row - rows.begin() + 1) : printable(row->name);
  };
  const bool numbered = odd->name.empty() && other->name.empty();
  throw Error(odd->source, {odd->cells.front().span.begin, odd->cells.back().span.end},
              {numbered ? "input.ragged" : "input.ragged_names",
               {called(odd), std::to_string(odd->cells.size()), called(other), std::to_string(usual)}},
              how_to_mend(*odd, usual));
}

void require_equal_lengths(const SourcePointer& source, std::span<const Cell> cells,
                           std::span<const std::size_t> begins, std::span<const std::string> names) {
  std::vector<WrittenRow> rows;
  rows.reserve(begins.size());
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : cells.size();
    rows.push_back({source, cells.subspan(begins[i], end - begins[i]),
                    i < names.size() ? std::string_view(names[i]) : std::string_view()});
  }
  require_equal_lengths(rows);
}

}  // namespace normtrace::text
