#include "classroom/explain/explain.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "classroom/explain/machine.h"
#include "classroom/explain/search.h"
#include "exact/machine.h"

namespace normtrace::classroom::explain {

using exact::Rational;

std::string_view id(Verdict verdict) {
  switch (verdict) {
    case Verdict::explained: return "explained";
    case Verdict::ambiguous: return "ambiguous";
    case Verdict::rounding_only: return "rounding_only";
    case Verdict::none: return "none";
  }
  return {};
}

std::string_view id(Tolerance tolerance) {
  switch (tolerance) {
    case Tolerance::printed: return "printed";
    case Tolerance::input_prints: return "input_prints";
    case Tolerance::truncated: return "truncated";
    case Tolerance::own_digits: return "own_digits";
    case Tolerance::float32: return "float32";
    case Tolerance::float32_prints: return "float32_prints";
    case Tolerance::bfloat16: return "bfloat16";
    case Tolerance::float16: return "float16";
  }
  return {};
}

namespace {

// Below this cost nothing simpler can be found by looking further.
constexpr double plain_cost = 0.6;
constexpr std::size_t most_epsilons_of_a_rival = 3;
constexpr std::size_t most_numbers_of_a_machine = 4096;
constexpr std::size_t most_permuted = 65536;

double least_cost(const Found& found) {
  double least = most_cost;
  for (const Rule& rule : found.rules) least = std::min(least, rule.cost);
  return least;
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

// Orders lines (rows, or columns) of numbers by their entries, the first entry first.
template <class Entry>
std::vector<std::size_t> ranked(std::size_t lines, std::size_t entries, Entry entry) {
  std::vector<std::size_t> order(lines);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < entries; ++i)
      if (entry(a, i) != entry(b, i)) return entry(a, i) < entry(b, i);
    return false;
  });
  return order;
}

// Columns, or rows, whose outputs stand in another order than the inputs, found by their ranks.
void search_permutations(const Sample& sample, Found& found) {
  const std::size_t width = sample.input.width();
  const std::size_t rows = sample.count() / width;
  if (sample.count() > most_permuted) return;
  for (const Reading& reading : sample.output)
    if (!reading.finite() || reading.missing) return;
  for (const bool of_columns : {true, false}) {
    const std::size_t lines = of_columns ? width : rows;
    const std::size_t entries = of_columns ? rows : width;
    const auto place = [&](std::size_t line, std::size_t entry) {
      return of_columns ? entry * width + line : line * width + entry;
    };
    for (const int sign : {1, -1}) {
      const auto inputs = ranked(lines, entries, [&](auto line, auto entry) { return sample.x[place(line, entry)]; });
      const auto outputs = ranked(lines, entries, [&](auto line, auto entry) {
        return static_cast<Wide>(sign) * sample.output[place(line, entry)].value;
      });
      std::vector<std::size_t> order(sample.count());
      for (std::size_t line = 0; line < lines; ++line)
        for (std::size_t entry = 0; entry < entries; ++entry)
          order[place(inputs[line], entry)] = place(outputs[line], entry);
      if (!is_identity(order)) search(with_outputs(sample, order), {{"permuted"}, 1.5, false}, found);
    }
  }
}

Sample transposed(const Sample& sample) {
  const std::size_t width = sample.input.width();
  const std::size_t rows = sample.count() / width;
  std::vector<std::size_t> order(sample.count());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < width; ++column) order[row * width + column] = column * rows + row;
  return with_outputs(sample, order);
}

// The numbers before the zeros at the end, if those are padding: without an output, or with the output 0.
void search_without_padding(const Sample& sample, Found& found) {
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
  search(shortened, {{"padding_left_out"}, 0.8, false}, found);
}

// The inputs, and γ and β, as a narrow type stores them.
void search_rounded_inputs(const Sample& sample, Found& found) {
  struct Stored {
    const exact::Format* format;
    std::string_view slip;
  };
  static constexpr Stored table[] = {
      {&exact::float32, "float32_input"}, {&exact::float16, "float16_input"}, {&exact::bfloat16, "bfloat16_input"}};
  for (const Stored& stored : table) {
    Sample rounded = sample;
    bool changed = false;
    for (std::size_t i = 0; i < sample.count(); ++i) {
      const double value = exact::round_to(*stored.format, sample.input.values[i]);
      if (!std::isfinite(value)) return;
      rounded.input.values[i] = exact::exact_value(value);
      rounded.x[i] = to_wide(rounded.input.values[i]);
      changed = changed || rounded.input.values[i] != sample.input.values[i];
    }
    for (std::vector<Rational>* const values : {&rounded.gamma, &rounded.beta})
      for (Rational& value : *values) {
        const Rational stored_value = exact::exact_value(exact::round_to(*stored.format, value));
        changed = changed || stored_value != value;
        value = stored_value;
      }
    if (changed) search(rounded, {{stored.slip}, 1.5, false}, found);
  }
}

// Whether each output may be the print of a number that the type has.
bool are_values_of(const exact::Format& format, const Sample& sample) {
  if (format.precision == exact::float64.precision) return true;
  return std::ranges::all_of(sample.output, [&](const Reading& reading) {
    return !reading.finite() || reading.bounds.holds(exact::round_to(format, static_cast<double>(reading.value)));
  });
}

// What gives the printed numbers only if something is granted; the first grant that helps is enough.
void search_with_tolerance(const Question& question, const Sample& prepared, Answer& answer, Found& found) {
  struct Grant {
    Tolerance tolerance;
    Digits digits;
    bool prints;
    const exact::Format* format;  // that may have computed the outputs
    unsigned least_decimals;      // with fewer it could not be seen, or anything would fit
  };
  static constexpr Grant grants[] = {
      {Tolerance::input_prints, Digits::shared, true, &exact::float64, 0},
      {Tolerance::own_digits, Digits::own, false, &exact::float64, 3},
      {Tolerance::truncated, Digits::truncated, false, &exact::float64, 2},
      {Tolerance::float32, Digits::shared, false, &exact::float32, 5},
      {Tolerance::float32_prints, Digits::shared, true, &exact::float32, 5},
      {Tolerance::float16, Digits::shared, false, &exact::float16, 4},
      {Tolerance::bfloat16, Digits::shared, false, &exact::bfloat16, 4},
  };
  for (const Grant& grant : grants) {
    if (!found.rules.empty()) return;
    Sample sample = prepared;
    set_output(sample, question.output, grant.digits);
    if (question.transposed) sample = transposed(sample);
    if (sample.decimals < grant.least_decimals) continue;
    if (grant.prints && std::ranges::all_of(sample.half, [](Wide half) { return half == 0; })) continue;
    sample.inputs_are_prints = grant.prints;
    if (!are_values_of(*grant.format, sample)) continue;
    sample.roundoff = grant.format->unit_roundoff();
    answer.tolerance = grant.tolerance;
    search(sample,
           {question.transposed ? std::vector<std::string_view>{"transposed"} : std::vector<std::string_view>{},
            question.transposed ? 1.0 : 0.0, false},
           found);
    // A type with few digits lets many rules through: only the usual ones are believed.
    if (grant.format->precision < exact::float32.precision)
      std::erase_if(found.rules, [](const Rule& rule) { return rule.cost > 1.5; });
  }
  if (found.rules.empty()) answer.tolerance = Tolerance::printed;
}

// ---- Which of the rules are the same rule ----

Sample probe(const Sample& sample, const std::vector<Rational>& numbers, std::size_t rows, std::size_t width) {
  Sample result;
  result.norm = sample.norm;
  result.running_mean = sample.running_mean;
  result.running_var = sample.running_var;
  result.input.shape =
      sample.input.shape.size() == 1 ? std::vector<std::size_t>{width} : std::vector<std::size_t>{rows, width};
  for (std::size_t row = 0; row < rows; ++row) {
    result.input.tokens.push_back("t" + std::to_string(row + 1));
    for (std::size_t column = 0; column < width; ++column) {
      const Rational& value = numbers[(row * 3 + column) % numbers.size()];
      result.input.values.push_back(value + Rational(static_cast<std::int64_t>(row * row * 2)));
      result.x.push_back(to_wide(result.input.values.back()));
    }
  }
  const auto shortened = [&](const std::vector<Rational>& values) {
    return values.size() <= width
               ? values
               : std::vector<Rational>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width));
  };
  result.gamma = shortened(sample.gamma);
  result.beta = shortened(sample.beta);
  return result;
}

// Inputs on which rules differ that ought to: neither centred nor spread by accident.
std::vector<Sample> probes(const Sample& sample) {
  if (sample.input.shape.size() > 2) return {};
  const std::size_t width =
      sample.gamma.size() > 1 || sample.beta.size() > 1 || sample.input.width() == 1 ? sample.input.width() : 4;
  const std::size_t rows = sample.count() == sample.input.width() ? 1 : 3;
  std::vector<Sample> result;
  for (const std::vector<Rational>& numbers :
       {std::vector<Rational>{1, 2, 4, 9},
        {5, 0, -2, 3},
        {Rational(1, 100), Rational(3, 100), Rational(-2, 100), Rational(7, 100)},
        {7, -3, 11, 40}})
    result.push_back(probe(sample, numbers, rows, width));
  return result;
}

// By how much two predictions differ, against the larger of them; 0 where neither is defined.
Wide difference(const std::vector<Wide>& a, const std::vector<Wide>& b) {
  Wide scale = 0;
  Wide most = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (std::isfinite(a[i]) != std::isfinite(b[i])) return 1;
    if (!std::isfinite(a[i])) continue;
    scale = std::max({scale, std::fabs(a[i]), std::fabs(b[i])});
    most = std::max(most, std::fabs(a[i] - b[i]));
  }
  return scale == 0 ? 0 : most / scale;
}

std::optional<Telling> telling_apart(const Rule& a, const Rule& b, const Sample& sample) {
  for (const Sample& probe : probes(sample)) {
    if ((a.rounding || b.rounding) && !a.outer_slips.empty()) continue;
    const auto first = predict(a, probe);
    const auto second = predict(b, probe);
    if (first.empty() || second.empty()) return Telling{};
    if (difference(first, second) > 0.02L) return Telling{probe.input.values, first, second};
  }
  return std::nullopt;
}

bool comes_to_the_same(const Rule& a, const Rule& b, const Sample& sample) {
  if (a.structure() == b.structure()) return true;
  if (a.outer_slips != b.outer_slips) return false;
  return !telling_apart(a, b, sample);
}

// Numbers that are met to their last bit although few digits were printed are no accident: rules that meet them only within
// those digits cost more.
void prefer_exact(const Sample& sample, Found& found) {
  constexpr unsigned few_decimals = 3;
  const auto exact = [&](const Rule& rule) { return rule.max_error < 64 * sample.roundoff; };
  if (sample.decimals > few_decimals || std::ranges::none_of(found.rules, exact)) return;
  for (Rule& rule : found.rules)
    if (!exact(rule)) rule.cost += within_digits_cost;
}

void finish(Answer& answer, Found& found, const Sample& sample) {
  prefer_exact(sample, found);
  std::ranges::stable_sort(found.rules, {}, &Rule::cost);
  std::map<std::string, bool> seen;
  std::map<std::string, std::size_t> of_structure;
  for (Rule& rule : found.rules) {
    const std::string key =
        rule.structure() + " " + std::to_string(static_cast<int>(rule.eps.place)) + " " + rule.eps.value.to_string();
    const bool best = answer.rules.empty() || rule.structure() == answer.rules.front().structure();
    if (!best && of_structure[rule.structure()]++ >= most_epsilons_of_a_rival) continue;
    if (answer.rules.size() < most_rules && seen.emplace(key, true).second) answer.rules.push_back(std::move(rule));
  }
  if (answer.rules.empty()) {
    answer.nearest = found.nearest;
    answer.verdict = Verdict::none;
    return;
  }
  const Rule& best = answer.rules.front();
  for (std::size_t i = 1; i < answer.rules.size() && answer.rival == 0; ++i)
    if (answer.rules[i].cost < best.cost + simpler_by && !comes_to_the_same(best, answer.rules[i], sample)) {
      answer.rival = i;
      answer.telling = telling_apart(best, answer.rules[i], sample);
    }
  if (answer.rival != 0)
    answer.verdict = Verdict::ambiguous;
  else if (answer.tolerance != Tolerance::printed && best.slips().empty() && best.core->over == Core::Over::n)
    answer.verdict = Verdict::rounding_only;
  else
    answer.verdict = Verdict::explained;
}

// The usual rules as they would be, for a nearest where not even an unusual ε serves.
void add_nearest(const Sample& sample, Found& found) {
  if (!found.rules.empty() || std::ranges::none_of(sample.output, &Reading::finite)) return;
  // A usual rule that is off by a few units of the last digit is nearer than a usual one with an ε that nobody uses.
  constexpr Wide few_units = 20;
  Wide least = found.nearest ? few_units * to_wide(exact::power_of_ten(-static_cast<int>(sample.decimals))) : unbounded;
  for (const Grouping& grouping : *sample.groupings) {
    const Grouped grouped(sample, grouping);
    for (const Core& core : cores()) {
      if (grouped.grouping().kind->layout == tensor::Axis::group) continue;
      if (core.cost > usual_cost || core.inference || core.statistic == Statistic::stepped_variance) continue;
      if (core.statistic == Statistic::partial_mean_square || core.statistic == Statistic::padded_variance) continue;
      Rule rule;
      rule.grouping = grouped.grouping().kind;
      rule.groups = grouped.grouping().groups;
      rule.core = &core;
      rule.cost = core.cost + rule.grouping->cost;
      const auto predicted = predict(rule, grouped);
      Wide error = 0;
      for (std::size_t i = 0; i < predicted.size(); ++i) {
        if (!sample.output[i].finite() || sample.output[i].missing) continue;
        error =
            std::max(error, std::isfinite(predicted[i]) ? std::fabs(predicted[i] - sample.output[i].value) : unbounded);
      }
      if (!(error < least)) continue;
      least = error;
      rule.max_error = error;
      found.nearest = rule;
    }
  }
}

}  // namespace

Answer explain(const Question& question) {
  Answer answer;
  Found found;
  Sample prepared = question.sample;
  prepare(prepared);
  Sample sample = prepared;
  set_output(sample, question.output, Digits::shared);
  // Outputs that are all 0 fit whatever divides enough: what remains is a type in which the squares overflow.
  const bool all_zero =
      std::ranges::all_of(sample.output, [](const Reading& reading) { return reading.finite() && reading.value == 0; });
  if (question.transposed) {
    sample = transposed(sample);
    search(sample, {{"transposed"}, 1, !all_zero}, found);
  } else {
    search(sample, {{}, 0, !all_zero}, found);
  }
  if (least_cost(found) > plain_cost) {
    if (!all_zero) {
      search_without_padding(sample, found);
      search_permutations(sample, found);
      search_rounded_inputs(sample, found);
    }
    if (sample.count() <= most_numbers_of_a_machine) search_machines(sample, found);
  }
  if (found.rules.empty() && !all_zero) search_with_tolerance(question, prepared, answer, found);
  add_nearest(sample, found);
  finish(answer, found, sample);
  return answer;
}

}  // namespace normtrace::classroom::explain
