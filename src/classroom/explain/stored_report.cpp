#include <algorithm>
#include <cmath>

#include "classroom/explain/report_words.h"
#include "classroom/explain/stored.h"
#include "render/json_writer.h"

namespace normtrace::classroom::explain {

using exact::Rational;
using words::Language;
using words::say;
using Zeros = StoredRule::Zeros;

namespace {

bool is_running(const StoredRule& rule) { return rule.running; }

std::vector<std::string> clauses(const StoredRule& rule, bool of_std, Language language) {
  std::vector<std::string> all;
  if (rule.uses_variance && rule.slip != "sum_not_mean" && rule.slip != "not_centered")
    all.push_back(say(language, rule.over == Core::Over::n ? "stored.over_n" : "stored.over_n_minus_one"));
  if (is_running(rule)) {
    const std::string share = rule.share ? eps_text(*rule.share) : "";
    if (!rule.share)
      all.push_back(say(language, "stored.cumulative"));
    else
      all.push_back(
          say(language, {rule.keeper.empty() ? "stored.share" : "stored." + std::string(rule.keeper), {share}}));
    if (rule.start == 0) all.push_back(say(language, "stored.start_zero"));
  }
  if (rule.steps > 1) all.push_back(say(language, {"stored.steps", {std::to_string(rule.steps)}}));
  if (rule.slip == "not_centered")
    all.push_back(say(language, of_std ? "stored.not_centered_std" : "stored.not_centered_variance"));
  else if (rule.slip == "sum_not_mean" && !rule.uses_variance)
    all.push_back(say(language, "stored.plain_sum"));
  else if (!rule.slip.empty())
    all.push_back(say(language, "slip." + std::string(rule.slip)));
  if (rule.zeros == Zeros::left_out) all.push_back(say(language, "slip.padding_left_out"));
  if (rule.zeros == Zeros::added) all.push_back(say(language, {"slip.padding_counted", {std::to_string(rule.count)}}));
  if (all.empty()) all.push_back(say(language, "stored.plain_mean"));
  if (rule.group) all.push_back(say(language, {"stored.one_group", {std::to_string(*rule.group + 1)}}));
  return all;
}

// What the numbers are called: "running_var", or "mean, variance".
std::string names(const StoredQuestion& question, Language language) {
  std::string text;
  for (const StoredNumber& number : question.numbers)
    text += (text.empty() ? "" : say(language, "list.separator")) + std::string(id(number.quantity));
  return text;
}

void write_rule(render::JsonWriter& json, const StoredRule& rule, const StoredQuestion& question,
                const render::Style& style) {
  json.begin_object();
  std::string name = std::string(id(question.numbers.front().quantity)) + " " + std::string(rule.grouping->id);
  if (rule.uses_variance) name += rule.over == Core::Over::n ? " n" : " n-1";
  if (!rule.keeper.empty()) name += " " + std::string(rule.keeper);
  json.member("id", name);
  json.member("norm", rule.grouping->norm);
  json.key("divisor");
  if (rule.uses_variance)
    json.string(rule.over == Core::Over::n ? "n" : "n-1");
  else
    json.null();
  json.key("eps");
  json.begin_object();
  json.key("value");
  json.input(0);
  json.member("place", "none");
  json.key("name");
  json.null();
  json.end_object();
  json.member("axis", rule.grouping->axis);
  json.member("mode", "training");
  json.member("affine", "as_given");
  json.key("momentum");
  if (is_running(rule) && rule.share)
    json.input(*rule.share);
  else
    json.null();
  json.key("slips");
  json.begin_array();
  if (!rule.slip.empty()) json.string(rule.slip);
  if (rule.zeros == Zeros::left_out) json.string("padding_left_out");
  if (rule.zeros == Zeros::added) json.string("padding_counted");
  if (rule.keeper == "cumulative" || rule.keeper == "momentum_reversed") json.string(rule.keeper);
  json.end_array();
  json.key("cost");
  json.machine(steady(rule.cost));
  json.key("max_error");
  json.machine(rule.max_error < 1e-15L ? 0 : steady(rule.max_error, 3));
  json.member("sentence", sentence(rule, question, style.language));
  json.end_object();
}

}  // namespace

std::string sentence(const StoredRule& rule, const StoredQuestion& question, Language language) {
  const bool whole = rule.grouping->norm == "whole";
  const std::string name = say(language, whole ? "stored.whole" : "norm_name." + std::string(rule.grouping->norm));
  const bool of_std = question.numbers.front().quantity == Quantity::std;
  return say(language,
             {"stored.sentence", {names(question, language), name, joined(clauses(rule, of_std, language), language)}});
}

std::string text(const StoredAnswer& answer, const StoredQuestion& question, const render::Style& style) {
  const Language language = style.language;
  std::string text;
  const auto line = [&](const words::Message& message) { text += "  " + say(language, message) + "\n"; };
  if (answer.rules.empty()) {
    text = say(language, "explain.none") + "\n";
    if (answer.nearest) {
      line({"explain.nearest", {sentence(*answer.nearest, question, language)}});
      line({"stored.off", {rough(answer.nearest->max_error)}});
    }
    return text;
  }
  const StoredRule& best = answer.rules.front();
  const std::string first = sentence(best, question, language);
  text = (style.color ? "\x1b[1m" + first + "\x1b[0m" : first) + "\n";
  if (is_running(best) && best.share && question.numbers.size() == 1) {
    const bool of_mean = question.numbers.front().quantity == Quantity::running_mean;
    line({"stored.sum",
          {eps_text(Rational(1) - *best.share),
           question.batches.size() == 1 ? std::to_string(of_mean ? 0 : best.start) : say(language, "stored.before"),
           eps_text(*best.share), rough(best.batch_value, 6)}});
  }
  if (best.uses_variance && best.slip.empty()) line({"stored.n_hint", {}});
  if (answer.verdict == Verdict::ambiguous) {
    line({"explain.ambiguous", {}});
    std::vector<std::string> said = {first};
    for (const StoredRule& rule : answer.rules) {
      const std::string also = sentence(rule, question, language);
      if (rule.cost >= best.cost + simpler_by || said.size() > 3 || std::ranges::find(said, also) != said.end())
        continue;
      said.push_back(also);
      line({"explain.also", {also}});
    }
  }
  return text;
}

std::string json(const StoredAnswer& answer, const StoredQuestion& question, const std::vector<words::Message>& notes,
                 const render::Style& style) {
  return answer_json(id(answer.verdict), notes, style, [&](render::JsonWriter& json) {
    json.key("rules");
    json.begin_array();
    for (const StoredRule& rule : answer.rules) write_rule(json, rule, question, style);
    json.end_array();
    json.key("nearest");
    if (answer.nearest)
      write_rule(json, *answer.nearest, question, style);
    else
      json.null();
  });
}

}  // namespace normtrace::classroom::explain
