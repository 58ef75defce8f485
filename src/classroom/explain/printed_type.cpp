#include "classroom/explain/printed_type.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace normtrace::classroom::explain {

using exact::Format;
using exact::Rational;
using text::Cell;

namespace {

// So many bits of accident are not believed: 1 in 2000.
constexpr double enough_bits = 11;
// A float32 has no more significant digits than 9, and with fewer than 7 its own rounding hardly shows.
constexpr int digits_of_float32 = 7;

Wide own_unit(const Cell& cell) { return to_wide(exact::power_of_ten(-cell.decimals)); }

bool is_value_of(const Format& format, const Cell& cell) {
  if (cell.kind != Cell::Kind::finite) return true;
  const double value = exact::round_to(format, cell.value);
  return std::isfinite(value) &&
         (exact::exact_value(value) == cell.value ||
          std::fabs(static_cast<Wide>(value) - to_wide(cell.value)) <= 0.5001L * own_unit(cell));
}

// By how many bits it would surprise that these are all numbers of the type. Quarters are numbers of every type.
double bits_of_accident(const Format& format, const std::vector<Cell>& cells) {
  std::set<Rational> counted;
  double bits = 0;
  for (const Cell& cell : cells) {
    if (cell.kind != Cell::Kind::finite || (cell.value * Rational(4)).is_whole()) continue;
    if (!counted.insert(abs(cell.value)).second) continue;
    const double gap = exact::last_place(format, exact::round_to(format, cell.value));
    bits += std::max(0.0, static_cast<double>(std::log2(static_cast<Wide>(gap) / own_unit(cell))));
  }
  return bits;
}

}  // namespace

std::vector<PrintedType> types_of(const std::vector<Cell>& cells, const Format* named) {
  struct Narrow {
    const Format* format;
    Tolerance tolerance;
  };
  static constexpr Narrow table[] = {{&exact::bfloat16, Tolerance::bfloat16},
                                     {&exact::float16, Tolerance::float16},
                                     {&exact::float32, Tolerance::float32}};
  std::vector<PrintedType> types;
  for (const Narrow& narrow : table) {
    if (named && named != narrow.format) continue;
    if (!std::ranges::all_of(cells, [&](const Cell& cell) { return is_value_of(*narrow.format, cell); })) continue;
    const bool many_digits = std::ranges::any_of(
        cells, [](const Cell& cell) { return cell.point && cell.significant >= digits_of_float32; });
    const bool likely =
        named ||
        (narrow.format == &exact::float32 ? many_digits : bits_of_accident(*narrow.format, cells) >= enough_bits);
    // Few digits are digits of anything.
    if (likely || narrow.format == &exact::float32) types.push_back({narrow.format, narrow.tolerance, likely});
  }
  return types;
}

const Format* named_type(std::string_view text) {
  static constexpr std::string_view key = "dtype";
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return nullptr;
  const std::string_view rest = text.substr(at + key.size());
  const std::string_view value = rest.substr(0, rest.find_first_of(",)\n"));
  for (const Format* format : {&exact::bfloat16, &exact::float16, &exact::float32, &exact::float64})
    if (value.find(format->name) != std::string_view::npos) return format;
  return value.find("half") != std::string_view::npos ? &exact::float16 : nullptr;
}

void set_output(Sample& sample, const std::vector<Cell>& cells, const Format& format) {
  set_output(sample, cells, Digits::shared);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Reading& reading = sample.output[i];
    if (!reading.finite()) continue;
    const double stored = exact::round_to(format, cells[i].value);
    if (!std::isfinite(stored)) continue;
    const Wide kept = static_cast<Wide>(stored);
    // The print leaves half its unit open, and the type half of its own.
    const Wide half =
        (reading.bounds.high - reading.bounds.low) / 2 + static_cast<Wide>(exact::last_place(format, stored)) / 2;
    reading.bounds = {std::min(kept, reading.value) - half, std::max(kept, reading.value) + half};
  }
}

bool store_inputs(Sample& sample, const Format& format) {
  bool changed = false;
  const auto store = [&](Rational& value) {
    const double stored = exact::round_to(format, value);
    if (!std::isfinite(stored)) return false;
    const Rational kept = exact::exact_value(stored);
    changed = changed || kept != value;
    value = kept;
    return true;
  };
  for (std::size_t i = 0; i < sample.count(); ++i) {
    if (!store(sample.input.values[i])) return false;
    sample.x[i] = to_wide(sample.input.values[i]);
  }
  for (std::vector<Rational>* const values : {&sample.gamma, &sample.beta})
    for (Rational& value : *values)
      if (!store(value)) return false;
  return changed;
}

}  // namespace normtrace::classroom::explain
