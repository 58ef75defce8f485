#include "classroom/explain/rearranged.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "classroom/explain/printed_type.h"

namespace normtrace::classroom::explain {

namespace {

constexpr std::size_t most_permuted = 65536;
constexpr std::size_t most_compared = std::size_t{1} << 23;  // numbers, to find which line belongs to which
constexpr double permuted_cost = 1.5;

// With `slip` beside what was done already.
Outer with(const Outer& outer, std::string_view slip, double cost) {
  Outer more = outer;
  more.slips.push_back(slip);
  more.cost += cost;
  more.thorough = false;
  return more;
}

// order[i]: which output belongs to input i.
Sample with_outputs(const Sample& sample, const std::vector<std::size_t>& order) {
  Sample result = sample;
  for (std::size_t i = 0; i < order.size(); ++i) result.output[i] = sample.output[order[i]];
  return result;
}

bool is_identity(const std::vector<std::size_t>& order) {
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != i) return false;
  return true;
}

// The rows of a matrix, or its columns.
class Lines {
 public:
  Lines(const Sample& sample, bool of_rows) : sample_(&sample), of_rows_(of_rows), width_(sample.input.width()) {}

  [[nodiscard]] bool of_rows() const { return of_rows_; }
  [[nodiscard]] std::size_t count() const { return of_rows_ ? sample_->count() / width_ : width_; }
  [[nodiscard]] std::size_t entries() const { return sample_->count() / count(); }
  [[nodiscard]] std::size_t place(std::size_t line, std::size_t entry) const {
    return of_rows_ ? line * width_ + entry : entry * width_ + line;
  }
  [[nodiscard]] Wide input(std::size_t line, std::size_t entry) const { return sample_->x[place(line, entry)]; }
  [[nodiscard]] Wide output(std::size_t line, std::size_t entry) const {
    return sample_->output[place(line, entry)].value;
  }

 private:
  const Sample* sample_;
  bool of_rows_;
  std::size_t width_;
};

// Lines in the order of their entries, the first entry first.
template <class Entry>
std::vector<std::size_t> ranked(const Lines& lines, Entry entry) {
  std::vector<std::size_t> order(lines.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < lines.entries(); ++i)
      if (entry(a, i) != entry(b, i)) return entry(a, i) < entry(b, i);
    return false;
  });
  return order;
}

// Where the norm runs over the lines, it keeps the order of every entry. [line of the input] is its line of the output.
std::vector<std::size_t> matched_by_rank(const Lines& lines, Wide sign) {
  const auto inputs = ranked(lines, [&](auto line, auto entry) { return lines.input(line, entry); });
  const auto outputs = ranked(lines, [&](auto line, auto entry) { return sign * lines.output(line, entry); });
  std::vector<std::size_t> match(lines.count());
  for (std::size_t i = 0; i < match.size(); ++i) match[inputs[i]] = outputs[i];
  return match;
}

// A line moved to mean 0 and length 1: what a norm along it leaves as it is. Empty for a constant.
template <class Entry>
std::vector<double> direction(std::size_t entries, Entry entry) {
  std::vector<double> result;
  Wide mean = 0;
  for (std::size_t i = 0; i < entries; ++i) mean += entry(i) / static_cast<Wide>(entries);
  Wide squares = 0;
  for (std::size_t i = 0; i < entries; ++i) squares += (entry(i) - mean) * (entry(i) - mean);
  if (squares == 0) return result;
  for (std::size_t i = 0; i < entries; ++i)
    result.push_back(static_cast<double>((entry(i) - mean) / std::sqrt(squares)));
  return result;
}

// Where the norm runs along the lines, each keeps its direction. Empty if some line has no partner.
std::vector<std::size_t> matched_by_direction(const Lines& lines) {
  constexpr double nearly_parallel = 0.999;
  const std::size_t count = lines.count();
  if (lines.entries() < 3 || count * count * lines.entries() > most_compared) return {};
  std::vector<std::vector<double>> inputs;
  std::vector<std::vector<double>> outputs;
  for (std::size_t line = 0; line < count; ++line) {
    inputs.push_back(direction(lines.entries(), [&](std::size_t i) { return lines.input(line, i); }));
    outputs.push_back(direction(lines.entries(), [&](std::size_t i) { return lines.output(line, i); }));
    if (inputs.back().empty() || outputs.back().empty()) return {};
  }
  std::vector<std::size_t> match;
  std::vector<bool> taken(count, false);
  for (std::size_t line = 0; line < count; ++line) {
    double best = nearly_parallel;
    std::size_t partner = count;
    for (std::size_t other = 0; other < count; ++other) {
      if (taken[other]) continue;
      const double cosine =
          std::fabs(std::inner_product(inputs[line].begin(), inputs[line].end(), outputs[other].begin(), 0.0));
      if (cosine <= best) continue;
      best = cosine;
      partner = other;
    }
    if (partner == count) return {};
    taken[partner] = true;
    match.push_back(partner);
  }
  return match;
}

void search_matched(const Sample& sample, const Lines& lines, const std::vector<std::size_t>& match, const Outer& outer,
                    Found& found) {
  if (match.empty() || is_identity(match)) return;
  std::vector<std::size_t> order(sample.count());
  std::vector<std::size_t> sources(lines.count());
  for (std::size_t line = 0; line < lines.count(); ++line) {
    sources[match[line]] = line;
    for (std::size_t entry = 0; entry < lines.entries(); ++entry)
      order[lines.place(line, entry)] = lines.place(match[line], entry);
  }
  const std::size_t before = found.rules.size();
  search(with_outputs(sample, order), with(outer, "permuted", permuted_cost), found);
  for (std::size_t i = before; i < found.rules.size(); ++i) {
    found.rules[i].order = sources;
    found.rules[i].order_of_rows = lines.of_rows();
  }
}

}  // namespace

Sample transposed(const Sample& sample) {
  const std::size_t width = sample.input.width();
  const std::size_t rows = sample.count() / width;
  std::vector<std::size_t> order(sample.count());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < width; ++column) order[row * width + column] = column * rows + row;
  return with_outputs(sample, order);
}

void search_permutations(const Sample& sample, const Outer& outer, Found& found) {
  if (sample.count() > most_permuted) return;
  for (const Reading& reading : sample.output)
    if (!reading.finite() || reading.missing) return;
  for (const bool of_rows : {false, true}) {
    const Lines lines(sample, of_rows);
    if (lines.count() < 2) continue;
    for (const Wide sign : {1, -1}) search_matched(sample, lines, matched_by_rank(lines, sign), outer, found);
    search_matched(sample, lines, matched_by_direction(lines), outer, found);
  }
  if (const Lines rows(sample, true); rows.count() == sample.input.width() && rows.count() > 1)
    search(transposed(sample), with(outer, "transposed", permuted_cost), found);
}

void search_without_padding(const Sample& sample, const Outer& outer, Found& found) {
  std::size_t kept = sample.count();
  while (kept != 0 && sample.x[kept - 1] == 0 &&
         (sample.output[kept - 1].missing || (sample.output[kept - 1].finite() && sample.output[kept - 1].value == 0)))
    --kept;
  const std::size_t width = sample.input.shape.size() == 1 ? 1 : sample.input.width();
  kept = (kept + width - 1) / width * width;
  if (kept == sample.count() || kept < 2) return;
  Sample shortened = sample;
  shortened.input.values.resize(kept);
  shortened.input.shape = {kept};
  if (sample.input.shape.size() != 1) {
    shortened.input.shape = {kept / width, width};
    shortened.input.tokens.resize(kept / width);
  }
  shortened.x.resize(kept);
  shortened.half.resize(kept);
  shortened.output.resize(kept);
  prepare(shortened);
  search(shortened, with(outer, "padding_left_out", 0.8), found);
}

void search_stored_inputs(const Sample& sample, const Outer& outer, Found& found) {
  struct Stored {
    const exact::Format* format;
    std::string_view slip;
  };
  static constexpr Stored table[] = {
      {&exact::float32, "float32_input"}, {&exact::float16, "float16_input"}, {&exact::bfloat16, "bfloat16_input"}};
  for (const Stored& stored : table)
    if (Sample kept = sample; store_inputs(kept, *stored.format)) search(kept, with(outer, stored.slip, 1.5), found);
}

void search_gamma_first(const Sample& sample, const Outer& outer, Found& found) {
  if (sample.gamma.size() < 2) return;
  const auto grouping = std::ranges::find(*sample.groupings, sample.gamma.size(), &Grouping::parameters);
  if (grouping == sample.groupings->end()) return;
  Sample weighted = sample;
  for (std::size_t i = 0; i < sample.count(); ++i) {
    weighted.input.values[i] = sample.input.values[i] * sample.gamma[grouping->parameter[i]];
    weighted.x[i] = to_wide(weighted.input.values[i]);
  }
  weighted.gamma.clear();
  search(weighted, with(outer, "gamma_first", 1.5), found);
}

void search_exchanged(const Sample& sample, Found& found) {
  // Only a print can be an output.
  if (std::ranges::any_of(sample.half, [](Wide half) { return half == 0; })) return;
  Sample other = sample;
  for (std::size_t i = 0; i < sample.count(); ++i) {
    const Reading& reading = sample.output[i];
    if (!reading.finite() || reading.missing) return;
    other.output[i] = {reading.kind, sample.x[i], around(sample.x[i], sample.half[i]), false, sample.input.values[i]};
    other.input.values[i] = reading.exact;
    other.x[i] = reading.value;
    other.half[i] = 0;
  }
  other.gamma.clear();
  other.beta.clear();
  search(other, with({}, "exchanged", 1.2), found);
}

}  // namespace normtrace::classroom::explain
