#include "classroom/explain/machine.h"

#include <algorithm>
#include <cmath>

#include "exact/machine.h"
#include "norm/catalogue.h"
#include "trace/trace.h"

namespace normtrace::classroom::explain {

using exact::Rational;
using norm::CastOrder;
using norm::VarianceMethod;
using text::Cell;

namespace {

// How a kernel computes. The slip says it; where squares overflow, that is what is said.
struct Kernel {
  const exact::Format* format;
  const exact::Format* accumulator;
  VarianceMethod variance;
  CastOrder cast;
  std::string_view slip;
  double cost;
};

std::span<const Kernel> kernels() {
  using enum VarianceMethod;
  static constexpr Kernel table[] = {
      {&exact::float16, &exact::float32, two_pass, CastOrder::none, "float16", 1.6},
      {&exact::float16, &exact::float16, two_pass, CastOrder::none, "float16", 1.7},
      {&exact::float16, &exact::float32, two_pass, CastOrder::llama, "llama_cast", 1.5},
      {&exact::float16, &exact::float32, two_pass, CastOrder::gemma, "gemma_cast", 1.5},
      {&exact::bfloat16, &exact::float32, two_pass, CastOrder::none, "bfloat16", 1.6},
      {&exact::bfloat16, &exact::float32, two_pass, CastOrder::llama, "llama_cast", 1.5},
      {&exact::bfloat16, &exact::float32, two_pass, CastOrder::gemma, "gemma_cast", 1.5},
      {&exact::float32, &exact::float32, one_pass, CastOrder::none, "one_pass_variance", 1.5},
      {&exact::float16, &exact::float32, one_pass, CastOrder::none, "one_pass_variance", 1.8},
      {&exact::float32, &exact::float32, two_pass, CastOrder::none, "float32", 1.9},
  };
  return table;
}

bool meets(const Reading& reading, double value) {
  switch (reading.kind) {
    case Cell::Kind::nan: return std::isnan(value);
    case Cell::Kind::plus_infinity: return std::isinf(value) && value > 0;
    case Cell::Kind::minus_infinity: return std::isinf(value) && value < 0;
    case Cell::Kind::finite: return std::isfinite(value) && reading.bounds.holds(static_cast<Wide>(value));
  }
  return false;
}

// Zeros where the exact output has none, and NaN, are what infinite squares leave.
bool overflowed(const trace::Trace& trace) {
  for (const trace::GroupTrace& group : trace.groups)
    for (const trace::Step& step : group.steps)
      if (std::ranges::any_of(step.machine, [](double x) { return std::isinf(x); })) return true;
  return false;
}

bool overflowed_input(const trace::Trace& trace) {
  return std::ranges::any_of(trace.machine_input, [](double x) { return std::isinf(x); });
}

const GroupingKind& grouping_for(const norm::Norm& norm) {
  const std::string_view id = norm.axis == tensor::Axis::token ? "token" : "feature";
  return *std::ranges::find(grouping_kinds(), id, &GroupingKind::id);
}

const Core& core_for(const norm::Norm& norm) {
  const bool standardize = norm.formula == norm::Formula::standardize;
  return *std::ranges::find_if(
      cores(), [&](const Core& core) { return is_standard(core) && (core.centre == Centre::mean) == standardize; });
}

}  // namespace

// NOLINTNEXTLINE(readability-function-cognitive-complexity): one loop a dimension of the search
void search_machines(const Sample& sample, Found& found) {
  if (sample.input.shape.size() > 2) return;
  std::vector<Rational> epsilons = {0, exact::power_of_ten(-5), exact::power_of_ten(-6)};
  if (sample.eps) epsilons = {*sample.eps};
  for (const std::string_view id : {"layernorm", "rmsnorm", "batchnorm"}) {
    const norm::Norm& norm = *norm::find(id);
    if (!sample.norm.empty() && sample.norm != id) continue;
    const bool over_batch = norm.axis == tensor::Axis::feature;
    tensor::Tensor input = sample.input;
    if (input.shape.size() == 1) {
      if (over_batch != (sample.norm == "batchnorm")) continue;
      if (over_batch) {
        input.shape = {sample.count(), 1};
        input.tokens.assign(sample.count(), "t");
      } else {
        input.shape = {1, sample.count()};
      }
    }
    const auto spread = [&](std::vector<Rational> values) {
      return values.size() == 1 ? std::vector<Rational>(input.width(), values.front()) : values;
    };
    norm::Convention convention;
    convention.gamma = spread(sample.gamma);
    convention.beta = spread(sample.beta);
    if ((!convention.gamma.empty() && convention.gamma.size() != input.width()) ||
        (!convention.beta.empty() && convention.beta.size() != input.width()))
      continue;
    for (const Kernel& kernel : kernels()) {
      const bool one_pass = kernel.variance == VarianceMethod::one_pass;
      if (one_pass && norm.formula != norm::Formula::standardize) continue;
      if (kernel.cast != CastOrder::none && (norm.formula != norm::Formula::divide_by_rms || sample.gamma.empty()))
        continue;
      for (const Rational& eps : epsilons) {
        convention.eps = eps;
        convention.variance = kernel.variance;
        convention.machine = {kernel.format, kernel.accumulator, kernel.cast};
        const trace::Trace trace = trace::run({&norm, convention, input});
        bool all = true;
        for (std::size_t i = 0; i < sample.count() && all; ++i)
          all = sample.output[i].missing || meets(sample.output[i], trace.machine_output[i]);
        if (!all) continue;
        const bool overflow = kernel.format->max_exponent < 20 && (overflowed(trace) || overflowed_input(trace));
        Rule rule;
        rule.grouping = &grouping_for(norm);
        rule.core = &core_for(norm);
        rule.cost = kernel.cost + rule.grouping->cost;
        rule.outer_slips = {overflow ? std::string_view("float16_overflow") : kernel.slip};
        if (eps.sign() > 0) {
          rule.eps = {EpsPlace::inside_root, eps, {}, nullptr};
          rule.cost += 0.2;
        }
        for (std::size_t i = 0; i < sample.count(); ++i)
          if (sample.output[i].finite())
            rule.max_error = std::max(rule.max_error,
                                      std::fabs(static_cast<Wide>(trace.machine_output[i]) - sample.output[i].value));
        found.rules.push_back(std::move(rule));
      }
    }
  }
}

}  // namespace normtrace::classroom::explain
