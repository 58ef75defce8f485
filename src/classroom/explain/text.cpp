#include <algorithm>
#include <cmath>
#include <optional>

#include "classroom/explain/report.h"
#include "classroom/explain/report_words.h"
#include "classroom/explain/search.h"
#include "classroom/explain/telling.h"
#include "exact/decimal.h"
#include "norm/formulas.h"
#include "words/width.h"

namespace normtrace::classroom::explain {

using exact::Rational;
using exact::Value;
using words::Language;
using words::say;

namespace {

constexpr std::size_t most_numbers_shown = 8;
constexpr std::size_t most_rivals_shown = 4;
constexpr std::size_t most_names_shown = 3;
constexpr std::size_t most_order_shown = 16;
constexpr unsigned least_decimals_shown = 4;
constexpr unsigned most_decimals_shown = 10;

std::string id_of(std::string_view topic, std::string_view name) {
  return std::string(topic) + "." + std::string(name);
}

std::string number(const Rational& x) { return to_exact_text(x, 12, exact::PowerOfTen::e_notation); }

std::string listed(const std::vector<std::string_view>& names, Language language) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most_names_shown); ++i)
    text += (i == 0 ? "" : say(language, "eps.separator")) + std::string(names[i]);
  return names.size() > most_names_shown ? say(language, {"eps.and_others", {text}}) : text;
}

// "μ, σ² and σ".
std::string listed_quantities(const std::vector<std::string>& names, Language language) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : say(language, "eps.separator")) + name;
  return text;
}

std::string eps_sentence(const Eps& eps, Language language) {
  for (const Choice<EpsPlace>& place : eps_places()) {
    if (place.kind != eps.place) continue;
    std::string text = say(language, {id_of("eps", place.id), {eps_text(eps.value)}});
    if (!eps.name) return text;
    const std::string whose = eps.name->frameworks.empty()
                                  ? say(language, id_of("eps", eps.name->id))
                                  : say(language, {"eps.default_of", {listed(eps.name->frameworks, language)}});
    text = say(language, {"eps.of", {text, whose}});
    return text;
  }
  return {};
}

bool is_rms(const Rule& rule) { return rule.norm() == "rmsnorm"; }
bool has_usual_divisor(const Rule& rule) {
  return rule.core->statistic == Statistic::mean_squared_deviation || rule.core->statistic == Statistic::mean_square;
}

// What has no norm's name.
bool is_named_by_slip(const Rule& rule) { return rule.core->slip == "softmax" || rule.core->slip == "over_sum"; }

std::string norm_title(const Rule& rule, const Question& question, Language language) {
  if (is_named_by_slip(rule)) return say(language, id_of("norm_name", rule.core->slip));
  const bool initial = question.sample.running_mean.empty() && question.sample.running_var.empty();
  const std::string_view norm = rule.norm();
  if (rule.core->inference) {
    if (norm == "instancenorm") return say(language, "norm_name.instance_inference");
    const bool given = rule.core->statistic == Statistic::given_variance;
    return say(language, given && initial ? "norm_name.initial" : "norm_name.inference");
  }
  const std::string name = say(language, {id_of("norm_name", norm), {std::to_string(rule.groups)}});
  if (rule.grouping->id == "sample") return say(language, {"norm_over.sample", {name}});
  const bool own_axis = norm == rule.grouping->norm || rule.grouping->id == "token" || norm == "none";
  return own_axis ? name : say(language, {id_of("norm_over", rule.grouping->axis), {name}});
}

// The norm, and that another was meant.
std::string title(const Rule& rule, const Question& question, Language language) {
  const std::string name = norm_title(rule, question, language);
  const std::string& meant = question.sample.norm;
  if (meant.empty() || meant == rule.norm()) return name;
  return say(language, {"explain.not_meant", {name, say(language, id_of("norm_name", meant))}});
}

// "the mean μ was, the variance σ² was": each quantity that was rounded.
std::string rounded_quantities(const Rule& rule, Language language) {
  const Rounding& rounding = *rule.rounding;
  const std::string_view of_rms = rule.core->centre == Centre::zero ? "_rms" : "";
  std::vector<std::string> names;
  const auto add = [&](bool rounded, std::string_view name) {
    if (rounded) names.push_back(say(language, id_of("rounded", name)));
  };
  add(rounding.mean, "mean");
  add(rounding.squares, "squares" + std::string(of_rms));
  add(rounding.statistic, "statistic" + std::string(of_rms));
  add(rounding.root, "root" + std::string(of_rms));
  return listed_quantities(names, language);
}

std::string padding_clause(const Rule& rule, const Question& question, Language language) {
  const std::string one = rule.count == 1 ? "_one" : "";
  if (rule.core->centre != Centre::zero)
    return say(language, {"slip.padding_counted" + one, {std::to_string(rule.count)}});
  const auto grouping = make_grouping(*rule.grouping, rule.groups, question.sample);
  const std::size_t n = grouping ? grouping->members.front().size() : question.sample.input.width();
  return say(language, {"slip.padding_counted_rms" + one,
                        {std::to_string(rule.count), std::to_string(n + rule.count), std::to_string(n)}});
}

// A round factor as it is, another to four digits.
std::string altered_text(const Rational& x) {
  constexpr std::size_t longest = 8;
  const std::string exact = number(x);
  return exact.size() <= longest ? exact : rough(to_wide(x), 4);
}

std::string slip_clause(std::string_view slip, const Rule& rule, const Question& question, Language language) {
  if (slip == "rounded_midway")
    return say(language, {rule.rounding->digits == 0 ? "slip.rounded_midway_whole" : "slip.rounded_midway",
                          {std::to_string(rule.rounding->digits), rounded_quantities(rule, language)}});
  if (slip == "padding_counted") return padding_clause(rule, question, language);
  if (slip == "scaled") return say(language, {"slip.scaled", {altered_text(rule.factor)}});
  if (slip == "shifted") return say(language, {"slip.shifted", {altered_text(rule.shift)}});
  std::string argument = std::to_string(rule.count);
  if (slip == "stepped_statistics") argument = eps_text(rule.momentum->share);
  return say(language, {id_of("slip", slip), {argument}});
}

std::vector<std::string> clauses(const Rule& rule, const Question& question, Language language) {
  std::vector<std::string> all;
  if (rule.core->over == Core::Over::n_minus_one && !rule.core->inference)
    all.push_back(say(language, is_rms(rule) ? "slip.divisor_rms" : "slip.divisor"));
  if (rule.core->inference && rule.momentum && rule.core->over == Core::Over::n)
    all.push_back(say(language, "slip.stored_n"));
  for (const Choice<AffineUse>& use : affine_uses()) {
    if (use.kind != rule.affine || use.cost == 0) continue;
    if (use.kind == AffineUse::gamma_ignored || use.kind == AffineUse::both_ignored)
      all.push_back(say(language, "slip.gamma_ignored"));
    else if (use.slip.empty())
      all.push_back(say(language, id_of("slip", use.id)));
  }
  for (const std::string_view slip : rule.slips())
    if (!is_named_by_slip(rule) || slip != rule.core->slip) all.push_back(slip_clause(slip, rule, question, language));
  if (rule.eps.place == EpsPlace::added_to_result || rule.eps.place == EpsPlace::added_to_count ||
      rule.eps.place == EpsPlace::times_max_squared)
    all.push_back(eps_sentence(rule.eps, language));
  return all;
}

// ε keeps from 0/0, and that is all that is known of it.
constexpr Wide no_lower_limit = 1e-30L;
bool is_any_eps(const Eps& eps) {
  return eps.place != EpsPlace::none && !std::isfinite(eps.bounds.high) && eps.bounds.low > 0 &&
         eps.bounds.low < no_lower_limit;
}

// What the rule says of ε where it stands at a usual place.
bool has_nan(const Question& question) {
  return std::ranges::any_of(question.output,
                             [](const text::Cell& cell) { return cell.kind == text::Cell::Kind::nan; });
}

std::string eps_part(const Rule& rule, const std::vector<std::string>& said, const Question& question,
                     Language language) {
  if (is_any_eps(rule.eps)) return say(language, "explain.any_eps");
  if (rule.eps.place == EpsPlace::inside_root || rule.eps.place == EpsPlace::added_to_root)
    return say(language, {"explain.with_eps", {eps_sentence(rule.eps, language)}});
  if (rule.eps.place == EpsPlace::none && said.empty() && has_usual_divisor(rule) && has_nan(question))
    return say(language, "explain.without_eps");
  if (rule.eps.place == EpsPlace::none && said.empty() && has_usual_divisor(rule))
    return say(language, "explain.no_eps");
  return {};
}

std::string vector_text(const std::vector<Wide>& values, const std::vector<std::size_t>& places, unsigned decimals) {
  std::string text = "[";
  for (std::size_t i = 0; i < std::min(places.size(), most_numbers_shown); ++i) {
    const Wide value = values[places[i]];
    text += i == 0 ? "" : ", ";
    text += std::isfinite(value) ? to_fixed(Value(from_wide(value)), decimals) : "nan";
  }
  return text + (places.size() > most_numbers_shown ? ", …]" : "]");
}

std::vector<std::size_t> all_places(std::size_t count) {
  std::vector<std::size_t> places(count);
  for (std::size_t i = 0; i < count; ++i) places[i] = i;
  return places;
}

// The norm that this rule departs from, as PyTorch computes it.
struct Reference {
  Rule rule;
  bool differs = false;
};
Reference reference_of(const Rule& rule, std::string_view meant) {
  Reference reference{rule, false};
  Rule& usual = reference.rule;
  const bool raw = meant.empty() ? is_rms(rule) || rule.norm() == "l2" : meant == "rmsnorm";
  usual.core = &*std::ranges::find_if(
      cores(), [&](const Core& core) { return is_standard(core) && (core.norm == "rmsnorm") == raw; });
  usual.root = Root::root;
  usual.scale = Scale::one;
  usual.operation = Operation::divide;
  usual.negative = false;
  usual.affine = AffineUse::as_given;
  usual.rounding.reset();
  usual.momentum = nullptr;
  usual.count = 0;
  usual.outer_slips.clear();
  usual.factor = 1;
  usual.shift = 0;
  usual.eps = {EpsPlace::inside_root, raw ? exact::power_of_ten(-6) : exact::power_of_ten(-5), {}, nullptr};
  return reference;
}

// r, √(p/q) or p/q where a ratio is one of small whole numbers.
std::string ratio_text(Wide ratio) {
  constexpr std::int64_t largest = 1000;
  const auto fraction_of = [](Wide x) -> std::optional<exact::Rational> {
    for (std::int64_t q = 1; q <= largest; ++q) {
      const Wide p = std::round(x * static_cast<Wide>(q));
      if (p >= 1 && p <= 1e6L && std::fabs(x - p / static_cast<Wide>(q)) < 1e-13L * x)
        return exact::Rational(static_cast<std::int64_t>(p), q);
    }
    return std::nullopt;
  };
  // A fraction, and its decimals behind = or ≈.
  const auto with_decimals = [](const std::string& exact_text, const Value& value) {
    const exact::Decimal decimal = to_decimal(value, 4, exact::PowerOfTen::e_notation);
    return exact_text + (decimal.rounded ? " ≈ " : " = ") + decimal.text;
  };
  const std::string sign = ratio < 0 ? "-" : "";
  if (const auto plain = fraction_of(std::fabs(ratio))) {
    const std::string text = sign + plain->to_string();
    return plain->is_whole() ? text : with_decimals(text, Value(ratio < 0 ? -*plain : *plain));
  }
  if (const auto square = fraction_of(ratio * ratio)) {
    const std::string text = square->is_whole() ? square->to_string() : "(" + square->to_string() + ")";
    return with_decimals(sign + "√" + text, ratio < 0 ? -sqrt(Value(*square)) : sqrt(Value(*square)));
  }
  return "≈ " + to_decimal(Value(from_wide(ratio)), 4, exact::PowerOfTen::e_notation).text;
}

// The constant that a rule's outputs are of the usual ones, both without ε; 0 if there is none.
Wide constant_ratio(const Rule& rule, const Rule& usual, const Sample& sample) {
  Rule a = rule;
  Rule b = usual;
  a.eps = {};
  b.eps = {};
  const auto first = predict(a, sample);
  const auto second = predict(b, sample);
  Wide ratio = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (!std::isfinite(first[i]) || !std::isfinite(second[i]) || second[i] == 0) continue;
    const Wide here = first[i] / second[i];
    if (ratio == 0) ratio = here;
    if (std::fabs(here - ratio) > 1e-12L * std::fabs(ratio)) return 0;
  }
  return ratio;
}

class Report {
 public:
  Report(const Answer& answer, const Question& question, const render::Style& style)
      : answer_(answer), question_(question), language_(style.language), color_(style.color) {}

  std::string write() {
    const bool none = answer_.verdict == Verdict::none;
    const std::string first =
        none ? say(language_, "explain.none") : sentence(answer_.rules[0], answer_, question_, language_);
    text_ = (color_ ? "\x1b[1m" + first + "\x1b[0m" : first) + "\n";
    if (none)
      nearest();
    else
      evidence(answer_.rules[0]);
    others();
    return text_;
  }

 private:
  void line(const std::string& content) { text_ += "  " + content + "\n"; }
  void line(std::string_view id, std::vector<std::string> arguments) {
    line(say(language_, {std::string(id), std::move(arguments)}));
  }

  [[nodiscard]] unsigned decimals() const {
    unsigned decimals = 0;
    for (const text::Cell& cell : question_.output)
      decimals = std::max(decimals, static_cast<unsigned>(std::clamp(cell.decimals, 0, int{most_decimals_shown})));
    return decimals;
  }

  // The outputs of one group, as they were given.
  [[nodiscard]] std::string printed(const std::vector<std::size_t>& places) const {
    std::string text = "[";
    for (std::size_t i = 0; i < std::min(places.size(), most_numbers_shown); ++i) {
      text += i == 0 ? "" : ", ";
      if (places[i] >= question_.output.size()) {
        text += "–";
        continue;
      }
      const text::Cell& cell = question_.output[places[i]];
      switch (cell.kind) {
        case text::Cell::Kind::finite: text += to_fixed(Value(cell.value), decimals()); break;
        case text::Cell::Kind::nan: text += "nan"; break;
        case text::Cell::Kind::plus_infinity: text += "inf"; break;
        case text::Cell::Kind::minus_infinity: text += "-inf"; break;
      }
    }
    return text + (places.size() > most_numbers_shown ? ", …]" : "]");
  }

  [[nodiscard]] std::vector<std::size_t> first_group(const Rule& rule) const {
    if (const auto grouping = make_grouping(*rule.grouping, rule.groups, question_.sample))
      return grouping->members.front();
    return all_places(question_.sample.count());
  }

  void vectors(const Rule& rule) {
    const bool rearranged = std::ranges::any_of(rule.outer_slips, [](std::string_view slip) {
      return slip == "permuted" || slip == "transposed" || slip == "padding_left_out" || slip == "exchanged" ||
             slip == "gamma_first" || slip == "batch_of_one";
    });
    const bool computed_elsewhere = std::ranges::any_of(rule.outer_slips, [](std::string_view slip) {
      return slip == "float16_overflow" || slip == "one_pass_variance" || slip.ends_with("_cast") ||
             slip.starts_with("float") || slip.starts_with("bfloat");
    });
    const auto group = first_group(rule);
    const bool more = group.size() < question_.sample.count();
    std::vector<std::pair<std::string, std::string>> rows;
    rows.emplace_back(say(language_, "explain.printed"), printed(group));
    const bool nothing_to_compare = rule.core->statistic == Statistic::nothing;
    if (!nothing_to_compare && !rearranged && !computed_elsewhere) {
      const bool exactly = rule.max_error < 1e-15L;
      std::string row = vector_text(predict(rule, question_.sample), group,
                                    exactly ? decimals() : std::max(decimals(), least_decimals_shown));
      row += "  " +
             (exactly ? say(language_, "explain.exactly") : say(language_, {"explain.off", {rough(rule.max_error)}}));
      rows.emplace_back(say(language_, "explain.this_rule"), row);
    }
    const Reference reference = reference_of(rule, question_.sample.norm);
    std::string usual =
        vector_text(predict(reference.rule, question_.sample), group, std::max(decimals(), least_decimals_shown));
    if (reference.rule.structure() != rule.structure())
      rows.emplace_back(
          say(language_,
              {"explain.reference",
               {say(language_, {id_of("norm_name", reference.rule.norm()), {std::to_string(rule.groups)}})}}),
          usual);
    std::size_t width = 0;
    for (const auto& [head, body] : rows) width = std::max(width, words::display_width(head));
    for (const auto& [head, body] : rows) line(words::pad(head, width) + "  " + body);
    if (more) line(say(language_, only_first(rule)));
    if (!rule.order.empty()) line(order_line(rule));
    if (!rearranged && !computed_elsewhere)
      if (const Wide ratio = constant_ratio(rule, reference.rule, question_.sample);
          ratio != 0 && std::fabs(ratio - 1) > 1e-12L)
        line("explain.ratio", {ratio_text(ratio)});
  }

  [[nodiscard]] static std::string_view only_first(const Rule& rule) {
    if (rule.grouping->id == "token") return "explain.only_row";
    return rule.grouping->id == "feature" ? "explain.only_column" : "explain.only_group";
  }

  [[nodiscard]] std::string order_line(const Rule& rule) const {
    std::string order;
    for (std::size_t i = 0; i < std::min(rule.order.size(), most_order_shown); ++i)
      order += (i == 0 ? "" : say(language_, "eps.separator")) + std::to_string(rule.order[i] + 1);
    if (rule.order.size() > most_order_shown) order += say(language_, "eps.separator") + "…";
    const bool flat = question_.sample.count() == rule.order.size();
    return say(language_, {flat                 ? "explain.order_elements"
                           : rule.order_of_rows ? "explain.order_rows"
                                                : "explain.order_columns",
                           {order}});
  }

  void eps(const Rule& rule) {
    if (is_any_eps(rule.eps) || lies_within_a_half_type(rule) || rule.tolerance == Tolerance::whole_numbers) return;
    if (rule.eps.place != EpsPlace::none && std::isfinite(rule.eps.bounds.high) && rule.eps.bounds.low > 0 &&
        rule.eps.bounds.low < no_lower_limit)
      return line("explain.eps_at_most", {rough(rule.eps.bounds.high)});
    if (rule.eps.place != EpsPlace::none && std::isfinite(rule.eps.bounds.high) && rule.eps.bounds.low > 0) {
      const auto [low, high] = range_text(rule.eps.bounds);
      line("explain.eps_solved", {low, high});
      return;
    }
    for (const Rule& other : answer_.rules)
      if (other.structure() == rule.structure() && other.eps.place == EpsPlace::inside_root &&
          std::isfinite(other.eps.bounds.high) && rule.eps.place == EpsPlace::none) {
        line("explain.eps_hidden", {rough(other.eps.bounds.high)});
        return;
      }
  }

  [[nodiscard]] static bool lies_within_a_half_type(const Rule& rule) {
    return rule.tolerance == Tolerance::float16 || rule.tolerance == Tolerance::bfloat16;
  }

  // The one that was meant, where the rule is another norm.
  void mend_norm(const Rule& rule, std::vector<std::string>& names) const {
    const std::string& meant = question_.sample.norm;
    if (meant.empty()) {
      if (rule.grouping->id == "group") names.emplace_back("groupnorm");
      return;
    }
    if (meant == rule.norm()) return;
    if (meant == "rmsnorm") names.emplace_back("rms_meant");
    if (meant == "layernorm") names.emplace_back("layer_meant");
    if (meant == "batchnorm") names.emplace_back("batch_meant");
  }

  void mend(const Rule& rule) {
    std::vector<std::string> names;
    mend_norm(rule, names);
    if (rule.core->over == Core::Over::n_minus_one && !rule.core->inference && !is_rms(rule))
      names.emplace_back("divisor");
    for (const std::string_view slip : rule.slips())
      if (slip != "sqrt_d" || rule.core->centre == Centre::zero) names.emplace_back(slip);
    if (rule.affine == AffineUse::gamma_ignored || rule.affine == AffineUse::both_ignored)
      names.emplace_back(rule.norm() == "batchnorm" ? "gamma_ignored_batch" : "gamma_ignored");
    if (rule.affine == AffineUse::one_plus) names.emplace_back("one_plus");
    if (rule.affine == AffineUse::beta_first) names.emplace_back("beta_first");
    if (rule.affine == AffineUse::swapped) names.emplace_back("swapped");
    if (rule.core->inference) names.emplace_back("inference");
    if (rule.grouping->id == "feature" && question_.sample.norm.empty() && rule.core->norm.empty() &&
        !rule.core->inference)
      names.emplace_back("axis_feature");
    if (rule.eps.place != EpsPlace::none && rule.eps.place != EpsPlace::inside_root) names.emplace_back("eps_place");
    for (const std::string& name : names)
      if (words::knows(id_of("mend", name))) line("explain.mend", {say(language_, id_of("mend", name))});
  }

  void evidence(const Rule& rule) {
    if (answer_.tolerance != Tolerance::printed) line(say(language_, id_of("tolerance", id(answer_.tolerance))));
    vectors(rule);
    if (rule.core->statistic != Statistic::nothing) degenerate(rule);
    eps(rule);
    mend(rule);
  }

  // 0/0, and outputs that are β.
  void degenerate(const Rule& rule) {
    const auto predicted = predict(rule, question_.sample);
    const auto undefined = [](Wide x) { return std::isnan(x); };
    if (has_nan(question_) && std::ranges::any_of(predicted, undefined)) line(say(language_, "explain.zero_over_zero"));
    const auto grouping = make_grouping(*rule.grouping, rule.groups, question_.sample);
    if (!grouping || rule.core->centre != Centre::mean || std::ranges::any_of(predicted, undefined)) return;
    const Grouped grouped(question_.sample, *grouping);
    for (std::size_t group = 0; group < grouped.size(); ++group)
      if (grouped.group(group).sum_squared_deviation != 0) return;
    line(say(language_, grouped.group(0).count() == 1 ? "explain.all_single" : "explain.all_equal"));
  }

  void nearest() {
    if (!answer_.nearest) return line(say(language_, nothing_near()));
    const Rule& rule = *answer_.nearest;
    line("explain.nearest", {sentence(rule, answer_, question_, language_)});
    vectors(rule);
    if (!answer_.exceptions.empty()) return exceptions(rule);
    if (rule.factor != Rational(1)) return line(say(language_, "explain.nearest_scaled"));
    if (rule.eps.place == EpsPlace::inside_root && rule.eps.bounds.low > 0 && std::isfinite(rule.eps.bounds.high)) {
      Rule bare = rule;
      bare.eps = {};
      const auto with = predict(rule, question_.sample);
      const auto without = predict(bare, question_.sample);
      std::size_t largest = 0;
      for (std::size_t i = 0; i < with.size(); ++i)
        if (std::isfinite(with[i]) && std::fabs(with[i]) > std::fabs(with[largest])) largest = i;
      const Wide change = with[largest] == 0 ? 0 : without[largest] / with[largest] - 1;
      const auto divisor = divisors(rule);
      const auto [low, high] = range_text(rule.eps.bounds);
      line("explain.nearest_eps", {low, high, rough(divisor.first, 5), rough(divisor.second, 5), rough(100 * change)});
    } else {
      const unsigned held_to = std::max(decimals(), 1U);
      line("explain.nearest_off", {rough(rule.max_error), rough(std::pow(10.0L, -static_cast<Wide>(held_to)) / 2)});
    }
  }

  [[nodiscard]] std::string_view nothing_near() const {
    if (has_nan(question_)) return "explain.nan";
    const bool infinite = std::ranges::any_of(
        question_.output, [](const text::Cell& cell) { return cell.kind != text::Cell::Kind::finite; });
    return infinite ? "explain.infinite" : "explain.all_zero";
  }

  // The only outputs that are not as the nearest rule gives them.
  void exceptions(const Rule& rule) {
    const auto predicted = predict(rule, question_.sample);
    std::string numbers;
    for (std::size_t i = 0; i < std::min(answer_.exceptions.size(), most_numbers_shown); ++i)
      numbers += (i == 0 ? "" : say(language_, "eps.separator")) + std::to_string(answer_.exceptions[i] + 1);
    if (answer_.exceptions.size() > most_numbers_shown) numbers += say(language_, "eps.separator") + "…";
    if (answer_.exceptions.size() > 1) return line("explain.nearest_except_some", {numbers});
    const Wide value = predicted[answer_.exceptions.front()];
    const std::string right =
        std::isfinite(value) ? to_fixed(Value(from_wide(value)), std::max(decimals(), least_decimals_shown)) : "nan";
    line("explain.nearest_except", {numbers, say(language_, {"explain.should_be", {right}})});
  }

  // What the first group is divided by, with ε and without.
  [[nodiscard]] std::pair<Wide, Wide> divisors(const Rule& rule) const {
    if (const auto grouping = make_grouping(*rule.grouping, rule.groups, question_.sample)) {
      const Grouped grouped(question_.sample, *grouping);
      const Wide statistic = grouped.statistic(*rule.core, 0, {rule.count, rule.momentum, nullptr}).middle();
      return {std::sqrt(statistic + to_wide(rule.eps.value)), std::sqrt(statistic)};
    }
    return {0, 0};
  }

  [[nodiscard]] static unsigned decimals_that_differ(const Telling& telling) {
    Wide most = 0;
    for (std::size_t i = 0; i < std::min(telling.first.size(), telling.second.size()); ++i)
      most = std::max(most, std::fabs(telling.first[i] - telling.second[i]));
    unsigned decimals = least_decimals_shown;
    while (decimals < most_decimals_shown && most < 2 * to_wide(exact::power_of_ten(-static_cast<int>(decimals))))
      ++decimals;
    return decimals;
  }

  void others() {
    if (answer_.rival != 0) {
      line(say(language_, "explain.ambiguous"));
      std::vector<std::string> said = {sentence(answer_.rules[0], answer_, question_, language_)};
      std::vector<std::string> structures;
      for (const Rule& rule : answer_.rules) {
        if (rule.cost >= answer_.rules[0].cost + answer_.simpler_by || said.size() > most_rivals_shown) continue;
        const std::string also = sentence(rule, answer_, question_, language_);
        if (std::ranges::find(said, also) != said.end() || comes_to_the_same(answer_.rules[0], rule, question_.sample))
          continue;
        // What differs in ε alone is said once.
        if (std::ranges::find(structures, rule.structure()) != structures.end()) continue;
        structures.push_back(rule.structure());
        said.push_back(also);
        line("explain.also", {also});
      }
    }
    if (answer_.telling && !answer_.telling->input.empty()) {
      const Telling& telling = *answer_.telling;
      std::string input = "[";
      const std::size_t count = std::min(telling.input.size(), most_numbers_shown);
      for (std::size_t i = 0; i < count; ++i) input += (i == 0 ? "" : ", ") + number(telling.input[i]);
      const auto places = all_places(count);
      const unsigned shown = decimals_that_differ(telling);
      line("explain.telling",
           {input + "]", vector_text(telling.first, places, shown), vector_text(telling.second, places, shown)});
    }
  }

  const Answer& answer_;
  const Question& question_;
  Language language_;
  bool color_;
  std::string text_;
};

}  // namespace

std::string sentence(const Rule& rule, const Answer& answer, const Question& question, Language language) {
  const std::vector<std::string> said = clauses(rule, question, language);
  const std::string name = title(rule, question, language);
  const std::string eps = eps_part(rule, said, question, language);
  if (!said.empty()) return say(language, {"explain.but", {name, joined(said, language), eps}});
  std::string standard;
  if (has_usual_divisor(rule)) standard = say(language, is_rms(rule) ? "explain.standard_rms" : "explain.standard");
  if (answer.verdict == Verdict::rounding_only)
    return say(language, {"explain.rounding_only", {name + standard + eps}});
  return say(language, {"explain.plain", {name + standard, eps}});
}

std::string text(const Answer& answer, const Question& question, const render::Style& style) {
  return Report(answer, question, style).write();
}

}  // namespace normtrace::classroom::explain
