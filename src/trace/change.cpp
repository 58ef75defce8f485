#include "trace/change.h"

#include <algorithm>
#include <utility>

#include "exact/decimal.h"
#include "trace/conventions.h"

namespace normtrace::trace {

using exact::Rational;
using norm::StepKind;

std::string_view id(Move move) {
  switch (move) {
    case Move::none: return "none";
    case Move::moved: return "moved";
    case Move::undefined: return "undefined";
    case Move::untold: return "untold";
  }
  return {};
}

bool Change::row_moved(std::size_t row) const {
  const std::size_t width = before.request.input.width();
  const auto begin = outputs.begin() + static_cast<std::ptrdiff_t>(row * width);
  return std::any_of(begin, begin + static_cast<std::ptrdiff_t>(width),
                     [](const OutputMove& output) { return output.move != Move::none; });
}

namespace {

using Messages = std::vector<words::Message>;

OutputMove compare_outputs(const Value& before, const Value& after) {
  if (before.is_undefined() || after.is_undefined()) return {Move::undefined, Value::undefined()};
  if (proved_equal(before, after)) return {Move::none, 0};
  OutputMove result{Move::moved, after - before};
  try {
    static_cast<void>(result.difference.sign());
  } catch (const exact::Unproved&) {
    result.move = Move::untold;
  }
  return result;
}

tensor::Tensor edited(tensor::Tensor input, const Edit& edit) {
  for (Rational& x : input.values) x = edit.scale * x + edit.shift;
  if (edit.set) input.values[edit.set->row * input.width() + edit.set->column] = edit.set->value;
  return input;
}

// How the x̂ of a group answers.
enum class Answer { same, flipped, other, undefined };

// As a word of a sentence: "2", "≈ 2.258".
std::string shown(const Value& x, unsigned digits) {
  if (x.is_undefined()) return "nan";
  const exact::Decimal decimal = to_decimal(x, digits, exact::PowerOfTen::superscript);
  return (decimal.rounded ? "≈ " : "") + decimal.text;
}

// The same group of elements before and after.
struct Pair {
  const Change& change;
  const GroupTrace& before;
  const GroupTrace& after;
  unsigned digits;

  [[nodiscard]] const Request& request() const { return change.before.request; }
  [[nodiscard]] const norm::Convention& convention() const { return request().convention; }
  [[nodiscard]] const std::vector<Value>& old_x_hat() const { return before.find(StepKind::normalized)->values; }
  [[nodiscard]] const std::vector<Value>& new_x_hat() const { return after.find(StepKind::normalized)->values; }
  [[nodiscard]] bool over_batch() const { return request().norm->axis == tensor::Axis::feature; }
  [[nodiscard]] bool subtracts_mean() const { return request().norm->formula == norm::Formula::standardize; }
  [[nodiscard]] bool only_divides() const { return request().norm->formula == norm::Formula::divide_by_rms; }
  [[nodiscard]] bool constant() const { return before.statistic(StepKind::variance).is_zero(); }
  [[nodiscard]] bool has_eps() const { return !convention().eps.is_zero(); }

  [[nodiscard]] Answer answer() const {
    const auto undefined = [](const std::vector<Value>& x) { return std::ranges::any_of(x, &Value::is_undefined); };
    if (undefined(old_x_hat()) || undefined(new_x_hat())) return Answer::undefined;
    if (std::ranges::equal(old_x_hat(), new_x_hat(), exact::proved_equal)) return Answer::same;
    if (std::ranges::equal(old_x_hat(), new_x_hat(),
                           [](const Value& x, const Value& y) { return proved_equal(-x, y); }))
      return Answer::flipped;
    return Answer::other;
  }
  [[nodiscard]] std::string shown(const Value& x) const { return trace::shown(x, digits); }
  [[nodiscard]] std::string bare(const Rational& x) const {
    return to_exact_text(x, digits, exact::PowerOfTen::superscript);
  }
};

// What ε does where it spoils an invariance: what x̂ was multiplied by beside the sign of the scale.
words::Message eps_effect(const Pair& pair) {
  const Value scale = abs(Value(pair.change.edit.scale));
  const Value factor = scale * pair.before.divisor() / pair.after.divisor();
  return {pair.change.edit.scale.sign() < 0 ? "change.eps_flipped" : "change.eps_same",
          {pair.bare(pair.convention().eps), pair.shown(factor), pair.shown(pair.before.divisor()),
           pair.shown(pair.after.divisor()), pair.bare(abs(pair.change.edit.scale))}};
}

words::Message centred_reason(const Pair& pair, Answer answer) {
  const Edit& edit = pair.change.edit;
  if (pair.constant()) return {"change.constant", {}};
  if (answer == Answer::flipped) return {"change.flipped", {}};
  if (answer == Answer::other) return eps_effect(pair);
  return {edit.scale.is_one() ? "change.same_shift" : "change.same_scale_shift", {}};
}

words::Message rms_reason(const Pair& pair, Answer answer) {
  const Edit& edit = pair.change.edit;
  if (!edit.shift.is_zero() && answer == Answer::other)
    return {"change.rms_shift", {pair.shown(pair.before.divisor()), pair.shown(pair.after.divisor())}};
  if (answer == Answer::flipped) return {"change.flipped_rms", {}};
  if (answer == Answer::other) return eps_effect(pair);
  return {edit.shift.is_zero() ? "change.same_scale_rms" : "change.same", {}};
}

words::Message scaled_verdict(const Pair& pair) {
  const Edit& edit = pair.change.edit;
  const Answer answer = pair.answer();
  if (edit.scale.is_one() && edit.shift.is_zero()) return {"change.nothing_done", {}};
  if (answer == Answer::undefined) return {"change.undefined", {}};
  if (edit.scale.is_zero()) return {"change.scale_zero", {}};
  if (pair.subtracts_mean()) return centred_reason(pair, answer);
  if (pair.only_divides()) return rms_reason(pair, answer);
  switch (answer) {
    case Answer::same: return {"change.same", {}};
    case Answer::flipped: return {"change.flipped_rms", {}};
    default: return {"change.other", {}};
  }
}

// The group that holds the number that was set.
words::Message touched_group(const Pair& pair) {
  const std::size_t count = pair.before.group.members.size();
  const Answer answer = pair.answer();
  if (answer == Answer::undefined) return {"change.undefined", {}};
  if (answer == Answer::other) {
    const auto& before = pair.old_x_hat();
    std::size_t moved = 0;
    for (std::size_t i = 0; i < count; ++i) moved += proved_equal(before[i], pair.new_x_hat()[i]) ? 0 : 1;
    if (count == 2 && pair.subtracts_mean() && pair.has_eps()) return {"change.two_eps", {}};
    return {pair.over_batch() ? "change.batch_moved" : "change.token_moved",
            {std::to_string(moved), std::to_string(count)}};
  }
  if (count == 2 && pair.subtracts_mean())
    return {answer == Answer::same ? "change.two_same" : "change.two_flipped", {}};
  return {answer == Answer::same ? "change.same_by_chance" : "change.flipped_by_chance", {}};
}

// The first row that was not touched and moved all the same.
void coupling(const Change& change, unsigned digits, std::vector<Conclusion>& verdicts) {
  const tensor::Tensor& input = change.before.request.input;
  const bool over_batch = change.before.request.norm->axis == tensor::Axis::feature;
  std::vector<std::size_t> others;
  for (std::size_t row = 0; row < input.rows(); ++row)
    if (row != change.edit.set->row) others.push_back(row);
  if (others.empty()) return;
  const auto moved = std::ranges::find_if(others, [&](std::size_t row) { return change.row_moved(row); });
  if (moved == others.end()) {
    verdicts.push_back({"", {over_batch ? "change.batch_unmoved" : "change.tokens_apart", {}}});
  } else {
    const std::size_t place = *moved * input.width() + change.edit.set->column;
    verdicts.push_back(
        {input.tokens[*moved],
         {"change.coupled", {shown(change.before.output[place], digits), shown(change.after.output[place], digits)}}});
  }
  if (over_batch && input.width() > 1) verdicts.push_back({"", {"change.features_apart", {}}});
}

// Where outputs moved and the digits printed do not show it.
void hidden_move(const Change& change, unsigned digits, std::vector<Conclusion>& verdicts) {
  const bool moved = std::ranges::any_of(change.outputs, [](const OutputMove& o) { return o.move == Move::moved; });
  const bool visible = !std::ranges::equal(change.before.output, change.after.output,
                                           [&](const Value& x, const Value& y) { return prints_same(x, y, digits); });
  if (!moved || visible) return;
  if (const auto decimal = parting_decimal(change.before.output, change.after.output))
    verdicts.push_back({"", {"change.hidden", {std::to_string(digits), std::to_string(*decimal)}}});
}

// The same sentence about every group is said once, about all.
void add(std::vector<Conclusion> said, std::vector<Conclusion>& verdicts) {
  const bool alike = std::ranges::all_of(said, [&](const Conclusion& c) { return c.message == said.front().message; });
  if (!said.empty() && alike) said = {{said.size() == 1 ? said.front().token : "", said.front().message}};
  std::ranges::move(said, std::back_inserter(verdicts));
}

std::vector<Conclusion> judge(const Change& change, unsigned digits) {
  std::vector<Conclusion> verdicts;
  std::vector<Conclusion> said;
  const std::size_t place =
      change.edit.set ? change.edit.set->row * change.before.request.input.width() + change.edit.set->column : 0;
  if (change.edit.set && change.edit.set->value == change.before.request.input.values[place])
    return {{"", {"change.nothing_done", {}}}};
  for (std::size_t i = 0; i < change.before.groups.size(); ++i) {
    const Pair pair{change, change.before.groups[i], change.after.groups[i], digits};
    const auto& members = pair.before.group.members;
    if (!change.edit.set)
      said.push_back({pair.before.group.name, scaled_verdict(pair)});
    else if (std::ranges::find(members, place) != members.end())
      said.push_back({pair.before.group.name, touched_group(pair)});
  }
  add(std::move(said), verdicts);
  if (change.edit.set) coupling(change, digits, verdicts);
  hidden_move(change, digits, verdicts);
  return verdicts;
}

}  // namespace

Change change(const Request& before, const Edit& edit, unsigned digits) {
  Request after = before;
  after.input = edited(before.input, edit);
  Change result{edit, run(before), run(std::move(after)), {}, {}};
  for (std::size_t i = 0; i < result.before.output.size(); ++i)
    result.outputs.push_back(compare_outputs(result.before.output[i], result.after.output[i]));
  result.verdicts = judge(result, digits);
  return result;
}

}  // namespace normtrace::trace
