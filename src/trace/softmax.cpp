#include "trace/softmax.h"

#include <algorithm>

#include "norm/formulas.h"

namespace normtrace::trace {

using exact::Rational;

namespace {

using Values = std::vector<Value>;

bool less(const Value& x, const Value& y) { return compare(x, y) < 0; }

std::size_t place_of_largest(const Values& scores) {
  return static_cast<std::size_t>(std::ranges::max_element(scores, less) - scores.begin());
}

// The largest score is taken away first: e^0 = 1 stays exact, and equal scores give equal fractions.
Values exponentials(const Values& scores) {
  const Value& largest = scores[place_of_largest(scores)];
  return norm::each<Value>(scores, [&](const Value& s) { return exp(s - largest); });
}

// ∂pᵢ/∂sᵢ, what is left of a gradient on its way to a score.
Values slopes(const Values& p) {
  return norm::each<Value>(p, [](const Value& p_i) { return p_i * (Value(1) - p_i); });
}

Section weights(std::string name, Remark title, const Values& scores) {
  Section section{std::move(name), std::move(title), {}};
  section.given("scores", "s", scores);
  const Values p = softmax(scores);
  section.numbers("weights", "p", "e^sᵢ/Σe^sⱼ", p);
  section.numbers("slopes", "p(1-p)", "", slopes(p));
  return section;
}

bool all_equal(const Values& scores) {
  return std::ranges::all_of(scores, [&](const Value& s) { return proved_equal(s, scores.front()); });
}

// How far every score lies below the largest. A softmax is compared by what it is of: these are exact.
Values gaps(const Values& scores) {
  const Value& largest = scores[place_of_largest(scores)];
  return norm::each<Value>(scores, [&](const Value& s) { return largest - s; });
}

// Whether the same weights stand there, in this order or another.
bool same_weights(Values x, Values y, bool any_order) {
  if (any_order) {
    std::ranges::sort(x, less);
    std::ranges::sort(y, less);
  }
  return std::ranges::equal(x, y, exact::proved_equal);
}

// Sharper is what gives more to its largest weight, whichever score has it.
Remark verdict(const Values& before, const Values& after) {
  const Values p = softmax(before);
  const Values q = softmax(after);
  if (all_equal(before) && all_equal(after)) return {"softmax.uniform", {q.front()}};
  const std::size_t largest = place_of_largest(before);
  const std::size_t highest = place_of_largest(after);
  // Of equal scores the one that was the largest before.
  const std::size_t now = proved_equal(after[largest], after[highest]) ? largest : highest;
  const std::string place = std::to_string(largest + 1);
  const std::string place_now = std::to_string(now + 1);
  if (same_weights(gaps(before), gaps(after), false)) return {"softmax.same", {place, p[largest]}};
  if (same_weights(gaps(before), gaps(after), true)) return {"softmax.exchanged", {place, p[largest], place_now}};
  const bool sharper = compare(q[now], p[largest]) > 0;
  if (now != largest)
    return {sharper ? "softmax.sharper_elsewhere" : "softmax.flatter_elsewhere",
            {place, p[largest], place_now, q[now], slopes(p)[largest], slopes(q)[now]}};
  return {sharper ? "softmax.sharper" : "softmax.flatter",
          {place, p[largest], q[largest], slopes(p)[largest], slopes(q)[largest]}};
}

// [1·3+2·4 over √2] for each key.
std::vector<Expression> dot_products(const Attention& attention) {
  std::vector<Expression> result;
  const Value d(static_cast<std::int64_t>(attention.query.size()));
  for (const auto& key : attention.keys) {
    Expression dot = {"("};
    for (std::size_t i = 0; i < key.size(); ++i) {
      if (i != 0) dot.emplace_back("+");
      dot.insert(dot.end(), {Value(attention.query[i]), "·", Value(key[i])});
    }
    dot.insert(dot.end(), {")/√", d});
    result.push_back(std::move(dot));
  }
  return result;
}

Values values(const std::vector<Rational>& x) { return {x.begin(), x.end()}; }

Section attention_section(std::string name, Remark title, const Attention& attention) {
  Section section = weights(std::move(name), std::move(title), attention.scores());
  section.items.front().formula = "q·kⱼ/√d";
  section.items.front().substitution = dot_products(attention);
  Section vectors;
  vectors.given("query", "q", values(attention.query));
  for (std::size_t j = 0; j < attention.keys.size(); ++j) {
    const std::string name = attention.names.empty() ? "k" + std::to_string(j + 1) : attention.names[j];
    vectors.given("key", name, values(attention.keys[j]));
  }
  section.items.insert(section.items.begin(), vectors.items.begin(), vectors.items.end());
  return section;
}

// The ratio of each score to what it was; undefined where it was 0.
Values ratios(const Values& before, const Values& after) {
  Values result;
  for (std::size_t i = 0; i < before.size(); ++i) result.push_back(after[i] / before[i]);
  return result;
}

}  // namespace

Values softmax(const Values& scores) {
  Values p = exponentials(scores);
  const Value total = sum(std::span<const Value>(p));
  for (Value& p_i : p) p_i = p_i / total;
  return p;
}

Values Attention::scores() const {
  const Value root = sqrt(Value(static_cast<std::int64_t>(query.size())));
  Values result;
  for (const auto& key : keys) {
    std::vector<Rational> products;
    for (std::size_t i = 0; i < key.size(); ++i) products.push_back(query[i] * key[i]);
    result.push_back(Value(exact::sum(products)) / root);
  }
  return result;
}

Attention Attention::scaled(const Rational& times) const {
  const auto scale = [&](const std::vector<Rational>& y, const std::vector<Rational>& bias) {
    std::vector<Rational> result;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const Rational b = bias.empty() ? Rational() : bias[i];
      result.push_back(times * (y[i] - b) + b);
    }
    return result;
  };
  Attention result = *this;
  result.query = scale(query, query_bias);
  for (auto& key : result.keys) key = scale(key, key_bias);
  return result;
}

Report softmax_report(const Values& scores, const Rational& times) {
  const Values after = norm::each<Value>(scores, [&](const Value& s) { return Value(times) * s; });
  Report report{"softmax", {"softmax.title", {std::to_string(scores.size())}}, {}};
  report.sections.push_back(weights("before", {"softmax.before"}, scores));
  report.sections.push_back(weights("after", {"softmax.after", {given(times)}}, after));
  report.remarks.push_back(verdict(scores, after));
  report.remarks.push_back({"softmax.differences"});
  return report;
}

Report attention_report(const Attention& attention, const Rational& times) {
  const Attention after = attention.scaled(times);
  const Values before_scores = attention.scores();
  const Values after_scores = after.scores();
  Report report{"softmax", {"softmax.attention_title", {std::to_string(attention.keys.size())}}, {}};
  report.sections.push_back(attention_section("before", {"softmax.before"}, attention));
  report.sections.push_back(attention_section("after", {"softmax.hidden_after", {given(times)}}, after));
  report.sections.back().numbers("score_ratios", "", "", ratios(before_scores, after_scores));
  const bool biased = !attention.query_bias.empty() || !attention.key_bias.empty();
  report.remarks.push_back(verdict(before_scores, after_scores));
  report.remarks.push_back({biased ? "softmax.with_bias" : "softmax.without_bias", {given(times * times)}});
  return report;
}

}  // namespace normtrace::trace
