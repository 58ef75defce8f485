#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "text/error.h"
#include "text/ragged.h"
#include "text/read.h"

namespace normtrace::text {

namespace {

using exact::Integer;

// Numbers × bits of their common denominator: what an exact sum of them may have to hold.
constexpr std::uint64_t largest_common_size = std::uint64_t{1} << 32;

// How long the common denominator of many numbers is. Decimals have 10^n. Of fractions it is the least common multiple while
// that is short; from there on the product of all different denominators stands for it, since the exact one would cost
// more than it is worth.
class CommonDenominator {
 public:
  void add(const Cell& cell) {
    const Integer& denominator = cell.value.denominator();
    if (denominator.is_one()) return;
    if (!cell.fraction) {
      places_ = std::max(places_, cell.decimals);
    } else if (exact_.bits() < longest_exact) {
      const Integer rest = floor_remainder(exact_, denominator);
      if (!rest.is_zero()) exact_ *= exact_divide(denominator, gcd(denominator, rest));
    } else if (seen_.insert(denominator.to_string()).second) {
      further_bits_ += denominator.bits();
    }
  }
  [[nodiscard]] std::uint64_t bits() const {
    constexpr std::uint64_t bits_of_thousand = 10;  // 10^3 < 2^10
    const auto places = static_cast<std::uint64_t>(places_);
    return (places * bits_of_thousand + 2) / 3 + exact_.bits() + further_bits_;
  }

 private:
  static constexpr std::size_t longest_exact = 30'000;

  int places_ = 0;
  Integer exact_ = 1;
  std::unordered_set<std::string> seen_;
  std::uint64_t further_bits_ = 0;
};

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
        throw Error(array->source, array->span, {"input.levels_mixed", {std::to_string(array->shape.size())}},
                    {"input.levels_mixed_mend", {}});
  }

  void check_lengths() const {
    std::vector<WrittenRow> rows;
    for (const Array* array : arrays_)
      for (std::size_t begin = 0; begin < array->cells.size(); begin += array->width()) {
        const std::size_t row = begin / array->width();
        const bool own_name = row < array->rows.size() && !array->rows[row].empty();
        rows.push_back({array->source, std::span(array->cells).subspan(begin, array->width()),
                        own_name ? array->rows[row] : array->name});
      }
    require_equal_lengths(rows);
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
        throw Error(array.source, cell.span, {"input.not_finite", {}}, {"input.not_finite_mend", {}});
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

  void check_common_denominator() const {
    const std::uint64_t count = tensor_.values.size();
    CommonDenominator common;
    for (const Array* array : arrays_)
      for (const Cell& cell : array->cells) {
        common.add(cell);
        if (count * common.bits() > largest_common_size)
          throw Error(array->source, cell.span, {"input.common_denominator", {}},
                      {"input.common_denominator_mend", {}});
      }
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
    throw Error(statistic.source, statistic.span, {"input.only_statistics", {}}, {"input.only_statistics_mend", {}});
  }
  std::vector<tensor::Tensor> tensors;
  for (std::vector<const Array*>& arrays : groups) tensors.push_back(Batch(document, std::move(arrays)).assemble());
  return tensors;
}

}  // namespace normtrace::text
