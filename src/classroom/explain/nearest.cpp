#include "classroom/explain/nearest.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normtrace::classroom::explain {

using exact::Rational;

namespace {

constexpr double scaled_cost = 2.55;
constexpr double scalar_gamma_cost = 1.6;  // where there is a γ, that it was one number is no wonder
constexpr double shifted_cost = 0.6;
constexpr double known_factor_cost = 0.8;  // √n, 1/√n and 1/n have rules of their own
constexpr Wide slack_units = 8;

// With `bare`: the input itself is one of them.
bool is_usual(const Core& core, bool bare) {
  if (bare && core.norm == "none" && core.slip.empty()) return true;
  if (core.inference || core.statistic == Statistic::stepped_variance) return false;
  return core.cost <= usual_cost && core.slip.empty() && core.statistic != Statistic::one;
}

// The usual rules with the usual ε, each with its outputs: visit(rule, outputs).
template <class Visit>
void for_each_usual(const Sample& sample, const Outer& outer, bool bare, Visit visit) {
  for (const Grouping& grouping : *sample.groupings) {
    if (grouping.kind->layout == tensor::Axis::group) continue;
    const Grouped grouped(sample, grouping);
    for (const Core& core : cores()) {
      if (!is_usual(core, bare) || (core.norm == "none" && grouping.kind->id != "token") ||
          (core.norm == "rmsnorm" && grouping.kind->id != "token"))
        continue;
      for (const int exponent : {0, -5, -6, -3}) {
        if (exponent != 0 && !core.squared) continue;
        Rule rule;
        rule.grouping = grouping.kind;
        rule.groups = grouping.groups;
        rule.core = &core;
        rule.outer_slips = outer.slips;
        rule.tolerance = outer.tolerance;
        rule.affine = sample.gamma.empty() && sample.beta.empty() ? AffineUse::as_given : AffineUse::both_ignored;
        rule.cost = outer.cost + core.cost + grouping.kind->cost;
        if (exponent != 0) {
          rule.eps = {EpsPlace::inside_root, exact::power_of_ten(exponent), {}, nullptr};
          rule.cost += exponent == -5 ? 0.1 : 0.3;
        }
        visit(rule, grouped, predict(rule, grouped));
      }
    }
  }
}

bool all_finite(const std::vector<Wide>& values) {
  return std::ranges::all_of(values, [](Wide x) { return std::isfinite(x); });
}

Bounds widened(const Reading& reading, const Sample& sample) {
  const Wide slack = slack_units * sample.roundoff * std::fabs(reading.value);
  return {reading.bounds.low - slack, reading.bounds.high + slack};
}

bool is_print_of(const Reading& reading, const Sample& sample, Wide value) {
  return reading.missing || (reading.finite() && std::isfinite(value) && widened(reading, sample).holds(value));
}

// Every factor a with which all outputs are a·x; empty bounds if there is none.
Bounds factors(const std::vector<Wide>& x, const Sample& sample) {
  Bounds factor;
  Wide first = 0;
  bool different = false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Reading& reading = sample.output[i];
    if (reading.missing) continue;
    const Bounds y = widened(reading, sample);
    if (x[i] == 0) {
      if (!y.holds(0)) return {1, 0};
      continue;
    }
    if (first == 0) first = std::fabs(x[i]);
    different = different || std::fabs(x[i]) != first;
    factor = intersection(factor, quotient(y, around(x[i], 0)));
    if (factor.empty()) break;
  }
  return different ? factor : Bounds{1, 0};
}

// Every factor a with which all outputs are a·x + b for some b.
Bounds slopes(const std::vector<Wide>& x, const Sample& sample) {
  const auto [least, greatest] = std::minmax_element(x.begin(), x.end());
  Bounds slope;
  for (const auto end : {least, greatest}) {
    const Bounds from = widened(sample.output[static_cast<std::size_t>(end - x.begin())], sample);
    for (std::size_t i = 0; i < x.size() && !slope.empty(); ++i)
      if (!sample.output[i].missing && x[i] != *end)
        slope = intersection(slope, quotient(widened(sample.output[i], sample) - from, around(x[i] - *end, 0)));
  }
  // Any two numbers lie on a line.
  const bool enough =
      std::ranges::any_of(x, [low = *least, high = *greatest](Wide value) { return value != low && value != high; });
  return enough ? slope : Bounds{1, 0};
}

Bounds shifts(const std::vector<Wide>& x, Wide factor, const Sample& sample) {
  Bounds shift;
  for (std::size_t i = 0; i < x.size() && !shift.empty(); ++i)
    if (!sample.output[i].missing) shift = intersection(shift, widened(sample.output[i], sample) + -(factor * x[i]));
  return shift;
}

// The number of one or two digits within the bounds, if they leave no choice.
std::optional<Rational> round_number(const Bounds& bounds, Wide narrow = 0.01L) {
  constexpr Wide very_narrow = 3e-4L;
  if (bounds.empty() || !std::isfinite(bounds.low) || !std::isfinite(bounds.high)) return std::nullopt;
  if (bounds.holds(0)) return Rational(0);
  const Wide size = std::max(std::fabs(bounds.low), std::fabs(bounds.high));
  const Wide width = (bounds.high - bounds.low) / size;
  if (width > narrow) return std::nullopt;
  const int exponent = static_cast<int>(std::floor(std::log10(size)));
  for (const int step : {exponent, exponent - 1}) {
    const Rational unit = exact::power_of_ten(step);
    const auto count = static_cast<std::int64_t>(std::round(bounds.middle() / to_wide(unit)));
    const Rational value = Rational(count) * unit;
    if (value.is_zero() || !bounds.holds(to_wide(value))) continue;
    if (step == exponent || width < very_narrow || count % 5 == 0) return value;
  }
  return std::nullopt;
}

bool is_exact(const std::vector<Wide>& x, Wide factor, const Sample& sample) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::fabs(factor * x[i] - sample.output[i].value) > 1e-15L * std::fabs(sample.output[i].value)) return false;
  return true;
}

bool can_be_scaled(const Sample& sample) {
  return sample.count() > 1 &&
         std::ranges::all_of(sample.output, [](const Reading& reading) { return reading.finite(); }) &&
         std::ranges::any_of(sample.output, [](const Reading& reading) { return reading.value != 0; });
}

}  // namespace

void search_scaled(const Sample& sample, const Outer& outer, Found& found) {
  if (!can_be_scaled(sample)) return;
  for_each_usual(sample, outer, true, [&](Rule rule, const Grouped& grouped, const std::vector<Wide>& x) {
    // x/‖x‖ times a number is RMSNorm times another.
    if (!all_finite(x) || rule.norm() == "l2") return;
    auto factor = round_number(factors(x, sample));
    // A tenth of 1, 2, 3 is exact, though 0.1, 0.2, 0.3 would leave a wide choice.
    if (!factor) {
      factor = round_number(factors(x, sample), 1);
      if (factor && !is_exact(x, to_wide(*factor), sample)) factor.reset();
    }
    if (factor && !factor->is_zero()) {
      rule.factor = *factor;
      const Rational square = *factor * *factor;
      const auto n = static_cast<std::int64_t>(grouped.group(0).count());
      const bool is_root_of_count = square == Rational(n) || square == Rational(1, n) || square == Rational(1, n * n);
      if (sample.gamma.empty())
        rule.cost += scaled_cost + (is_root_of_count ? known_factor_cost : 0);
      else
        rule.cost += scalar_gamma_cost;
    } else {
      const auto slope = round_number(slopes(x, sample));
      if (!slope || slope->is_zero()) return;
      const auto shift = round_number(shifts(x, to_wide(*slope), sample));
      if (!shift || shift->is_zero()) return;
      rule.factor = *slope;
      rule.shift = *shift;
      rule.cost += scaled_cost + shifted_cost;
    }
    // What is but a sign, or nothing, has a rule of its own.
    if (abs(rule.factor) == Rational(1) && rule.shift.is_zero()) return;
    judge(rule, grouped);
    found.rules.push_back(std::move(rule));
  });
}

std::optional<Nearest> nearest(const Sample& sample, const std::optional<Rule>& unusual_eps) {
  if (std::ranges::none_of(sample.output, &Reading::finite)) return std::nullopt;
  const std::size_t count = sample.count();
  // A usual rule that is off by a few units of the last digit is nearer than one with an ε that nobody uses.
  constexpr Wide few_units = 20;
  const Wide near = few_units * to_wide(exact::power_of_ten(-static_cast<int>(sample.decimals)));
  std::optional<Nearest> excepted;
  std::optional<Nearest> scaled;
  std::optional<Nearest> off;
  std::size_t fewest = count / 3 + 1;
  for_each_usual(sample, {}, false, [&](Rule rule, const Grouped& grouped, const std::vector<Wide>& x) {
    judge(rule, grouped);
    std::vector<std::size_t> exceptions;
    std::size_t finite = 0;
    for (std::size_t i = 0; i < count; ++i) {
      finite += sample.output[i].finite() && std::isfinite(x[i]) ? 1 : 0;
      if (!is_print_of(sample.output[i], sample, x[i])) exceptions.push_back(i);
    }
    if (finite == 0) return;
    // Numbers that went wrong as a whole leave no doubt about the others.
    const bool wrong_as_a_whole =
        exceptions.size() <= count / 2 &&
        std::ranges::none_of(exceptions, [&](std::size_t i) { return sample.output[i].finite(); });
    if (sample.decimals > 1 && exceptions.size() < (wrong_as_a_whole ? count : fewest)) {
      fewest = exceptions.size();
      excepted = Nearest{rule, exceptions};
    }
    if (finite == count && (!off || rule.max_error < off->rule.max_error)) off = Nearest{rule, {}};
    if (scaled || finite < count || !can_be_scaled(sample)) return;
    const Bounds factor = factors(x, sample);
    const Bounds slope = factor.empty() ? slopes(x, sample) : factor;
    if (slope.empty() || slope.holds(0)) return;
    rule.factor = from_wide(slope.middle());
    if (factor.empty()) {
      const Bounds shift = shifts(x, slope.middle(), sample);
      if (shift.empty()) return;
      rule.shift = from_wide(shift.middle());
    }
    judge(rule, grouped);
    scaled = Nearest{rule, {}};
  });
  if (excepted) return excepted;
  if (off && off->rule.max_error < near) return off;
  if (unusual_eps) return Nearest{*unusual_eps, {}};
  return scaled ? scaled : off;
}

}  // namespace normtrace::classroom::explain
