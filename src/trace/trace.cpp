#include "trace/trace.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace normtrace::trace {

using exact::Float;
using exact::Rational;
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
  void operator()(StepKind kind, const Value& statistic) const { steps_.push_back({kind, {statistic}, {}}); }
  void operator()(StepKind kind, const std::vector<Value>& values) const { steps_.push_back({kind, values, {}}); }

 private:
  std::vector<Step>& steps_;
};

// Writes what a machine computes beside the exact values of the same steps.
class MachineRecorder {
 public:
  explicit MachineRecorder(std::vector<Step>& steps) : steps_(steps) {}
  void operator()(StepKind kind, const Float& statistic) { (*this)(kind, std::vector<Float>{statistic}); }
  void operator()(StepKind kind, const std::vector<Float>& values) {
    Step& step = steps_.at(next_++);
    if (step.kind != kind) throw std::logic_error("the machine has another step than " + std::string(norm::id(kind)));
    for (const Float& value : values) step.machine.push_back(value.value());
  }

 private:
  std::vector<Step>& steps_;
  std::size_t next_ = 0;
};

// Where the numbers of a calculation come from and what they are stored in: here nothing is ever rounded.
struct ExactNumbers {
  using Number = Value;
  [[nodiscard]] Value input(const Rational& x) const { return x; }
  [[nodiscard]] Value eps(const Rational& x) const { return x; }
  [[nodiscard]] Value parameter(const Rational& x) const { return x; }
  [[nodiscard]] std::vector<Value> stored(std::vector<Value> x) const { return x; }
};

// What is read is rounded to the dtype once; ε is given to the kernel as a decimal and rounded to what it computes in.
struct MachineNumbers {
  using Number = Float;
  const norm::Machine& machine;

  [[nodiscard]] Float input(const Rational& x) const { return Float(x, machine.stored()).cast(machine.computed()); }
  [[nodiscard]] Float eps(const Rational& x) const { return {x, machine.computed()}; }
  // In what γ and β are applied: Llama has come back to the dtype by then.
  [[nodiscard]] Float parameter(const Rational& x) const {
    return Float(x, machine.stored())
        .cast(machine.cast == norm::CastOrder::llama ? machine.stored() : machine.computed());
  }
  [[nodiscard]] std::vector<Float> stored(const std::vector<Float>& x) const {
    return norm::each<Float>(x, [&](const Float& x_i) { return x_i.cast(machine.stored()); });
  }
};

Value sum_of_squares(const std::vector<Value>& values) {
  return sum(std::span<const Value>(norm::squares_of<Value>(values)));
}

Check check(const Request& request, const GroupTrace& trace) {
  const std::vector<Value>& normalized = trace.find(StepKind::normalized)->values;
  const Value norm_squared = sum_of_squares(normalized);
  // The second road to Σx̂² does not touch x̂.
  const Step* const deviations = trace.find(StepKind::deviations);
  const Value numerators = deviations ? sum_of_squares(deviations->values)
                                      : sum(std::span<const Value>(trace.find(StepKind::squares)->values));
  const Value& divisor = trace.divisor();
  const std::size_t target = normalized.size();
  const CheckStatus status = [&] {
    if (norm_squared.is_undefined()) return CheckStatus::undefined;
    if (proved_equal(norm_squared, Value(static_cast<std::int64_t>(target)))) return CheckStatus::exact;
    const norm::Convention& convention = request.convention;
    const bool plain = !deviations || convention.divisor == norm::Divisor::n;
    if (plain && convention.eps_place == norm::EpsPlace::inside_root) return CheckStatus::below;
    return CheckStatus::other;
  }();
  return {status, norm_squared, numerators / (divisor * divisor), target};
}

template <class Number, class Convert>
std::vector<Number> select(const std::vector<Rational>& values, const std::vector<std::size_t>& places,
                           Convert convert) {
  std::vector<Number> selected;
  if (values.empty()) return selected;
  selected.reserve(places.size());
  for (const std::size_t place : places) selected.push_back(convert(values[place]));
  return selected;
}

// The one calculation, whatever its numbers are.
template <class Numbers, class Recorder>
void calculate(const Request& request, const tensor::Group& group, const Numbers& numbers, Recorder& record) {
  using Number = typename Numbers::Number;
  const norm::Convention& convention = request.convention;
  const auto parameter = [&](const Rational& x) { return numbers.parameter(x); };
  const std::vector<Number> x =
      select<Number>(request.input.values, group.members, [&](const Rational& x_i) { return numbers.input(x_i); });
  const std::vector<Number> gamma = select<Number>(convention.gamma, group.parameters, parameter);
  const std::vector<Number> beta = select<Number>(convention.beta, group.parameters, parameter);
  const norm::Setting<Number> setting{convention.divisor, numbers.eps(convention.eps), !convention.eps.is_zero(),
                                      convention.eps_place, convention.variance};
  std::vector<Number> normalized = norm::normalize<Number>(request.norm->formula, x, setting, record);
  if (convention.machine.cast == norm::CastOrder::llama) {
    normalized = numbers.stored(normalized);
    record(StepKind::cast, normalized);
  }
  record(StepKind::output, numbers.stored(norm::affine<Number>(std::move(normalized), gamma, beta)));
}

GroupTrace run_group(const Request& request, tensor::Group group) {
  GroupTrace result{std::move(group), {}, {}};
  StepRecorder record(result.steps);
  calculate(request, result.group, ExactNumbers{}, record);
  if (const norm::Machine& machine = request.convention.machine; machine.dtype) {
    MachineRecorder record_machine(result.steps);
    calculate(request, result.group, MachineNumbers{machine}, record_machine);
  }
  result.check = check(request, result);
  return result;
}

template <class Number>
void put(std::vector<Number>& all, const std::vector<Number>& values, const std::vector<std::size_t>& places) {
  for (std::size_t i = 0; i < values.size(); ++i) all[places[i]] = values[i];
}

}  // namespace

Trace run(Request request) {
  Trace trace{std::move(request), {}, {}, {}, {}};
  const tensor::Tensor& input = trace.request.input;
  const norm::Machine& machine = trace.request.convention.machine;
  trace.output.resize(input.values.size());
  if (machine.dtype) {
    trace.machine_output.resize(input.values.size());
    for (const Rational& x : input.values) trace.machine_input.push_back(round_to(*machine.dtype, x));
  }
  for (tensor::Group& group : tensor::partition(input, trace.request.norm->axis)) {
    trace.groups.push_back(run_group(trace.request, std::move(group)));
    const GroupTrace& done = trace.groups.back();
    const Step& output = *done.find(StepKind::output);
    put(trace.output, output.values, done.group.members);
    put(trace.machine_output, output.machine, done.group.members);
  }
  return trace;
}

}  // namespace normtrace::trace
