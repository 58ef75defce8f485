#include "classroom/explain/search.h"

#include <algorithm>
#include <array>
#include <functional>

namespace normtrace::classroom::explain {

using exact::Rational;
using text::Cell;

namespace {

// A few units in the last place of the machine that computed the output.
constexpr Wide slack_units = 8;
constexpr Wide statistic_slack_units = 16;
// Long sums lose more: the mean by the root of their length, squares that are all positive by a share of it.
Wide units_of_mean(std::size_t n) { return slack_units + std::sqrt(static_cast<Wide>(n)); }
Wide units_of_statistic(std::size_t n) { return statistic_slack_units + static_cast<Wide>(n) / 4; }
constexpr std::size_t longest_count_tried = 64;
constexpr unsigned most_digits_kept = 4;
constexpr unsigned enough_decimals_for_padding = 4;
constexpr double misfit_cost = 0.25;
constexpr double hardly_shows_cost = 0.5;
// A larger ε is no protection from 0/0 any more.
constexpr Wide largest_eps = 0.1L;

// Squares, their mean, its root: which of them a person may have rounded together.
constexpr std::array<std::array<bool, 3>, 5> rounded_after_the_mean = {
    {{false, false, false}, {false, true, false}, {false, false, true}, {false, true, true}, {true, true, true}}};

bool is_padded(const Core& core) {
  return core.statistic == Statistic::padded_variance || core.statistic == Statistic::padded_mean_square;
}

// An output with its affine map undone: what x̂ must be.
struct Target {
  Cell::Kind kind = Cell::Kind::finite;
  Bounds bounds;
  bool free = false;  // γ = 0: says nothing about x̂
  Wide shift = 0;     // β/γ, whose rounding is in the output too
};

// The two ends of an affine map: y = γ·x̂ + β or γ·(x̂ + β).
struct Affine {
  Wide gamma = 1;
  Wide beta = 0;
  bool beta_first = false;
};

Affine affine_of(AffineUse use, const Grouped& grouped, std::size_t element) {
  const Wide gamma = grouped.gamma(element);
  const Wide beta = grouped.beta(element);
  switch (use) {
    case AffineUse::as_given: return {gamma, beta, false};
    case AffineUse::gamma_ignored: return {1, beta, false};
    case AffineUse::both_ignored: return {1, 0, false};
    case AffineUse::beta_ignored: return {gamma, 0, false};
    case AffineUse::one_plus: return {1 + gamma, beta, false};
    case AffineUse::beta_first: return {gamma, beta, true};
    case AffineUse::swapped: return {beta, gamma, false};
    case AffineUse::beta_subtracted: return {gamma, -beta, false};
    case AffineUse::beta_twice: return {gamma, 2 * beta, false};
  }
  return {};
}

bool applies(AffineUse use, const Sample& sample) {
  const bool gamma = !sample.gamma.empty();
  const bool beta = !sample.beta.empty();
  switch (use) {
    case AffineUse::as_given: return true;
    case AffineUse::gamma_ignored:
    case AffineUse::one_plus: return gamma;
    case AffineUse::beta_ignored:
    case AffineUse::beta_subtracted:
    case AffineUse::beta_twice: return beta;
    default: return gamma && beta;
  }
}

// Empty if some output contradicts the map by itself.
std::optional<std::vector<Target>> targets_of(AffineUse use, const Grouped& grouped) {
  const Sample& sample = grouped.sample();
  std::vector<Target> targets;
  targets.reserve(sample.count());
  for (std::size_t i = 0; i < sample.count(); ++i) {
    const Reading& reading = sample.output[i];
    const Affine map = affine_of(use, grouped, i);
    Target target{reading.kind, reading.bounds, reading.missing, 0};
    if (reading.missing) {
      targets.push_back(target);
      continue;
    }
    if (map.gamma == 0) {
      target.free = true;
      const Wide expected = map.beta_first ? 0 : map.beta;
      const Wide slack = slack_units * sample.roundoff * std::fabs(expected);
      if (reading.finite() && !(reading.bounds.low - slack <= expected && expected <= reading.bounds.high + slack))
        return std::nullopt;
    } else if (reading.finite()) {
      target.shift = std::fabs(map.beta_first ? map.beta : map.beta / map.gamma);
      target.bounds =
          map.beta_first ? target.bounds * (1 / map.gamma) + -map.beta : (target.bounds + -map.beta) * (1 / map.gamma);
    }
    targets.push_back(target);
  }
  return targets;
}

// x̂ over the numerator, the same for a whole group.
struct Ratio {
  enum class State {
    known,
    free,       // every numerator is 0, and so is every x̂
    undefined,  // every numerator is 0, and every x̂ is NaN: 0/0
  };
  State state = State::free;
  Bounds bounds;
};

class Pair {
 public:
  Pair(const Grouped& grouped, const std::vector<Target>& targets, Centre centre, Parameters parameters)
      : grouped_(grouped), targets_(targets), centre_(centre), parameters_(parameters) {}

  // Empty if some group's outputs are not proportional to its numerators.
  [[nodiscard]] std::optional<std::vector<Ratio>> ratios() const {
    std::vector<Ratio> result;
    for (std::size_t group = 0; group < grouped_.size(); ++group) {
      const auto ratio = ratio_of(group);
      if (!ratio) return std::nullopt;
      result.push_back(*ratio);
    }
    return result;
  }

 private:
  [[nodiscard]] std::optional<Ratio> ratio_of(std::size_t index) const {
    const GroupNumbers& group = grouped_.group(index);
    const std::vector<Wide> numerators = grouped_.numerators(centre_, index, parameters_);
    const Sample& sample = grouped_.sample();
    const Wide from = std::fabs(to_wide(grouped_.centre(centre_, index, parameters_)));
    std::size_t undefined = 0;
    std::size_t largest = 0;
    for (std::size_t j = 0; j < group.count(); ++j) {
      const Target& target = targets_[group.members[j]];
      if (target.kind == Cell::Kind::nan) ++undefined;
      if (target.kind == Cell::Kind::plus_infinity || target.kind == Cell::Kind::minus_infinity) return std::nullopt;
      if (targets_[group.members[largest]].free ||
          (!target.free && std::fabs(numerators[j]) > std::fabs(numerators[largest])))
        largest = j;
    }
    if (undefined != 0) {
      if (undefined != group.count() || numerators[largest] != 0) return std::nullopt;
      return Ratio{Ratio::State::undefined, {}};
    }
    const Wide estimate = numerators[largest] == 0
                              ? 0
                              : std::fabs(targets_[group.members[largest]].bounds.middle() / numerators[largest]);
    Ratio ratio;
    const Wide units = units_of_mean(group.count());
    bool may_be_zero = true;  // every x̂ whose numerator may be 0
    for (std::size_t j = 0; j < group.count(); ++j) {
      const std::size_t i = group.members[j];
      const Target& target = targets_[i];
      if (target.free) continue;
      const Wide slack =
          units * sample.roundoff *
          (estimate * (std::fabs(sample.x[i]) + from) + std::fabs(target.bounds.middle()) + target.shift);
      const Bounds x_hat{target.bounds.low - slack, target.bounds.high + slack};
      const Wide uncertainty = grouped_.numerator_uncertainty(centre_, i, index);
      if (std::fabs(numerators[j]) <= uncertainty) {
        may_be_zero = may_be_zero && x_hat.holds(0);
        if (uncertainty == 0 && !may_be_zero) return std::nullopt;
        continue;
      }
      ratio.state = Ratio::State::known;
      ratio.bounds = intersection(ratio.bounds, quotient(x_hat, around(numerators[j], uncertainty)));
      if (ratio.bounds.empty()) return std::nullopt;
    }
    if (ratio.state == Ratio::State::free && !may_be_zero) return std::nullopt;
    return ratio;
  }

  const Grouped& grouped_;
  const std::vector<Target>& targets_;
  Centre centre_;
  Parameters parameters_;
};

// √, and its mistakes, and back.
Wide rooted(Wide x, Root root) {
  switch (root) {
    case Root::root: return std::sqrt(x);
    case Root::none: return x;
    case Root::square: return x * x;
    case Root::twice: return std::sqrt(std::sqrt(x));
  }
  return x;
}
Wide unrooted(Wide x, Root root) {
  switch (root) {
    case Root::root: return x * x;
    case Root::none: return x;
    case Root::square: return std::sqrt(x);
    case Root::twice: return x * x * x * x;
  }
  return x;
}

Wide scale_of(Scale scale, std::size_t n) {
  const Wide root = std::sqrt(static_cast<Wide>(n));
  switch (scale) {
    case Scale::one: return 1;
    case Scale::sqrt_n: return root;
    case Scale::one_over_sqrt_n: return 1 / root;
  }
  return 1;
}

// The statistic with ε, and the root.
Wide denominator(Wide statistic, const Core& core, const Rule& rule, const GroupNumbers& group) {
  const Wide eps = to_wide(rule.eps.value);
  const auto n = static_cast<Wide>(group.count());
  const Wide over = core.over == Core::Over::n ? n : n - 1;
  const Root root = core.squared ? rule.root : Root::none;
  switch (rule.eps.place) {
    case EpsPlace::none:
    case EpsPlace::added_to_result: return rooted(statistic, root);
    case EpsPlace::inside_root: return rooted(statistic + eps, root);
    case EpsPlace::added_to_root: return rooted(statistic, root) + eps;
    case EpsPlace::added_to_count: return rooted(statistic * over / (over + eps), root);
    case EpsPlace::times_max_squared:
      return rooted(statistic + eps * group.largest_absolute() * group.largest_absolute(), root);
  }
  return 0;
}

// ε of the place from what the statistic is and what it has to become.
Bounds solved_eps(EpsPlace place, const Bounds& divisor, const Bounds& statistic, const Core& core, Root root,
                  const GroupNumbers& group) {
  const Bounds needed = increasing(divisor, [&](Wide x) { return unrooted(x, root); });
  const auto n = static_cast<Wide>(group.count());
  switch (place) {
    case EpsPlace::none: {
      const bool equal = needed.low <= statistic.high && statistic.low <= needed.high;
      return equal ? around(0, 0) : Bounds{1, 0};
    }
    case EpsPlace::inside_root: return needed - statistic;
    case EpsPlace::added_to_root:
      return divisor - increasing(statistic, [&](Wide x) { return rooted(std::max<Wide>(x, 0), root); });
    case EpsPlace::added_to_count: {
      const Wide over = core.over == Core::Over::n ? n : n - 1;
      if (needed.low <= 0) return {};
      return (quotient(statistic, needed) + -1) * over;
    }
    case EpsPlace::times_max_squared: {
      const Wide largest = group.largest_absolute();
      if (largest == 0) return {};
      return (needed - statistic) * (1 / (largest * largest));
    }
    case EpsPlace::added_to_result: break;
  }
  return {1, 0};
}

bool fits_place(EpsPlace place, const Core& core, Root root, const Rule& rule) {
  const bool plain = rule.scale == Scale::one && rule.operation == Operation::divide && !rule.rounding;
  switch (place) {
    case EpsPlace::none: return true;
    case EpsPlace::inside_root: return core.squared && root != Root::none && !rule.rounding;
    case EpsPlace::added_to_root: return core.statistic != Statistic::one && !rule.rounding;
    case EpsPlace::added_to_count:
      return plain && root == Root::root && core.squared && core.cost <= usual_cost && !core.inference;
    case EpsPlace::times_max_squared: return plain && root == Root::root && core.squared && core.cost <= usual_cost;
    case EpsPlace::added_to_result: return false;
  }
  return false;
}

// Whether ε keeps a group whose statistic is 0 from 0/0.
bool protects(EpsPlace place, const GroupNumbers& group) {
  if (place == EpsPlace::none || place == EpsPlace::added_to_count) return false;
  return place != EpsPlace::times_max_squared || group.largest_absolute() > 0;
}

// The round values 1 or 5 × 10^k within bounds above 0, with that digit.
std::vector<std::pair<Rational, std::int64_t>> round_values(const Bounds& bounds) {
  std::vector<std::pair<Rational, std::int64_t>> values;
  if (!(bounds.low > 0) || !std::isfinite(bounds.high)) return values;
  const int first = static_cast<int>(std::floor(std::log10(bounds.low))) - 1;
  const int last = static_cast<int>(std::ceil(std::log10(bounds.high)));
  for (int exponent = std::max(first, last - 4); exponent <= last; ++exponent)
    for (const std::int64_t digit : {1, 5}) {
      const Rational value = Rational(digit) * exact::power_of_ten(exponent);
      if (bounds.holds(to_wide(value))) values.emplace_back(value, digit);
    }
  return values;
}

struct EpsCandidate {
  Eps eps;
  double cost = 0;
};

// The values of ε worth believing among those that fit at a place.
class Believable {
 public:
  Believable(const Choice<EpsPlace>& place, const Bounds& bounds, const Sample& sample)
      : place_(place), bounds_(bounds), sample_(sample) {}

  std::vector<EpsCandidate> values(std::string_view norm, double cost_so_far) {
    // A default that belongs to another place is still a value that people use.
    for (const bool own_place : {true, false}) add_defaults(norm, own_place);
    if (sample_.eps) add(*sample_.eps, to_wide(*sample_.eps), nullptr, 0);
    if (candidates_.empty() && !bounds_.holds(0) && cost_so_far < 1.5)
      for (const auto& [value, digit] : round_values(bounds_))
        add(value, to_wide(value), nullptr, digit == 1 ? unnamed_eps_cost : five_eps_cost);
    // Where many values would do, that one of them is in use says little.
    if (bounds_.low > 0 && bounds_.high > 2 * bounds_.low) charge_for_vagueness();
    return std::move(candidates_);
  }

 private:
  [[nodiscard]] bool is_asked(const Rational& value) const { return sample_.eps && *sample_.eps == value; }

  [[nodiscard]] static bool is_of(const NamedEps& eps, std::string_view norm) {
    return eps.norm.empty() || eps.norm == norm || (norm == "whole" && eps.norm == "layernorm");
  }
  // A machine's ε has no business elsewhere.
  [[nodiscard]] static bool is_binary(const NamedEps& eps) { return eps.id.ends_with("_eps"); }

  void add_defaults(std::string_view norm, bool own_place) {
    for (const NamedEps& eps : named_epsilons())
      if (is_of(eps, norm) && (eps.place == place_.kind) == own_place && (own_place || !is_binary(eps)))
        add(eps.value, eps.nearest, own_place ? &eps : nullptr, eps.cost + (own_place ? 0 : 0.2));
  }

  void add(const Rational& value, Wide nearest, const NamedEps* name, double cost) {
    if (value.sign() <= 0 || !bounds_.holds(nearest) || (nearest > largest_eps && !is_asked(value))) return;
    if (std::ranges::any_of(candidates_, [&](const EpsCandidate& c) { return c.eps.value == value; })) return;
    if (sample_.eps) cost = is_asked(value) ? 0 : cost + other_eps_cost;
    candidates_.push_back({{place_.kind, value, bounds_, name}, place_.cost + cost});
  }

  void charge_for_vagueness() {
    for (EpsCandidate& candidate : candidates_) {
      const bool is_default = candidate.eps.name && !candidate.eps.name->frameworks.empty();
      if (!is_asked(candidate.eps.value)) candidate.cost += is_default ? vague_default_cost : vague_eps_cost;
    }
  }

  const Choice<EpsPlace>& place_;
  const Bounds& bounds_;
  const Sample& sample_;
  std::vector<EpsCandidate> candidates_;
};

class Search {
 public:
  Search(const Sample& sample, const Outer& outer, Found& found) : sample_(sample), outer_(outer), found_(found) {}

  void run() {
    std::optional<std::vector<Target>> plain;  // the same for every grouping
    for (const Grouping& grouping : *sample_.groupings) {
      const auto serves = [&](const std::vector<Rational>& values) {
        return values.size() < 2 || values.size() == grouping.parameters;
      };
      if (!serves(sample_.gamma) || !serves(sample_.beta)) continue;
      const Grouped grouped(sample_, grouping);
      for (const Choice<AffineUse>& use : affine_uses()) {
        if (!applies(use.kind, sample_)) continue;
        const bool bare = sample_.gamma.size() < 2 && sample_.beta.size() < 2 && use.kind == AffineUse::as_given;
        if (bare && !plain) plain = targets_of(use.kind, grouped);
        const auto own = bare ? std::nullopt : targets_of(use.kind, grouped);
        const auto& targets = bare ? plain : own;
        if (!targets) continue;
        Rule rule;
        rule.grouping = grouped.grouping().kind;
        rule.groups = grouped.grouping().groups;
        rule.affine = use.kind;
        rule.outer_slips = outer_.slips;
        rule.cost = outer_.cost + use.cost;
        try_cores(grouped, *targets, rule);
      }
    }
  }

 private:
  // Whether the statistics of single elements are worth a thought: a flat vector is not a batch of one.
  [[nodiscard]] bool is_batch_of_one(const Grouped& grouped) const {
    return sample_.input.shape.size() == 1 && grouped.grouping().members.front().size() == 1 && sample_.count() > 1;
  }

  [[nodiscard]] bool has_statistics() const { return !sample_.running_mean.empty() || !sample_.running_var.empty(); }

  // Beside the core's own: that another norm or axis was meant, or other statistics.
  [[nodiscard]] double context_cost(const Core& core, const Grouped& grouped) const {
    const GroupingKind& kind = *grouped.grouping().kind;
    const std::string_view norm = core.norm.empty() ? kind.norm : core.norm;
    double cost = core.cost;
    // RMS and its kin over another axis than the token's last are rare; a z-score over columns is not.
    if (!core.norm.empty() && core.norm != "none" && core.norm != "minmax" && kind.id != "token") cost += 0.8;
    if (sample_.norm.empty())
      cost += kind.cost;
    else if (norm != sample_.norm)
      cost += other_norm_cost + kind.cost;
    if (core.inference && !has_statistics()) cost += 1.2;
    return cost;
  }

  // Of one token: they are not negative.
  [[nodiscard]] bool may_be_exponentials(const Grouped& grouped) const {
    return outer_.thorough && grouped.grouping().kind->id == "token" &&
           std::ranges::none_of(sample_.output, [](const Reading& reading) { return reading.bounds.high < 0; });
  }

  [[nodiscard]] bool makes_sense(const Core& core, const Grouped& grouped) const {
    const GroupingKind& kind = *grouped.grouping().kind;
    if (core.inference) return kind.has_running_statistics;
    if (is_batch_of_one(grouped)) return false;
    // What does not depend on the grouping is asked once.
    return core.norm != "none" || kind.id == "token" || sample_.norm == "batchnorm";
  }

  void try_cores(const Grouped& grouped, const std::vector<Target>& targets, const Rule& start) {
    for (const Centre centre : {Centre::zero, Centre::mean, Centre::least, Centre::middle_of_range, Centre::given_mean,
                                Centre::exponential}) {
      if (centre == Centre::exponential && !may_be_exponentials(grouped)) continue;
      const auto ratios = Pair(grouped, targets, centre, {}).ratios();
      if (!ratios) continue;
      for (const Core& core : cores()) {
        if (core.centre != centre || is_padded(core) || core.statistic == Statistic::nothing ||
            !makes_sense(core, grouped))
          continue;
        Rule rule = start;
        rule.core = &core;
        rule.cost += context_cost(core, grouped);
        if (core.statistic == Statistic::partial_mean_square)
          try_counts(grouped, *ratios, rule);
        else
          try_slips(grouped, *ratios, rule, {});
      }
      if (start.affine == AffineUse::as_given || start.affine == AffineUse::gamma_ignored)
        try_roundings(grouped, *ratios, start, centre);
    }
    if (start.affine == AffineUse::as_given || start.affine == AffineUse::gamma_ignored)
      try_rounded_means(grouped, targets, start);
    if (start.affine != AffineUse::as_given) return;
    try_steps(grouped, targets, start);
    try_padding(grouped, targets, start);
    try_added_to_result(grouped, targets, start);
  }

  void try_counts(const Grouped& grouped, const std::vector<Ratio>& ratios, Rule rule) {
    if (!outer_.thorough) return;
    const std::size_t n = grouped.grouping().members.front().size();
    std::vector<std::size_t> counts;
    for (std::size_t k = 1; k < std::min(n, longest_count_tried); ++k) counts.push_back(k);
    for (const std::size_t sixteenths : {1, 2, 4, 8, 12})
      if ((n * sixteenths + 15) / 16 >= longest_count_tried) counts.push_back((n * sixteenths + 15) / 16);
    for (const std::size_t k : counts) {
      rule.count = k;
      try_eps(grouped, ratios, rule, {k, nullptr, nullptr});
    }
  }

  // Of the statistic and its root.
  void try_roundings(const Grouped& grouped, const std::vector<Ratio>& ratios, const Rule& start, Centre centre) {
    if (!outer_.thorough || (centre != Centre::mean && centre != Centre::zero)) return;
    for (unsigned digits = 0; digits <= most_digits_kept; ++digits)
      for (const auto& [squares, statistic, root] : rounded_after_the_mean)
        if ((squares && centre == Centre::zero) || (!squares && (statistic || root)))
          try_rounding(grouped, ratios, start, centre, {false, squares, statistic, root, digits});
  }

  // Of the mean, so that the deviations change, and of what comes after.
  void try_rounded_means(const Grouped& grouped, const std::vector<Target>& targets, const Rule& start) {
    if (!outer_.thorough) return;
    for (unsigned digits = 0; digits <= most_digits_kept; ++digits)
      for (const bool squares : {false, true}) {
        const Rounding mean_alone{true, squares, false, false, digits};
        const auto ratios = Pair(grouped, targets, Centre::rounded_mean, {0, nullptr, &mean_alone}).ratios();
        if (!ratios) continue;
        for (const auto& rounded : rounded_after_the_mean)
          if (rounded[0] == squares)
            try_rounding(grouped, *ratios, start, Centre::mean, {true, squares, rounded[1], rounded[2], digits});
      }
  }

  void try_rounding(const Grouped& grouped, const std::vector<Ratio>& ratios, const Rule& start, Centre centre,
                    const Rounding& rounding) {
    for (const Core& core : cores()) {
      const bool of_squares =
          core.statistic == Statistic::mean_squared_deviation || core.statistic == Statistic::mean_square;
      if (core.centre != centre || !of_squares || core.cost > usual_cost || !makes_sense(core, grouped)) continue;
      Rule rule = start;
      rule.core = &core;
      rule.rounding = rounding;
      rule.cost += context_cost(core, grouped) + rounding_cost + 0.1 * rounding.count();
      // What was kept to as many digits as were printed, or more, hardly shows.
      if (rounding.digits >= sample_.decimals) rule.cost += hardly_shows_cost;
      try_eps(grouped, ratios, rule, {0, nullptr, &rounding});
    }
  }

  void try_core(const Grouped& grouped, const std::vector<Ratio>& ratios, const Rule& start, const Core& core,
                const Parameters& parameters, double cost) {
    Rule rule = start;
    rule.core = &core;
    rule.count = parameters.count;
    rule.momentum = parameters.momentum;
    rule.cost += context_cost(core, grouped) + cost;
    try_eps(grouped, ratios, rule, parameters);
  }

  void try_steps(const Grouped& grouped, const std::vector<Target>& targets, const Rule& start) {
    for (const Core& core : cores()) {
      if (core.statistic != Statistic::stepped_variance || !makes_sense(core, grouped)) continue;
      for (const Momentum& momentum : momenta()) {
        const Parameters parameters{0, &momentum, nullptr};
        const auto ratios = Pair(grouped, targets, core.centre, parameters).ratios();
        if (ratios) try_core(grouped, *ratios, start, core, parameters, 0);
      }
    }
  }

  // Zeros counted: they move the mean, so that the numerators change, or the mean square alone.
  void try_padding(const Grouped& grouped, const std::vector<Target>& targets, const Rule& start) {
    const std::size_t n = grouped.grouping().members.front().size();
    if (!outer_.thorough || n > longest_count_tried) return;
    const auto unmoved = Pair(grouped, targets, Centre::zero, {}).ratios();
    // With few digits some number of zeros gives nearly any mean square.
    const std::size_t most_unmoved = sample_.decimals < enough_decimals_for_padding ? n : 4 * n;
    for (std::size_t k = 1; k <= 4 * n; ++k) {
      const Parameters parameters{k, nullptr, nullptr};
      const auto moved = Pair(grouped, targets, Centre::padded_mean, parameters).ratios();
      for (const Core& core : cores()) {
        const auto& ratios = core.centre == Centre::zero ? unmoved : moved;
        if (!is_padded(core) || !ratios || !makes_sense(core, grouped)) continue;
        if (core.centre == Centre::zero && k > most_unmoved) continue;
        try_core(grouped, *ratios, start, core, parameters, k > n ? 0.4 : 0);
      }
    }
  }

  // Root, scale, operation: all that is left when the numerators are known.
  void try_slips(const Grouped& grouped, const std::vector<Ratio>& ratios, const Rule& start,
                 const Parameters& parameters) {
    for (const Choice<Root>& root : roots()) {
      if (!start.core->squared && root.kind != Root::root) continue;
      for (const Choice<Scale>& scale : scales())
        for (const Choice<Operation>& operation : operations()) {
          if (start.core->statistic == Statistic::one && operation.kind == Operation::multiply) continue;
          Rule rule = start;
          rule.root = root.kind;
          rule.scale = scale.kind;
          rule.operation = operation.kind;
          rule.cost += root.cost + scale.cost + operation.cost;
          if (rule.cost <= most_cost) try_eps(grouped, ratios, rule, parameters);
        }
    }
  }

  void try_eps(const Grouped& grouped, const std::vector<Ratio>& ratios, const Rule& start,
               const Parameters& parameters) {
    Rule rule = start;
    bool positive = true;
    bool negative = true;
    bool known = false;
    for (const Ratio& ratio : ratios) {
      if (ratio.state != Ratio::State::known) continue;
      known = known || !ratio.bounds.holds(0);
      positive = positive && ratio.bounds.high > 0;
      negative = negative && ratio.bounds.low < 0;
    }
    if (!positive && !negative) return;
    rule.negative = !positive;
    if (rule.negative) rule.cost += sign_cost;
    if (has_statistics() && !rule.core->inference && rule.grouping->has_running_statistics && rule.core->norm.empty()) {
      rule.outer_slips.emplace_back("fresh_statistics");
      rule.cost += 1;
    }
    const bool other_divisor = rule.core->over == Core::Over::n_minus_one;
    if (rule.slips().size() + (other_divisor ? 1 : 0) > most_slips + outer_.slips.size() || rule.cost > most_cost)
      return;
    // Where every numerator or every output is 0, every rule fits: only what nobody would call a mistake is said.
    if (!known && (rule.cost > 1 || rule.slips().size() > outer_.slips.size() || other_divisor)) return;
    for (const Choice<EpsPlace>& place : eps_places()) {
      if (!fits_place(place.kind, *rule.core, rule.root, rule)) continue;
      try_place(grouped, ratios, rule, parameters, place);
    }
  }

  void try_place(const Grouped& grouped, const std::vector<Ratio>& ratios, const Rule& rule,
                 const Parameters& parameters, const Choice<EpsPlace>& place) {
    const Core& core = *rule.core;
    const Root root = core.squared ? rule.root : Root::none;
    Bounds eps;
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      Bounds statistic = grouped.statistic(core, i, parameters);
      const GroupNumbers& group = grouped.group(i);
      const bool never_defined = statistic.empty();
      const bool zero = never_defined || statistic.high == 0;
      if (ratios[i].state == Ratio::State::undefined) {
        if (!zero || (!never_defined && protects(place.kind, group))) return;
        continue;
      }
      if (zero && (never_defined || !protects(place.kind, group))) return;
      if (ratios[i].state == Ratio::State::free) {
        if (zero) eps.low = std::max(eps.low, std::numeric_limits<Wide>::min());
        continue;
      }
      const Wide slack = units_of_statistic(group.count()) * sample_.roundoff;
      statistic = {statistic.low * (1 - slack), statistic.high * (1 + slack)};
      const Bounds ratio = rule.negative ? -ratios[i].bounds : ratios[i].bounds;
      const Bounds reach{std::max<Wide>(ratio.low, 0), ratio.high};
      const Wide scale = scale_of(rule.scale, group.count());
      const Bounds divisor = rule.operation == Operation::multiply
                                 ? reach * (1 / scale)
                                 : Bounds{scale / reach.high, reach.low > 0 ? scale / reach.low : unbounded};
      eps = intersection(eps, solved_eps(place.kind, divisor, statistic, core, root, group));
      if (eps.empty() || eps.high < 0) return;
    }
    keep(grouped, rule, place, eps);
  }

  void keep(const Grouped& grouped, const Rule& rule, const Choice<EpsPlace>& place, const Bounds& eps) {
    if (place.kind == EpsPlace::none) {
      Rule found = rule;
      if (sample_.eps && sample_.eps->sign() > 0) {
        found.outer_slips.emplace_back("eps_ignored");
        found.cost += 1;
      }
      accept(grouped, found);
      return;
    }
    const auto candidates = Believable(place, eps, sample_).values(rule.norm(), rule.cost);
    for (const EpsCandidate& candidate : candidates) {
      Rule found = rule;
      found.eps = candidate.eps;
      found.cost += candidate.cost;
      if (found.cost <= most_cost) accept(grouped, found);
    }
    if (candidates.empty() && eps.low > 0 && std::isfinite(eps.high) && place.kind == EpsPlace::inside_root) {
      Rule nearest = rule;
      // Of an ε beyond float64 nobody reads the digits.
      const double middle = steady(eps.middle(), 10);
      nearest.eps = {place.kind, from_wide(std::isfinite(middle) ? middle : eps.middle()), eps, nullptr};
      if (!found_.nearest || nearest.cost < found_.nearest->cost) {
        judge(nearest, grouped);
        found_.nearest = nearest;
      }
    }
  }

  // ε added to x̂: the only place where the outputs are not proportional to the numerators.
  void try_added_to_result(const Grouped& grouped, const std::vector<Target>& targets, const Rule& start) {
    const Choice<EpsPlace>& place =
        *std::ranges::find(eps_places(), EpsPlace::added_to_result, &Choice<EpsPlace>::kind);
    for (const Core& core : cores()) {
      if (!core.squared || core.cost > usual_cost || core.inference || !makes_sense(core, grouped)) continue;
      Rule rule = start;
      rule.core = &core;
      rule.cost += context_cost(core, grouped);
      Bounds eps;
      for (std::size_t g = 0; g < grouped.size() && !eps.empty(); ++g) {
        const Bounds statistic = grouped.statistic(core, g, {});
        if (statistic.empty() || statistic.low <= 0) return;
        const Wide root = std::sqrt(statistic.middle());
        const std::vector<Wide> numerators = grouped.numerators(core.centre, g, {});
        for (std::size_t j = 0; j < numerators.size() && !eps.empty(); ++j) {
          const Target& target = targets[grouped.group(g).members[j]];
          if (target.kind != Cell::Kind::finite) return;
          if (target.free) continue;
          const Wide slack = slack_units * sample_.roundoff * (1 + std::fabs(target.bounds.middle()));
          eps = intersection(eps, around(0, slack) - (-target.bounds) + -(numerators[j] / root));
        }
      }
      if (eps.empty() || eps.holds(0) || eps.high < 0) continue;
      for (const EpsCandidate& candidate : Believable(place, eps, sample_).values(rule.norm(), rule.cost)) {
        Rule found = rule;
        found.eps = candidate.eps;
        found.cost += candidate.cost;
        accept(grouped, found);
      }
    }
  }

  void accept(const Grouped& grouped, Rule rule) {
    judge(rule, grouped);
    rule.tolerance = outer_.tolerance;
    // What is granted is believed at a price, the higher the further the outputs are from what the rule gives.
    if (outer_.tolerance != Tolerance::printed)
      rule.cost += outer_.granted_cost + misfit_cost * static_cast<double>(std::log2(std::max<Wide>(rule.misfit, 1)));
    found_.rules.push_back(std::move(rule));
  }

  const Sample& sample_;
  const Outer& outer_;
  Found& found_;
};

}  // namespace

std::vector<Wide> predict(const Rule& rule, const Grouped& grouped) {
  const Core& core = *rule.core;
  const Parameters parameters{rule.count, rule.momentum, rule.rounding ? &*rule.rounding : nullptr};
  std::vector<Wide> result(grouped.sample().count());
  const bool altered = rule.factor != Rational(1) || !rule.shift.is_zero();
  const Wide factor = to_wide(rule.factor);
  const Wide shift = to_wide(rule.shift);
  for (std::size_t g = 0; g < grouped.size(); ++g) {
    const GroupNumbers& group = grouped.group(g);
    const Centre centre = rule.rounding && rule.rounding->mean ? Centre::rounded_mean : core.centre;
    const std::vector<Wide> numerators = grouped.numerators(centre, g, parameters);
    const Bounds statistic = grouped.statistic(core, g, parameters);
    const Wide divisor = statistic.empty() ? 0 : denominator(statistic.middle(), core, rule, group);
    const Wide scale = scale_of(rule.scale, group.count()) * (rule.negative ? -1 : 1);
    for (std::size_t j = 0; j < numerators.size(); ++j) {
      const std::size_t i = group.members[j];
      Wide x_hat = rule.operation == Operation::multiply ? numerators[j] * divisor : numerators[j] / divisor;
      x_hat *= scale;
      if (rule.eps.place == EpsPlace::added_to_result) x_hat += to_wide(rule.eps.value);
      const Affine map = affine_of(rule.affine, grouped, i);
      result[i] = map.beta_first ? map.gamma * (x_hat + map.beta) : map.gamma * x_hat + map.beta;
      if (altered) result[i] = factor * result[i] + shift;
    }
  }
  return result;
}

std::vector<Wide> predict(const Rule& rule, const Sample& sample) {
  const auto grouping = make_grouping(*rule.grouping, rule.groups, sample);
  return grouping ? predict(rule, Grouped(sample, *grouping)) : std::vector<Wide>{};
}

void judge(Rule& rule, const Grouped& grouped) {
  const std::vector<Wide> predicted = predict(rule, grouped);
  rule.max_error = 0;
  rule.misfit = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const Reading& reading = grouped.sample().output[i];
    if (!reading.finite() || reading.missing || !std::isfinite(predicted[i])) continue;
    rule.max_error = std::max(rule.max_error, std::fabs(predicted[i] - reading.value));
    const Wide half = (reading.bounds.high - reading.bounds.low) / 2;
    if (half > 0) rule.misfit = std::max(rule.misfit, std::fabs(predicted[i] - reading.bounds.middle()) / half);
  }
}

void search_division_by_zero(const Sample& sample, Found& found) {
  if (std::ranges::any_of(sample.output, &Reading::finite)) return;
  const auto is = [](Cell::Kind kind, Wide value) {
    if (std::isnan(value)) return kind == Cell::Kind::nan;
    return kind == (value > 0 ? Cell::Kind::plus_infinity : Cell::Kind::minus_infinity);
  };
  for (const Grouping& grouping : *sample.groupings) {
    if (grouping.members.front().size() < 2) continue;
    const Grouped grouped(sample, grouping);
    for (const Core& core : cores()) {
      if (core.statistic != Statistic::nothing || (core.centre == Centre::zero && grouping.kind->id != "token"))
        continue;
      Rule rule;
      rule.grouping = grouping.kind;
      rule.groups = grouping.groups;
      rule.core = &core;
      rule.cost = core.cost + grouping.kind->cost;
      const auto predicted = predict(rule, grouped);
      bool all = true;
      bool infinite = false;
      for (std::size_t i = 0; i < predicted.size(); ++i) {
        all = all && is(sample.output[i].kind, predicted[i]);
        infinite = infinite || std::isinf(predicted[i]);
      }
      if (all && infinite) found.rules.push_back(rule);
    }
  }
}

void search(const Sample& sample, const Outer& outer, Found& found) { Search(sample, outer, found).run(); }

}  // namespace normtrace::classroom::explain
