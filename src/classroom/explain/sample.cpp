#include "classroom/explain/sample.h"

#include <algorithm>
#include <utility>

namespace normtrace::classroom::explain {

using text::Cell;

namespace {

// A vector of whole numbers was not rounded to whole numbers.
constexpr int least_decimals = 1;
// Inputs with fewer decimals were typed, those with as many may have been printed.
constexpr int decimals_of_a_print = 4;
constexpr int significant_digits_of_a_print = 3;

Wide unit(int decimals) { return to_wide(exact::power_of_ten(-decimals)); }

int most_decimals(const std::vector<Cell>& cells) {
  int most = least_decimals;
  for (const Cell& cell : cells)
    if (cell.kind == Cell::Kind::finite && !cell.exponent && !cell.fraction) most = std::max(most, cell.decimals);
  return most;
}

// 0.4472 beside -1.342, as %.4g prints: the same significant digits instead of the same decimals.
bool by_significant_digits(const std::vector<Cell>& cells, int decimals) {
  int significant = 0;
  for (const Cell& cell : cells) significant = std::max(significant, cell.significant);
  return significant >= significant_digits_of_a_print && std::ranges::all_of(cells, [&](const Cell& cell) {
           return cell.kind != Cell::Kind::finite || cell.decimals == decimals || cell.significant == significant;
         });
}

}  // namespace

void set_input(Sample& sample, tensor::Tensor input, const std::vector<Cell>& cells) {
  sample.input = std::move(input);
  sample.x.clear();
  sample.half.clear();
  const int decimals = most_decimals(cells);
  for (const Cell& cell : cells) {
    sample.x.push_back(to_wide(cell.value));
    const int own = cell.exponent ? cell.decimals : decimals;
    const bool print = cell.point && !cell.fraction && own >= decimals_of_a_print;
    sample.half.push_back(print ? unit(own) / 2 : 0);
  }
}

void set_output(Sample& sample, const std::vector<Cell>& cells, Digits digits) {
  const int decimals = digits == Digits::whole ? 0 : most_decimals(cells);
  const bool own = digits == Digits::own || by_significant_digits(cells, decimals);
  sample.decimals = static_cast<unsigned>(decimals);
  sample.output.clear();
  for (const Cell& cell : cells) {
    const Wide value = to_wide(cell.value);
    const Wide last = cell.fraction ? 0 : unit(cell.exponent || own ? cell.decimals : decimals);
    Bounds bounds = around(value, last / 2);
    if (digits == Digits::truncated) bounds = {value > 0 ? value : value - last, value < 0 ? value : value + last};
    sample.output.push_back({cell.kind, value, bounds, false, cell.value});
  }
  while (sample.output.size() < sample.count()) sample.output.push_back({Cell::Kind::finite, 0, {}, true, 0});
}

}  // namespace normtrace::classroom::explain
