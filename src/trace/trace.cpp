#include "trace/trace.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace normtrace::trace {

using norm::StepKind;

const Step* GroupTrace::find(StepKind kind) const {
  const auto found = std::ranges::find(steps, kind, &Step::kind);
  return found == steps.end() ? nullptr : &*found;
}

const Value& GroupTrace::statistic(StepKind kind) const {
  const Step* const step = find(kind);
  if (!step) throw std::logic_error("the calculation has no step " + std::string(norm::id(kind)));
  return step->values.front();
}

const Value& GroupTrace::divisor() const {
  for (const StepKind kind : {StepKind::std_eps, StepKind::rms_eps, StepKind::std, StepKind::rms})
    if (const Step* const step = find(kind)) return step->values.front();
  throw std::logic_error("the calculation has no divisor");
}

std::string_view id(CheckStatus status) {
  switch (status) {
    case CheckStatus::exact: return "exact";
    case CheckStatus::below: return "below";
    case CheckStatus::other: return "other";
    case CheckStatus::undefined: return "undefined";
  }
  return {};
}

namespace {

class StepRecorder {
 public:
  explicit StepRecorder(std::vector<Step>& steps) : steps_(steps) {}
  void operator()(StepKind kind, const Value& statistic) const { steps_.push_back({kind, {statistic}}); }
  void operator()(StepKind kind, const std::vector<Value>& values) const { steps_.push_back({kind, values}); }

 private:
  std::vector<Step>& steps_;
};

Value sum_of_squares(const std::vector<Value>& values) {
  return sum(std::span<const Value>(norm::squares_of<Value>(values)));
}

Check check(const norm::Convention& convention, const GroupTrace& trace) {
  const std::vector<Value>& normalized = trace.find(StepKind::normalized)->values;
  const Value norm_squared = sum_of_squares(normalized);
  // The squares of the numerators are a step of both formulas, so the second road to Σx̂² does not touch x̂.
  const Value numerators = sum(std::span<const Value>(trace.find(StepKind::squares)->values));
  const Value& divisor = trace.divisor();
  const std::size_t target = normalized.size();
  const CheckStatus status = [&] {
    if (norm_squared.is_undefined()) return CheckStatus::undefined;
    if (proved_equal(norm_squared, Value(static_cast<std::int64_t>(target)))) return CheckStatus::exact;
    const bool plain = trace.find(StepKind::mean_square) || convention.divisor == norm::Divisor::n;
    if (plain && convention.eps_place == norm::EpsPlace::inside_root) return CheckStatus::below;
    return CheckStatus::other;
  }();
  return {status, norm_squared, numerators / (divisor * divisor), target};
}

std::vector<Value> select(const std::vector<exact::Rational>& values, const std::vector<std::size_t>& places) {
  std::vector<Value> selected;
  if (values.empty()) return selected;
  selected.reserve(places.size());
  for (const std::size_t place : places) selected.emplace_back(values[place]);
  return selected;
}

GroupTrace run_group(const Request& request, tensor::Group group) {
  const norm::Convention& convention = request.convention;
  const std::vector<Value> x = select(request.input.values, group.members);
  const std::vector<Value> gamma = select(convention.gamma, group.parameters);
  const std::vector<Value> beta = select(convention.beta, group.parameters);
  const norm::Setting<Value> setting{convention.divisor,   convention.eps, !convention.eps.is_zero(),
                                     convention.eps_place, gamma,          beta};
  GroupTrace result{std::move(group), {}, {}};
  StepRecorder record(result.steps);
  norm::apply<Value>(request.norm->formula, x, setting, record);
  result.check = check(convention, result);
  return result;
}

}  // namespace

Trace run(Request request) {
  Trace trace{std::move(request), {}, {}};
  trace.output.resize(trace.request.input.values.size());
  for (tensor::Group& group : tensor::partition(trace.request.input, trace.request.norm->axis)) {
    trace.groups.push_back(run_group(trace.request, std::move(group)));
    const GroupTrace& done = trace.groups.back();
    const std::vector<Value>& output = done.find(StepKind::output)->values;
    for (std::size_t i = 0; i < output.size(); ++i) trace.output[done.group.members[i]] = output[i];
  }
  return trace;
}

}  // namespace normtrace::trace
