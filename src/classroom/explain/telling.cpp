#include "classroom/explain/telling.h"

#include <algorithm>
#include <cmath>

namespace normtrace::classroom::explain {

using exact::Rational;

namespace {

// A difference that anybody sees, and one that is there at all.
constexpr Wide plain_to_see = 0.02L;
constexpr Wide least_difference = 1e-12L;

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

// ε shows if the outputs leave little choice for it.
bool shows_eps(const Rule& rule) {
  return rule.eps.place != EpsPlace::none && rule.eps.bounds.low > 0 && rule.eps.bounds.high < 2 * rule.eps.bounds.low;
}

Rule without_eps(Rule rule) {
  rule.eps = {};
  return rule;
}

// The numbers of an input so small that this ε counts.
std::vector<Rational> small_numbers(const Rule& rule) {
  const int exponent = static_cast<int>(std::floor(std::log10(to_wide(rule.eps.value)) / 2));
  std::vector<Rational> numbers = {1, 2, 4, 9};
  for (Rational& number : numbers) number = number * exact::power_of_ten(exponent);
  return numbers;
}

// Both keep as many digits, one of them of a quantity more: the other fits by accident of these digits.
bool rounds_more(const Rounding& a, const Rounding& b) {
  return a.digits == b.digits && (!b.mean || a.mean) && (!b.squares || a.squares) && (!b.statistic || a.statistic) &&
         (!b.root || a.root);
}

bool is_permuted(const Rule& rule) { return rule.outer_slips == std::vector<std::string_view>{"permuted"}; }

// The outputs in the order that the rule found them in. Empty where the probe has another number of lines.
std::vector<Wide> in_order(const Rule& rule, std::vector<Wide> outputs, const Sample& probe) {
  if (rule.order.empty() || outputs.empty()) return outputs;
  const std::size_t width = probe.input.width();
  if (rule.order.size() != (rule.order_of_rows ? outputs.size() / width : width)) return {};
  std::vector<Wide> result(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::size_t row = i / width;
    const std::size_t column = i % width;
    result[i] =
        rule.order_of_rows ? outputs[rule.order[row] * width + column] : outputs[row * width + rule.order[column]];
  }
  return result;
}

struct Difference {
  Wide most = 0;
  std::optional<Telling> telling;
};

Difference most_different(const Rule& a, const Rule& b, const Sample& sample) {
  Difference found;
  std::vector<Sample> all = probes(sample);
  for (const Rule* const rule : {&a, &b})
    if (shows_eps(*rule) && !all.empty())
      all.push_back(probe(sample, small_numbers(*rule), all.front().count() / all.front().input.width(),
                          all.front().input.width()));
  for (const Sample& probe : all) {
    const auto first = in_order(a, predict(a, probe), probe);
    const auto second = in_order(b, predict(b, probe), probe);
    if (first.empty() || second.empty()) {
      found.most = std::max(found.most, least_difference * 2);
      continue;
    }
    const Wide here = difference(first, second);
    const auto finite = [](const std::vector<Wide>& values) {
      return std::ranges::all_of(values, [](Wide x) { return std::isfinite(x); });
    };
    // Rules that lead to 0/0 on a probe may still be told apart by another.
    if (!(here > found.most)) continue;
    if (finite(first) && finite(second)) {
      found.most = here;
      found.telling = Telling{probe.input.values, first, second};
      if (here > plain_to_see) break;
    } else if (!found.telling) {
      found.most = std::max(found.most, least_difference * 2);
    }
  }
  return found;
}

}  // namespace

std::optional<Telling> telling_apart(const Rule& a, const Rule& b, const Sample& sample) {
  const auto known = [](const Rule& rule) { return rule.outer_slips.empty() || is_permuted(rule); };
  if (a.outer_slips != b.outer_slips && !(known(a) && known(b))) return std::nullopt;
  return most_different(a, b, sample).telling;
}

bool comes_to_the_same(const Rule& a, const Rule& b, const Sample& sample) {
  if (a.structure() == b.structure() && (a.eps.place == b.eps.place || !shows_eps(a) || !shows_eps(b))) return true;
  if (a.outer_slips != b.outer_slips) return false;
  if (a.rounding && b.rounding && a.core == b.core && a.grouping == b.grouping &&
      (rounds_more(*a.rounding, *b.rounding) || rounds_more(*b.rounding, *a.rounding)))
    return true;
  const bool both_show = shows_eps(a) && shows_eps(b);
  const Difference found =
      both_show ? most_different(a, b, sample) : most_different(without_eps(a), without_eps(b), sample);
  // Shapes for which there are no probes: what has another structure is another rule.
  if (probes(sample).empty()) return false;
  return found.most < least_difference;
}

}  // namespace normtrace::classroom::explain
