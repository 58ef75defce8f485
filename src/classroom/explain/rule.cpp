#include "classroom/explain/rule.h"

#include <algorithm>

#include "norm/presets.h"

namespace normtrace::classroom::explain {

using exact::Rational;

std::span<const Core> cores() {
  using enum Centre;
  using enum Statistic;
  using enum Core::Over;
  static constexpr Core table[] = {
      {mean, mean_squared_deviation, true, n, "", "", 0},
      {mean, mean_squared_deviation, true, n_minus_one, "", "", divisor_cost},
      {mean, sum_squared_deviation, true, n, "", "sum_not_mean", 1.5},
      {mean, squared_deviation_over_more, true, n, "", "n_plus_one", 1.6},
      {mean, mean_absolute_deviation, false, n, "", "mean_abs", 1.5},
      {mean, mean_square, true, n, "", "rms_not_std", 2},
      {mean, one, false, n, "", "not_divided", 1},
      {mean, range, false, n, "", "range_not_std", 2},
      {zero, mean_square, true, n, "rmsnorm", "", 0.05},
      {zero, mean_square, true, n_minus_one, "rmsnorm", "", 0.05 + divisor_cost},
      {zero, mean_absolute, false, n, "rmsnorm", "mean_abs", 1.5},
      {zero, absolute_mean, false, n, "rmsnorm", "mean_not_rms", 2},
      {zero, sum_square, true, n, "l2", "", 0.7},
      {zero, sum_square, true, n, "rmsnorm", "sum_not_mean", 1.5},
      {zero, sum_absolute, false, n, "l2", "sum_abs", 1.5},
      {zero, partial_mean_square, true, n, "rmsnorm", "partial", 2},
      {zero, mean_squared_deviation, true, n, "", "not_centered", 1.5},
      {zero, mean_squared_deviation, true, n_minus_one, "", "not_centered", 1.5 + divisor_cost},
      {zero, one, false, n, "none", "", 0.4},
      {least, range, false, n, "minmax", "", 0.7},
      {middle_of_range, half_range, false, n, "minmax", "to_minus_one_one", 0.9},
      {zero, largest_absolute, false, n, "minmax", "max_abs", 1.5},
      {given_mean, given_variance, true, n, "", "", 0, true},
      {stepped_mean, stepped_variance, true, n_minus_one, "", "stepped_statistics", 1.5, true},
      {stepped_mean, stepped_variance, true, n, "", "stepped_statistics", 1.7, true},
      {padded_mean, padded_variance, true, n, "", "padding_counted", 1.5},
      {padded_mean, padded_variance, true, n_minus_one, "", "padding_counted", 1.5 + divisor_cost},
      {zero, padded_mean_square, true, n, "rmsnorm", "padding_counted", 1.5},
      {mean, nothing, false, n, "", "divided_by_zero", 1.5},
      {zero, nothing, false, n, "rmsnorm", "divided_by_zero", 1.6},
      {zero, sum, false, n, "none", "over_sum", 1.4},
      {exponential, sum_of_exponentials, false, n, "none", "softmax", 1.5},
  };
  return table;
}

bool is_standard(const Core& core) {
  return core.cost < divisor_cost && core.slip.empty() && core.over == Core::Over::n && !core.inference &&
         (core.statistic == Statistic::mean_squared_deviation || core.statistic == Statistic::mean_square);
}

std::span<const Choice<Root>> roots() {
  static constexpr Choice<Root> table[] = {
      {Root::root, "", "", 0},
      {Root::none, "", "no_root", 1.5},
      {Root::twice, "", "root_twice", 2},
      {Root::square, "", "squared", 2.5},
  };
  return table;
}

std::span<const Choice<Scale>> scales() {
  static constexpr Choice<Scale> table[] = {
      {Scale::one, "", "", 0},
      {Scale::sqrt_n, "", "sqrt_d", 1.5},
      {Scale::one_over_sqrt_n, "", "one_over_sqrt_d", 1.6},
  };
  return table;
}

std::span<const Choice<Operation>> operations() {
  static constexpr Choice<Operation> table[] = {
      {Operation::divide, "", "", 0},
      {Operation::multiply, "", "multiplied", 1.5},
  };
  return table;
}

std::span<const Choice<AffineUse>> affine_uses() {
  static constexpr Choice<AffineUse> table[] = {
      {AffineUse::as_given, "as_given", "", 0},
      {AffineUse::gamma_ignored, "ignored", "", 1},
      {AffineUse::both_ignored, "ignored", "beta_ignored", 1.2},
      {AffineUse::beta_ignored, "as_given", "beta_ignored", 1},
      {AffineUse::one_plus, "one_plus", "", 1},
      {AffineUse::beta_first, "beta_first", "", 1.5},
      {AffineUse::swapped, "swapped", "", 1.5},
      {AffineUse::beta_subtracted, "as_given", "beta_subtracted", 1.2},
      {AffineUse::beta_twice, "as_given", "beta_twice", 1.5},
  };
  return table;
}

std::span<const Choice<EpsPlace>> eps_places() {
  static constexpr Choice<EpsPlace> table[] = {
      {EpsPlace::none, "none", "", 0},
      {EpsPlace::inside_root, "inside_root", "", 0.1},
      {EpsPlace::added_to_root, "added_to_root", "", 0.4},
      {EpsPlace::added_to_result, "added_to_result", "", 1.2},
      {EpsPlace::added_to_count, "added_to_count", "", 1.2},
      {EpsPlace::times_max_squared, "times_max_squared", "", 1.2},
  };
  return table;
}

namespace {

// What has no framework of its own.
struct UsualEps {
  int power;  // of ten, or of two where `binary`
  bool binary;
  std::string_view norm;
  EpsPlace place;
  std::string_view id;
  double cost;
};
constexpr UsualEps usual_epsilons[] = {
    {-52, true, "rmsnorm", EpsPlace::inside_root, "float64_eps", 0.2},
    {-10, true, "rmsnorm", EpsPlace::inside_root, "float16_eps", 0.3},
    {-7, true, "rmsnorm", EpsPlace::inside_root, "bfloat16_eps", 0.3},
    {-12, false, "l2", EpsPlace::added_to_root, "normalize", 0.1},
    {-5, false, "", EpsPlace::inside_root, "usual", 0.3},
    {-3, false, "", EpsPlace::inside_root, "usual", 0.3},
    {-6, false, "", EpsPlace::inside_root, "usual", 0.3},
    {-8, false, "", EpsPlace::inside_root, "usual", 0.3},
    {-12, false, "", EpsPlace::inside_root, "usual", 0.4},
    {-7, false, "", EpsPlace::inside_root, "usual", 0.4},
};

constexpr double later_framework_cost = 0.1;  // than the first of the table, PyTorch
constexpr double most_framework_cost = 0.2;

std::vector<NamedEps> epsilons_of_frameworks() {
  std::vector<NamedEps> all;
  for (const norm::Preset& preset : norm::presets()) {
    if (!preset.computes.empty()) continue;
    const Rational value = norm::eps_of(preset, nullptr);
    const EpsPlace place =
        preset.eps_place == norm::EpsPlace::inside_root ? EpsPlace::inside_root : EpsPlace::added_to_root;
    const std::string_view name = norm::find_framework(preset.framework)->name;
    const auto same = std::ranges::find_if(all, [&](const NamedEps& other) {
      return other.value == value && other.norm == preset.norm && other.place == place;
    });
    if (same != all.end()) {
      same->frameworks.push_back(name);
      continue;
    }
    const double cost = preset.framework == norm::frameworks().front().id ? 0
                        : preset.framework == norm::frameworks()[1].id    ? later_framework_cost
                                                                          : most_framework_cost;
    all.push_back({value, to_wide(value), preset.norm, place, preset.framework, {name}, cost});
  }
  return all;
}

}  // namespace

const std::vector<NamedEps>& named_epsilons() {
  static const std::vector<NamedEps> table = [] {
    std::vector<NamedEps> all = epsilons_of_frameworks();
    for (const UsualEps& usual : usual_epsilons) {
      const Rational value = usual.binary
                                 ? Rational(1, exact::Integer::power_of_two(static_cast<unsigned>(-usual.power)))
                                 : exact::power_of_ten(usual.power);
      all.push_back({value, to_wide(value), usual.norm, usual.place, usual.id, {}, usual.cost});
    }
    return all;
  }();
  return table;
}

const std::vector<Momentum>& momenta() {
  static const std::vector<Momentum> table = {
      {"torch", {1, 10}, true},
      {"keras", {1, 100}, false},
      {"torch_as_keras", {9, 10}, true},
      {"keras_as_torch", {99, 100}, false},
      {"all_new", 1, true},
  };
  return table;
}

std::string_view Rule::norm() const { return core->norm.empty() ? grouping->norm : core->norm; }

namespace {

template <class Kind>
const Choice<Kind>& chosen(std::span<const Choice<Kind>> table, Kind kind) {
  return *std::ranges::find(table, kind, &Choice<Kind>::kind);
}

}  // namespace

std::vector<std::string_view> Rule::slips() const {
  std::vector<std::string_view> all;
  const auto add = [&](std::string_view slip) {
    if (!slip.empty()) all.push_back(slip);
  };
  add(grouping->slip);
  add(core->slip);
  if (core->squared) add(chosen(roots(), root).slip);
  add(chosen(scales(), scale).slip);
  add(chosen(operations(), operation).slip);
  if (negative) add(sign_slip);
  add(chosen(affine_uses(), affine).slip);
  if (rounding) add("rounded_midway");
  if (factor != Rational(1)) add("scaled");
  if (!shift.is_zero()) add("shifted");
  all.insert(all.end(), outer_slips.begin(), outer_slips.end());
  return all;
}

std::string Rule::structure() const {
  std::string text = std::string(norm()) + " " + std::string(grouping->id) + std::to_string(groups);
  text += core->over == Core::Over::n ? " n" : " n-1";
  for (const std::string_view slip : slips()) text += " " + std::string(slip);
  text += " " + std::string(chosen(affine_uses(), affine).id);
  text += core->inference ? " inference" : "";
  text += momentum ? " " + std::string(momentum->id) : "";
  text += count != 0 ? " " + std::to_string(count) : "";
  if (rounding)
    text += " " + std::to_string(rounding->digits) + (rounding->mean ? "m" : "") + (rounding->squares ? "q" : "") +
            (rounding->statistic ? "s" : "") + (rounding->root ? "r" : "");
  if (factor != Rational(1)) text += " ×" + factor.to_string();
  if (!shift.is_zero()) text += " +" + shift.to_string();
  return text;
}

std::string_view id(Tolerance tolerance) {
  switch (tolerance) {
    case Tolerance::printed: return "printed";
    case Tolerance::input_prints: return "input_prints";
    case Tolerance::truncated: return "truncated";
    case Tolerance::own_digits: return "own_digits";
    case Tolerance::whole_numbers: return "whole_numbers";
    case Tolerance::float32: return "float32";
    case Tolerance::float32_prints: return "float32_prints";
    case Tolerance::bfloat16: return "bfloat16";
    case Tolerance::float16: return "float16";
  }
  return {};
}

}  // namespace normtrace::classroom::explain
