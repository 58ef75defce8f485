#include "trace/comparison.h"

#include <algorithm>
#include <utility>

#include "exact/decimal.h"

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

  [[nodiscard]] const std::vector<Value>& layer_output() const { return layer.find(StepKind::normalized)->values; }
  [[nodiscard]] const std::vector<Value>& rms_output() const {
    return root_mean_square.find(StepKind::normalized)->values;
  }
  [[nodiscard]] const Value& mean() const { return layer.statistic(StepKind::mean); }
  [[nodiscard]] bool defined() const { return !layer.divisor().is_zero() && !root_mean_square.divisor().is_zero(); }
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
  const Value& moved = pair.layer_output()[static_cast<std::size_t>(zero - pair.x.begin())];
  out.push_back({"conclusion.zeros_moved", {related(moved, pair.digits)}});
}

void shift(const Pair& pair, Messages& out) {
  if (pair.mean().is_zero()) return;
  out.push_back(
      {"conclusion.shift",
       {related(pair.mean(), pair.digits), related(pair.mean() / pair.root_mean_square.divisor(), pair.digits)}});
}

// cos∠(LN, RMSNorm) = σ/RMS, both without ε: x̂ of LayerNorm is the projection of x on Σ = 0, up to length.
void angle(const Pair& pair, Messages& out) {
  const Value centred =
      sum(std::span<const Value>(norm::squares_of<Value>(pair.layer.find(StepKind::deviations)->values)));
  const Value squares = sum(std::span<const Value>(pair.root_mean_square.find(StepKind::squares)->values));
  const Value cosine = sqrt(centred / squares);
  if (cosine.is_undefined() || cosine.is_zero() || pair.mean().is_zero()) return;
  out.push_back({"conclusion.angle", {related(cosine, pair.digits), related(degrees_of_cosine(cosine), 1)}});
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

void all_norms_are_root_d(const Comparison& comparison, std::vector<Conclusion>& conclusions) {
  for (const Trace& trace : comparison.traces)
    for (const GroupTrace& group : trace.groups)
      if (group.check.status != CheckStatus::exact || trace.request.norm->axis != tensor::Axis::token) return;
  const std::string d = std::to_string(comparison.input().width());
  conclusions.push_back({"", {"conclusion.all_norms", {d}}});
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
