#include "trace/trace.h"

#include <algorithm>
#include <limits>
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

const Value& GroupTrace::first_of(std::initializer_list<StepKind> kinds) const {
  for (const StepKind kind : kinds)
    if (const Step* const step = find(kind)) return step->values.front();
  throw std::logic_error("the calculation has no divisor");
}

const Value& GroupTrace::under_root() const {
  return first_of({StepKind::variance, StepKind::running_var, StepKind::mean_square});
}

const Value& GroupTrace::divisor() const {
  return first_of({StepKind::std_eps, StepKind::std, StepKind::rms_eps, StepKind::rms});
}

const Value& GroupTrace::divisor_of_rms() const { return first_of({StepKind::rms_eps, StepKind::rms}); }

exact::Rational Request::momentum() const {
  if (convention.momentum) return *convention.momentum;
  return {1, static_cast<std::int64_t>(running.batches + 1)};
}

std::string_view id(Mode mode) {
  switch (mode) {
    case Mode::plain: return "plain";
    case Mode::training: return "training";
    case Mode::inference: return "inference";
    case Mode::watched: return "watched";
  }
  return {};
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
  [[nodiscard]] Value statistic(const Value& x) const { return x; }
  [[nodiscard]] std::vector<Value> stored(std::vector<Value> x) const { return x; }
};

// What is read is rounded to the dtype once; ε is given to the kernel as a decimal and rounded to what it computes in.
struct MachineNumbers {
  using Number = Float;
  const norm::Machine& machine;

  [[nodiscard]] Float input(const Rational& x) const { return Float(x, machine.stored()).cast(machine.computed()); }
  [[nodiscard]] Float eps(const Rational& x) const { return {x, machine.computed()}; }
  // Running statistics are kept in what is computed in. One that never came to be is NaN.
  [[nodiscard]] Float statistic(const Value& x) const {
    return x.rational() ? Float(*x.rational(), machine.computed())
                        : Float(std::numeric_limits<double>::quiet_NaN(), machine.computed());
  }
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

// Σx̂² on a second road that does not touch x̂: from the numerators and the divisor.
Value expected_norm(const Request& request, const GroupTrace& trace) {
  const Value x_squared = sum_of_squares({trace.x.begin(), trace.x.end()});
  const Value numerators = trace.centred() ? sum_of_squares(trace.find(StepKind::deviations)->values) : x_squared;
  if (request.norm->formula == norm::Formula::mix) {
    // Σ x·(x − μ) = Σ(x − μ)², so with R and s the divisors this is α²·Σx²/R² + (1 − α)²·Σ(x − μ)²/s² + 2α(1 − α)·Σ(x −
    // μ)²/(R·s).
    const Value alpha = request.options.alpha;
    const Value rest = Value(1) - alpha;
    const Value& by_rms = trace.divisor_of_rms();
    const Value& by_std = trace.divisor();
    return alpha * alpha * x_squared / (by_rms * by_rms) + rest * rest * numerators / (by_std * by_std) +
           Value(2) * alpha * rest * numerators / (by_rms * by_std);
  }
  const Value& divisor = trace.divisor();
  const Value plain = numerators / (divisor * divisor);
  const Step* const factor = trace.find(StepKind::factor);
  return factor ? plain * factor->values.front() * factor->values.front() : plain;
}

// Why Σx̂² need not be the number of elements, even without ε; empty where it has to be.
std::string other_reason(const Request& request, const GroupTrace& trace) {
  const norm::Convention& convention = request.convention;
  if (request.mode == Mode::inference) return "check.because_given";
  if (trace.find(StepKind::partial_count)) return "check.because_partial";
  const Rational& alpha = request.options.alpha;
  if (request.norm->formula == norm::Formula::mix && !alpha.is_zero() && !alpha.is_one()) return "check.because_mixed";
  if (request.norm->formula == norm::Formula::scale_by_spread) return "check.because_factor";
  if (trace.divides_x) return "check.because_uncentred";
  if (trace.centred() && convention.divisor != norm::Divisor::n) return "check.because_divisor";
  if (convention.eps_place == norm::EpsPlace::added_to_root) return "check.because_eps_added";
  return {};
}

std::string undefined_reason(const Request& request, const GroupTrace& trace) {
  if (const Step* const s = trace.find(StepKind::sample_std); s && s->values.front().is_undefined())
    return "check.undefined_factor";
  if (trace.divisor().is_undefined()) return "check.undefined_divisor";
  const bool eps_is_not_all = request.norm->formula == norm::Formula::mix || trace.divides_x;
  if (request.mode == Mode::inference || eps_is_not_all || trace.find(StepKind::partial_count))
    return "check.undefined_other";
  return "check.undefined";
}

Check check(const Request& request, const GroupTrace& trace) {
  const std::vector<Value>& normalized = trace.find(StepKind::normalized)->values;
  const std::size_t target = normalized.size();
  Check check{CheckStatus::below, sum_of_squares(normalized), expected_norm(request, trace), target, {}};
  if (check.norm_squared.is_undefined()) {
    check.status = CheckStatus::undefined;
    check.reason = undefined_reason(request, trace);
  } else if (proved_equal(check.norm_squared, Value(static_cast<std::int64_t>(target)))) {
    check.status = CheckStatus::exact;
  } else if (check.reason = other_reason(request, trace); !check.reason.empty()) {
    check.status = CheckStatus::other;
  }
  return check;
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

template <class Numbers>
std::vector<typename Numbers::Number> inputs(const Numbers& numbers, const std::vector<Rational>& values,
                                             const tensor::Group& group) {
  return select<typename Numbers::Number>(values, group.members, [&](const Rational& x) { return numbers.input(x); });
}

// The one calculation, whatever its numbers are.
template <class Numbers, class Recorder>
void calculate(const Request& request, const GroupTrace& group, const Numbers& numbers, Recorder& record) {
  using Number = typename Numbers::Number;
  const norm::Convention& convention = request.convention;
  const norm::Options& options = request.options;
  const auto parameter = [&](const Rational& x) { return numbers.parameter(x); };
  std::vector<Number> x = inputs(numbers, request.input.values, group.group);
  const std::vector<Number> gamma = select<Number>(convention.gamma, group.group.parameters, parameter);
  const std::vector<Number> beta = select<Number>(convention.beta, group.group.parameters, parameter);
  norm::Setting<Number> setting{convention.divisor, numbers.eps(convention.eps), !convention.eps.is_zero(),
                                convention.eps_place, convention.variance};
  setting.alpha = numbers.eps(options.alpha);
  if (!options.partial.is_one()) setting.counted = norm::counted(options.partial, x.size());
  if (!options.residual.empty()) {
    const std::vector<Number> residual = inputs(numbers, options.residual, group.group);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] + residual[i];
    record(StepKind::residual_sum, x);
  }
  std::vector<Number> normalized =
      request.mode == Mode::inference
          ? norm::standardize_by<Number>(numbers.statistic(request.running.mean[group.index]),
                                         numbers.statistic(request.running.variance[group.index]), x, setting, record)
          : norm::normalize<Number>(request.norm->formula, x, setting, record);
  if (convention.machine.cast == norm::CastOrder::llama) {
    normalized = numbers.stored(normalized);
    record(StepKind::cast, normalized);
  }
  record(StepKind::output,
         numbers.stored(norm::affine<Number>(std::move(normalized), gamma, beta, convention.gamma_form)));
}

std::vector<Rational> numbers_of(const Request& request, const tensor::Group& group) {
  std::vector<Rational> x;
  x.reserve(group.members.size());
  for (const std::size_t member : group.members) {
    x.push_back(request.input.values[member]);
    if (!request.options.residual.empty()) x.back() = x.back() + request.options.residual[member];
  }
  return x;
}

GroupTrace run_group(const Request& request, tensor::Group group, std::size_t index, Running& running) {
  GroupTrace result{std::move(group), {}, {}, {}, index};
  result.x = numbers_of(request, result.group);
  result.divides_x = request.norm->formula == norm::Formula::divide_by_std;
  StepRecorder record(result.steps);
  calculate(request, result, ExactNumbers{}, record);
  if (const norm::Machine& machine = request.convention.machine; machine.dtype) {
    MachineRecorder record_machine(result.steps);
    calculate(request, result, MachineNumbers{machine}, record_machine);
  }
  result.check = check(request, result);
  if (request.mode == Mode::training) {
    const Value& mean = result.statistic(StepKind::mean);
    const std::vector<Value> deviations = result.find(StepKind::deviations)->values;
    norm::update_running<Value>(running.mean[index], running.variance[index], mean, deviations,
                                request.convention.running_divisor, request.momentum(), record);
  }
  return result;
}

GroupTrace watch(const Request& request, Running& running) {
  tensor::Layout all;
  all.axis = tensor::Axis::all;
  GroupTrace result{std::move(tensor::partition(request.input, all).front()), {}, {}, {}, 0};
  result.x = numbers_of(request, result.group);
  const std::vector<Value> x(result.x.begin(), result.x.end());
  StepRecorder record(result.steps);
  norm::watch_rms<Value>(running.rms, x, request.momentum(), record);
  return result;
}

// Before the first batch the mean is 0 and the variance 1.
void start(Running& running, std::size_t groups) {
  if (running.mean.empty()) running.mean.assign(groups, 0);
  if (running.variance.empty()) running.variance.assign(groups, 1);
}

template <class Number>
void put(std::vector<Number>& all, const std::vector<Number>& values, const std::vector<std::size_t>& places) {
  for (std::size_t i = 0; i < values.size(); ++i) all[places[i]] = values[i];
}

}  // namespace

Trace run(Request request) {
  Trace trace;
  trace.request = std::move(request);
  const tensor::Tensor& input = trace.request.input;
  const norm::Machine& machine = trace.request.convention.machine;
  trace.output.resize(input.values.size());
  if (machine.dtype) {
    trace.machine_output.resize(input.values.size());
    for (const Rational& x : input.values) trace.machine_input.push_back(round_to(*machine.dtype, x));
  }
  std::vector<tensor::Group> groups = tensor::partition(input, trace.request.layout());
  start(trace.request.running, groups.size());
  trace.running = trace.request.running;
  for (std::size_t index = 0; index < groups.size(); ++index) {
    trace.groups.push_back(run_group(trace.request, std::move(groups[index]), index, trace.running));
    const GroupTrace& done = trace.groups.back();
    const Step& output = *done.find(StepKind::output);
    put(trace.output, output.values, done.group.members);
    put(trace.machine_output, output.machine, done.group.members);
  }
  if (trace.request.mode == Mode::watched) trace.watch = watch(trace.request, trace.running);
  if (trace.request.mode == Mode::training || trace.request.mode == Mode::watched) ++trace.running.batches;
  return trace;
}

std::size_t Passes::training() const {
  return static_cast<std::size_t>(std::ranges::count_if(traces, [](const Trace& trace) {
    return trace.request.mode == Mode::training || trace.request.mode == Mode::watched;
  }));
}

bool Passes::evaluated() const { return training() > 0 && traces.back().request.mode == Mode::inference; }

Passes run_batches(Request request, std::vector<tensor::Tensor> batches, bool evaluate) {
  Passes passes;
  for (tensor::Tensor& batch : batches) {
    request.input = std::move(batch);
    passes.traces.push_back(run(request));
    request.running = passes.traces.back().running;
  }
  if (!evaluate) return passes;
  request.mode = Mode::inference;
  passes.traces.push_back(run(std::move(request)));
  return passes;
}

}  // namespace normtrace::trace
