#include "classroom/explain/stored.h"

#include <algorithm>
#include <cmath>

#include "classroom/explain/grouping.h"
#include "exact/machine.h"

namespace normtrace::classroom::explain {

using exact::Rational;
using Zeros = StoredRule::Zeros;

std::string_view id(Quantity quantity) {
  switch (quantity) {
    case Quantity::mean: return "mean";
    case Quantity::variance: return "variance";
    case Quantity::std: return "std";
    case Quantity::running_mean: return "running_mean";
    case Quantity::running_var: return "running_var";
  }
  return {};
}

namespace {

// How a new batch is taken in. PyTorch and Keras write one minus the other's momentum.
struct Keeping {
  std::string_view keeper;
  int thousandths;  // the share of the new batch; 0: each batch counts alike
  double cost;
  double cost_of_n;  // where the variance is divided by n
  double cost_of_n_minus_one;
};
constexpr Keeping keepings[] = {
    {"pytorch", 100, 0, 0.6, 0},
    {"keras", 10, 0, 0, 0.2},
    {"cumulative", 0, 0.4, 0.3, 0},
    {"all_new", 1000, 0.5, 0.3, 0},
    {"momentum_reversed", 900, 1, 0.3, 0},
    {"momentum_reversed", 990, 1, 0, 0.3},
    {"", 50, 1.2, 0.3, 0},
    {"", 200, 1.2, 0.3, 0},
    {"", 300, 1.2, 0.3, 0},
    {"", 500, 1.2, 0.3, 0},
    {"", 1, 1.2, 0, 0.3},
};

// What may be meant by a variance, a standard deviation or a mean.
struct Meaning {
  std::string_view slip;
  double cost;
};
constexpr Meaning meanings[] = {{"", 0},
                                {"no_root", 1},
                                {"root_taken", 1},
                                {"not_centered", 1.2},
                                {"sum_not_mean", 1.5},
                                {"one_pass_variance", 1.2}};
constexpr std::size_t most_steps = 4;

constexpr std::size_t most_zeros_added = 64;

// All that a mean and a variance are made of; zeros more or fewer change the count alone.
struct Moments {
  std::int64_t count = 0;
  std::int64_t zeros = 0;
  Rational sum;
  Rational sum_square;
  Wide one_pass_variance = 0;  // mean(x²) − μ² in float32
};

// From left to right, each operation rounded.
Wide one_pass_variance(const std::vector<Rational>& values) {
  const exact::Arithmetic float32{&exact::float32};
  std::vector<exact::Float> terms;
  std::vector<exact::Float> squares;
  for (const Rational& value : values) {
    terms.emplace_back(value, float32);
    squares.push_back(terms.back() * terms.back());
  }
  const exact::Float mean = exact::mean(terms);
  return static_cast<Wide>((exact::mean(squares) - mean * mean).value());
}

Moments moments_of(const Sample& batch, const std::vector<std::size_t>& members) {
  Moments moments;
  std::vector<Rational> values;
  std::vector<Rational> squares;
  for (const std::size_t i : members) {
    values.push_back(batch.input.values[i]);
    squares.push_back(values.back() * values.back());
    moments.zeros += values.back().is_zero() ? 1 : 0;
  }
  moments.count = static_cast<std::int64_t>(members.size());
  moments.sum = exact::sum(values);
  moments.sum_square = exact::sum(squares);
  moments.one_pass_variance = one_pass_variance(values);
  return moments;
}

bool is_a_mean(Quantity quantity) { return quantity == Quantity::mean || quantity == Quantity::running_mean; }

// Of one batch; NaN where it is 0/0 or the meaning does not belong to the quantity.
Wide batch_value(Quantity quantity, const Moments& moments, const StoredRule& rule) {
  const std::int64_t n = moments.count + (rule.zeros == Zeros::added ? static_cast<std::int64_t>(rule.count) : 0) -
                         (rule.zeros == Zeros::left_out ? moments.zeros : 0);
  const Wide undefined = std::numeric_limits<Wide>::quiet_NaN();
  if (n == 0) return undefined;
  const Rational mean = moments.sum / Rational(n);
  if (is_a_mean(quantity)) {
    if (rule.slip == "sum_not_mean") return to_wide(moments.sum);
    return rule.slip.empty() || rule.uses_variance ? to_wide(mean) : undefined;
  }
  const bool of_std = quantity == Quantity::std;
  if (rule.slip == "one_pass_variance")
    return of_std || rule.over != Core::Over::n || rule.zeros != Zeros::kept ? undefined : moments.one_pass_variance;
  if (of_std ? rule.slip == "root_taken" : rule.slip == "no_root") return undefined;
  const std::int64_t over = rule.slip == "sum_not_mean" ? 1 : rule.over == Core::Over::n ? n : n - 1;
  if (over == 0) return undefined;
  const Rational squares = rule.slip == "not_centered" ? moments.sum_square : moments.sum_square - moments.sum * mean;
  const Wide variance = to_wide(squares / Rational(over));
  const bool root = of_std != (rule.slip == "no_root" || rule.slip == "root_taken");
  return root ? std::sqrt(variance) : variance;
}

// The moments of a group in every batch.
using Batches = std::vector<Moments>;

Wide stored_value(Quantity quantity, const Batches& batches, StoredRule& rule) {
  Wide kept = quantity == Quantity::running_mean ? 0 : static_cast<Wide>(rule.start);
  Wide sum = 0;
  for (std::size_t step = 0; step < rule.steps; ++step)
    for (std::size_t b = 0; b < batches.size(); ++b) {
      rule.batch_value = batch_value(quantity, batches[b], rule);
      if (step == 0) sum += rule.batch_value;
      const Wide share = rule.share ? to_wide(*rule.share) : 1 / static_cast<Wide>(b + 1);
      kept = (1 - share) * kept + share * rule.batch_value;
    }
  const bool running = quantity == Quantity::running_mean || quantity == Quantity::running_var;
  return running ? kept : sum / static_cast<Wide>(batches.size());
}

class StoredSearch {
 public:
  explicit StoredSearch(const StoredQuestion& question) : question_(question) {}

  StoredAnswer run() {
    for (digits_ = Digits::shared; answer_.rules.empty(); digits_ = Digits::own) {
      for (const GroupingKind& kind : grouping_kinds())
        if (kind.layout != tensor::Axis::group && (!running() || kind.has_running_statistics)) try_kind(kind);
      if (digits_ == Digits::own) break;
    }
    finish();
    return std::move(answer_);
  }

 private:
  [[nodiscard]] bool running() const {
    return std::ranges::any_of(question_.numbers, [](const StoredNumber& number) {
      return number.quantity == Quantity::running_mean || number.quantity == Quantity::running_var;
    });
  }
  [[nodiscard]] bool uses_variance() const {
    return std::ranges::any_of(question_.numbers,
                               [](const StoredNumber& number) { return !is_a_mean(number.quantity); });
  }

  void try_kind(const GroupingKind& kind) {
    groups_.clear();
    for (const Sample& batch : question_.batches) {
      const auto grouping = make_grouping(kind, 1, batch);
      if (!grouping) return;
      groups_.resize(grouping->members.size());
      for (std::size_t g = 0; g < groups_.size(); ++g) groups_[g].push_back(moments_of(batch, grouping->members[g]));
    }
    const auto in_every_batch = [&](const Batches& batches) { return batches.size() == question_.batches.size(); };
    if (groups_.empty() || !std::ranges::all_of(groups_, in_every_batch) || groups_.front().front().count < 2) return;
    StoredRule rule;
    rule.grouping = &kind;
    rule.cost = question_.norm.empty() || question_.norm == kind.norm ? kind.cost : kind.cost + other_norm_cost;
    try_keepings(rule);
  }

  void try_keepings(StoredRule rule) {
    rule.uses_variance = uses_variance();
    if (!running()) return try_populations(rule, nullptr);
    rule.running = true;
    for (const Keeping& keeping : keepings)
      for (const std::int64_t start : {1, 0}) {
        StoredRule kept = rule;
        kept.keeper = keeping.keeper;
        kept.start = start;
        if (keeping.thousandths != 0) kept.share = Rational(keeping.thousandths, 1000);
        kept.cost += keeping.cost + (start == 1 ? 0 : 0.8);
        if (start == 0 && (!rule.uses_variance || keeping.thousandths == 1000 || keeping.thousandths == 0)) continue;
        try_populations(kept, &keeping);
        // The one batch that was given may have passed more than once.
        if (question_.batches.size() > 1 || keeping.cost > 0 || start != 1) continue;
        for (kept.steps = 2; kept.steps <= most_steps; ++kept.steps) {
          StoredRule again = kept;
          again.cost += 0.8;
          try_meanings(again, &keeping);
        }
      }
  }

  void try_populations(StoredRule rule, const Keeping* keeping) {
    try_meanings(rule, keeping);
    rule.zeros = Zeros::left_out;
    rule.cost += 0.8;
    if (std::ranges::any_of(groups_, [](const Batches& batches) { return batches.front().zeros != 0; }))
      try_meanings(rule, keeping);
    // Some number of zeros gives nearly anything: it takes a few digits, or two numbers, to believe in one.
    constexpr int enough_decimals = 3;
    const StoredNumber& first = question_.numbers.front();
    must_be_exact_ = question_.numbers.size() < 2 && first.values.front().decimals < enough_decimals;
    rule.zeros = Zeros::added;
    rule.cost += 0.7;
    const auto n = static_cast<std::size_t>(groups_.front().front().count);
    for (std::size_t k = 1; n <= most_zeros_added && k <= 4 * n; ++k) {
      rule.count = k;
      try_meanings(rule, keeping);
    }
    must_be_exact_ = false;
  }

  void try_meanings(const StoredRule& start, const Keeping* keeping) {
    for (const Meaning& meaning : meanings)
      for (const Core::Over over : {Core::Over::n, Core::Over::n_minus_one}) {
        const bool less = over == Core::Over::n_minus_one;
        if (less && (!start.uses_variance || meaning.slip == "sum_not_mean")) continue;
        StoredRule rule = start;
        rule.slip = meaning.slip;
        rule.over = over;
        rule.cost += meaning.cost;
        if (start.uses_variance && keeping) rule.cost += less ? keeping->cost_of_n_minus_one : keeping->cost_of_n;
        if (start.uses_variance && !keeping) rule.cost += less ? 0.3 : 0;
        try_groups(rule);
      }
  }

  // One number that stands for all groups, or one a group.
  void try_groups(StoredRule rule) {
    const std::size_t groups = groups_.size();
    const bool one_number =
        std::ranges::all_of(question_.numbers, [](const StoredNumber& n) { return n.values.size() == 1; });
    for (const StoredNumber& number : question_.numbers)
      if (number.values.size() != 1 && number.values.size() != groups) return;
    std::vector<std::size_t> fitting;
    Wide error = 0;
    for (std::size_t group = 0; group < groups; ++group) {
      const auto miss = miss_of(group, rule);
      if (miss.first) fitting.push_back(group);
      if (miss.first || !one_number) error = std::max(error, miss.second);
    }
    if (fitting.size() < groups && (!one_number || fitting.empty())) {
      if (rule.slip.empty() && rule.zeros == Zeros::kept && !fitting_exists_) consider_nearest(rule);
      return;
    }
    if (fitting.size() < groups) {
      rule.group = fitting.front();
      rule.cost += 0.5;
    }
    miss_of(fitting.front(), rule);
    rule.max_error = error;
    fitting_exists_ = true;
    answer_.rules.push_back(rule);
  }

  void consider_nearest(StoredRule rule) {
    Wide least = unbounded;
    for (std::size_t group = 0; group < groups_.size(); ++group) least = std::min(least, miss_of(group, rule).second);
    rule.max_error = least;
    if (std::isfinite(least) && (!answer_.nearest || least < answer_.nearest->max_error)) answer_.nearest = rule;
  }

  // Whether every number holds what the rule gives for a group, and by how much they differ.
  std::pair<bool, Wide> miss_of(std::size_t group, StoredRule& rule) const {
    Wide error = 0;
    bool all = true;
    for (const StoredNumber& number : question_.numbers) {
      Sample reading;
      set_output(reading, number.values, digits_);
      const Reading& read = reading.output[number.values.size() == 1 ? 0 : group];
      const Wide value = stored_value(number.quantity, groups_[group], rule);
      if (!std::isfinite(value)) return {!read.finite() && read.kind == text::Cell::Kind::nan, 0};
      const Wide slack = 16 * 0x1p-53L * std::fabs(value);
      if (must_be_exact_ && std::fabs(value - read.value) > slack) all = false;
      all = all && read.finite() && read.bounds.low - slack <= value && value <= read.bounds.high + slack;
      error = std::max(error, std::fabs(value - read.value));
    }
    return {all, error};
  }

  void finish() {
    std::ranges::stable_sort(answer_.rules, {}, &StoredRule::cost);
    if (answer_.rules.size() > most_rules) answer_.rules.resize(most_rules);
    if (answer_.rules.empty()) return;
    answer_.nearest.reset();
    const StoredRule& best = answer_.rules.front();
    const bool rival = std::ranges::any_of(answer_.rules, [&](const StoredRule& rule) {
      return rule.cost < best.cost + simpler_by / 2 &&
             (rule.over != best.over || rule.slip != best.slip || rule.share != best.share ||
              rule.grouping->norm != best.grouping->norm);
    });
    answer_.verdict = rival ? Verdict::ambiguous : Verdict::explained;
  }

  const StoredQuestion& question_;
  StoredAnswer answer_;
  std::vector<Batches> groups_;
  Digits digits_ = Digits::shared;
  bool fitting_exists_ = false;
  bool must_be_exact_ = false;  // a number of few digits that nearly anything gives
};

}  // namespace

StoredAnswer explain(const StoredQuestion& question) { return StoredSearch(question).run(); }

}  // namespace normtrace::classroom::explain
