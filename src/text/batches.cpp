#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "text/context.h"
#include "text/read.h"

namespace normtrace::text {

namespace {

using exact::Integer;

// Numbers × bits of their common denominator: what an exact sum of them may have to hold.
constexpr std::uint64_t largest_common_size = std::uint64_t{1} << 32;

// The arrays of one batch put below each other.
class Batch {
 public:
  Batch(Document& document, std::vector<const Array*> arrays) : document_(document), arrays_(std::move(arrays)) {}

  tensor::Tensor assemble() {
    check_levels();
    check_lengths();
    for (const Array* array : arrays_) add(*array);
    tensor_.shape = shape();
    tensor_.listed = std::ranges::all_of(
        arrays_, [](const Array* array) { return array->shape.size() == 1 || !array->rows.empty(); });
    note_equal_names();
    check_common_denominator();
    return std::move(tensor_);
  }

 private:
  [[nodiscard]] const Array& front() const { return *arrays_.front(); }

  void check_levels() const {
    if (arrays_.size() == 1) return;
    for (const Array* array : arrays_)
      if (array->shape.size() > 2)
        throw Error(*array->source, array->span, {"input.levels_mixed", {std::to_string(array->shape.size())}},
                    {"input.levels_mixed_mend", {}});
  }

  // Rows of different lengths may come from different sources; the message shows the odd one in its own.
  void check_lengths() const {
    std::vector<RowShape> rows;
    std::vector<Cell> cells;
    std::size_t number = 0;
    for (const Array* array : arrays_) {
      const std::size_t width = array->width();
      const std::size_t count = array->cells.size() / width;
      ++number;
      rows.push_back({array->name.empty() ? std::to_string(number) : array->name, 0, width});
      number += count - 1;
    }
    const auto odd = usual_length(rows);
    if (odd.first == rows.size()) return;
    const Array& array = *arrays_[odd.first];
    // The row itself and one of the usual length, as require_equal_lengths wants them.
    std::vector<Cell> own(array.cells.begin(), array.cells.begin() + static_cast<std::ptrdiff_t>(array.width()));
    rows[odd.first].first = 0;
    RowShape usual = rows[odd.second];
    RowShape again = usual;
    require_equal_lengths(*array.source, own, {usual, rows[odd.first], again});
  }
  // Indices of a row that differs from the usual length and of one that has it; the first is rows.size() if none differs.
  static std::pair<std::size_t, std::size_t> usual_length(const std::vector<RowShape>& rows) {
    std::unordered_map<std::size_t, std::size_t> count;
    for (const RowShape& row : rows) ++count[row.length];
    std::size_t usual = rows[0].length;
    for (const auto& [length, times] : count)
      if (times > count[usual] || (times == count[usual] && length < usual)) usual = length;
    std::size_t odd = rows.size();
    std::size_t regular = 0;
    for (std::size_t i = rows.size(); i-- > 0;) (rows[i].length == usual ? regular : odd) = i;
    return {odd, regular};
  }

  void add(const Array& array) {
    const std::size_t count = array.cells.size() / array.width();
    for (std::size_t row = 0; row < count; ++row) {
      const std::string own = row < array.rows.size() ? array.rows[row] : "";
      std::string name = own;
      if (name.empty() && !array.name.empty()) name = count == 1 ? array.name : array.name + std::to_string(row + 1);
      if (name.empty()) name = "t" + std::to_string(tensor_.tokens.size() + 1);
      tensor_.tokens.push_back(std::move(name));
    }
    for (const Cell& cell : array.cells) {
      if (cell.kind != Cell::Kind::finite)
        throw Error(*array.source, cell.span, {"input.not_finite", {}}, {"input.not_finite_mend", {}});
      tensor_.values.push_back(cell.value);
    }
  }

  [[nodiscard]] std::vector<std::size_t> shape() const {
    if (arrays_.size() == 1) return front().shape;
    return {tensor_.tokens.size(), front().width()};
  }

  void note_equal_names() {
    std::unordered_set<std::string_view> seen;
    for (const std::string& token : tensor_.tokens)
      if (!seen.insert(token).second) {
        document_.remarks.push_back({{"input.same_name", {token}}, front().source, front().span});
        return;
      }
  }

  // lcm of all denominators; stops as soon as the limit is passed, so that it never costs more than the limit allows.
  void check_common_denominator() const {
    const std::uint64_t count = tensor_.values.size();
    std::unordered_set<std::string> seen;
    Integer common = 1;
    for (std::size_t i = 0; i < tensor_.values.size(); ++i) {
      const Integer& denominator = tensor_.values[i].denominator();
      if (denominator.is_one() || floor_remainder(common, denominator).is_zero()) continue;
      // gcd(common, d) = gcd(d, common mod d): both short, however long the common denominator has grown.
      common *= exact_divide(denominator, gcd(denominator, floor_remainder(common, denominator)));
      if (count * common.bits() > largest_common_size) fail_common_denominator(i);
    }
  }
  [[noreturn]] void fail_common_denominator(std::size_t index) const {
    for (const Array* array : arrays_) {
      if (index < array->cells.size())
        throw Error(*array->source, array->cells[index].span, {"input.common_denominator", {}},
                    {"input.common_denominator_mend", {}});
      index -= array->cells.size();
    }
    std::abort();  // the index counts cells of these arrays
  }

  Document& document_;
  std::vector<const Array*> arrays_;
  tensor::Tensor tensor_;
};

}  // namespace

std::vector<tensor::Tensor> batches(Document& document) {
  std::vector<std::vector<const Array*>> groups;
  std::size_t batch = 0;
  for (const Array& array : document.arrays) {
    if (array.role != Role::data || array.further_column) continue;
    if (groups.empty() || array.batch != batch) groups.emplace_back();
    batch = array.batch;
    groups.back().push_back(&array);
  }
  if (groups.empty()) {
    const Array& statistic = document.arrays.front();
    throw Error(*statistic.source, statistic.span, {"input.only_statistics", {}}, {"input.only_statistics_mend", {}});
  }
  std::vector<tensor::Tensor> tensors;
  for (std::vector<const Array*>& arrays : groups) tensors.push_back(Batch(document, std::move(arrays)).assemble());
  return tensors;
}

}  // namespace normtrace::text
