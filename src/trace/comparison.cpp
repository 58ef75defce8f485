#include "trace/comparison.h"

#include <algorithm>
#include <utility>

#include "exact/decimal.h"
#include "trace/geometry.h"

namespace normtrace::trace {

using norm::StepKind;

const Trace* Comparison::find(std::string_view norm_id) const {
  const auto found =
      std::ranges::find_if(traces, [&](const Trace& trace) { return trace.request.norm->id == norm_id; });
  return found == traces.end() ? nullptr : &*found;
}

namespace {

std::string related(const Value& x, unsigned digits) {
  const exact::Decimal decimal = to_decimal(x, digits, exact::PowerOfTen::superscript);
  return (decimal.rounded ? "≈ " : "= ") + decimal.text;
}

// One token under LayerNorm and RMSNorm.
struct Pair {
  const GroupTrace& layer;
  const GroupTrace& root_mean_square;
  std::vector<Value> x;
  unsigned digits;

  // After γ and β: what the tables above the conclusions show.
  [[nodiscard]] const std::vector<Value>& layer_output() const { return layer.find(StepKind::output)->values; }
  [[nodiscard]] const std::vector<Value>& rms_output() const { return root_mean_square.find(StepKind::output)->values; }
  // Whether γ and β left x̂ as it was, in both.
  [[nodiscard]] bool outputs_are_normalized() const {
    const auto left = [](const GroupTrace& group) {
      return std::ranges::equal(group.find(StepKind::output)->values, group.find(StepKind::normalized)->values,
                                exact::proved_equal);
    };
    return left(layer) && left(root_mean_square);
  }
  [[nodiscard]] const Value& mean() const { return layer.statistic(StepKind::mean); }
  [[nodiscard]] bool defined() const {
    const auto divides = [](const Value& divisor) { return !divisor.is_undefined() && !divisor.is_zero(); };
    return divides(layer.divisor()) && divides(root_mean_square.divisor());
  }
};

using Messages = std::vector<words::Message>;

bool same_outputs(const Pair& pair) {
  return std::ranges::equal(pair.layer_output(), pair.rms_output(), exact::proved_equal);
}

// With mean 0 nothing is subtracted, and with the same divisor the results agree.
void equal_outputs(const Pair& pair, Messages& out) {
  if (pair.mean().is_zero() && same_outputs(pair)) out.push_back({"conclusion.equal_mean_zero", {}});
}

void moved_zeros(const Pair& pair, Messages& out) {
  const auto zero = std::ranges::find_if(pair.x, &Value::is_zero);
  if (zero == pair.x.end() || pair.mean().is_zero()) return;
  const auto place = static_cast<std::size_t>(zero - pair.x.begin());
  const Value& moved = pair.layer_output()[place];
  const Value& kept = pair.rms_output()[place];
  if (!kept.is_zero())  // only a β does that
    out.push_back({"conclusion.zeros_moved_by_beta", {related(moved, pair.digits), related(kept, pair.digits)}});
  else if (!moved.is_zero())  // a γ of 0 would leave nothing to see
    out.push_back({"conclusion.zeros_moved", {related(moved, pair.digits)}});
}

void shift(const Pair& pair, Messages& out) {
  if (pair.mean().is_zero()) return;
  const bool plain = pair.outputs_are_normalized();
  const std::vector<Value>& y = pair.rms_output();
  const Value mean = plain ? pair.mean() / pair.root_mean_square.divisor()
                           : sum(std::span<const Value>(y)) / Value(static_cast<std::int64_t>(y.size()));
  out.push_back({plain ? "conclusion.shift" : "conclusion.shift_of_output",
                 {related(pair.mean(), pair.digits), related(mean, pair.digits)}});
}

// cos∠(x̂ of LayerNorm, x̂ of RMSNorm) = σ/RMS, both without ε: the one is the projection of x on Σ = 0, up to length. After γ
// and β it is another angle.
void angle(const Pair& pair, Messages& out) {
  const Value centred =
      sum(std::span<const Value>(norm::squares_of<Value>(pair.layer.find(StepKind::deviations)->values)));
  const Value squares = sum(std::span<const Value>(pair.root_mean_square.find(StepKind::squares)->values));
  const bool plain = pair.outputs_are_normalized();
  const Value cosine = plain ? sqrt(centred / squares) : trace::cosine(pair.layer_output(), pair.rms_output());
  if (cosine.is_undefined() || (plain && cosine.is_zero()) || pair.mean().is_zero()) return;
  out.push_back({plain ? "conclusion.angle" : "conclusion.angle_of_outputs",
                 {related(cosine, pair.digits), related(degrees_of_cosine(cosine), 1)}});
}

constexpr auto pair_rules = {equal_outputs, moved_zeros, shift, angle};

std::string row_text(const std::vector<Value>& values, unsigned places) {
  std::string text;
  for (const Value& value : values) {
    text += text.empty() ? "[" : ", ";
    text += value.is_undefined() ? "nan" : exact::to_fixed(value, places);
  }
  return text + "]";
}

// What a framework's default ε would print, where that can be seen in the four decimals that frameworks print.
void framework_eps(const Trace& trace, std::vector<Conclusion>& conclusions) {
  constexpr unsigned places = 4;
  // PyTorch's RMSNorm has no such default: its ε is the machine's.
  if (trace.request.norm->formula != norm::Formula::standardize) return;
  if (!trace.request.convention.eps.is_zero() || trace.request.convention.divisor != norm::Divisor::n) return;
  Request request = trace.request;
  request.convention.eps = exact::power_of_ten(-5);
  const Trace with_eps = run(std::move(request));
  for (std::size_t i = 0; i < trace.groups.size(); ++i) {
    const std::string plain = row_text(trace.groups[i].find(StepKind::output)->values, places);
    const std::string other = row_text(with_eps.groups[i].find(StepKind::output)->values, places);
    if (plain != other)
      conclusions.push_back({trace.groups[i].group.name,
                             {"conclusion.pytorch_eps", {std::string(trace.request.norm->name), other, plain}}});
  }
}

// Whether the squares of every token's numbers add up to d, of x̂ or of the output.
bool on_the_sphere(const Comparison& comparison, StepKind kind) {
  for (const Trace& trace : comparison.traces) {
    if (trace.request.norm->axis != tensor::Axis::token) return false;
    for (const GroupTrace& group : trace.groups) {
      const Step* const step = group.find(kind);
      const Value squares = sum(std::span<const Value>(norm::squares_of<Value>(step->values)));
      const Value d(static_cast<std::int64_t>(step->values.size()));
      if (squares.is_undefined() || !proved_equal(squares, d)) return false;
    }
  }
  return true;
}

void all_norms_are_root_d(const Comparison& comparison, std::vector<Conclusion>& conclusions) {
  const std::string d = std::to_string(comparison.input().width());
  if (on_the_sphere(comparison, StepKind::output))
    conclusions.push_back({"", {"conclusion.all_norms", {d}}});
  else if (on_the_sphere(comparison, StepKind::normalized))
    conclusions.push_back({"", {"conclusion.all_norms_before", {d}}});
}

// Vectors longer than this are not looked at number by number: no reader would.
constexpr std::size_t longest_discussed = 64;
constexpr std::size_t most_tokens_discussed = 16;

}  // namespace

Comparison compare(const std::vector<Request>& requests, unsigned digits) {
  Comparison comparison;
  for (const Request& request : requests) comparison.traces.push_back(run(request));
  if (comparison.input().width() > longest_discussed || comparison.input().rows() > most_tokens_discussed)
    return comparison;
  const Trace* const layer = comparison.find("layernorm");
  const Trace* const rms = comparison.find("rmsnorm");
  if (layer && rms) {
    const tensor::Tensor& input = comparison.input();
    for (std::size_t row = 0; row < input.rows(); ++row) {
      Pair pair{layer->groups[row], rms->groups[row], {}, digits};
      for (std::size_t column = 0; column < input.width(); ++column) pair.x.emplace_back(input.at(row, column));
      if (!pair.defined()) continue;
      Messages messages;
      for (const auto rule : pair_rules) rule(pair, messages);
      for (words::Message& message : messages)
        comparison.conclusions.push_back({input.tokens[row], std::move(message)});
    }
  }
  all_norms_are_root_d(comparison, comparison.conclusions);
  for (const Trace& trace : comparison.traces) framework_eps(trace, comparison.conclusions);
  return comparison;
}

}  // namespace normtrace::trace
