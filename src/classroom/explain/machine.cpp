#include "classroom/explain/machine.h"

#include <algorithm>
#include <cmath>
#include <optional>

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

// The rows that the norm runs over; empty if the shape or the number of parameters is none of its own.
std::optional<tensor::Tensor> rows_for(const norm::Norm& norm, const Sample& sample) {
  tensor::Tensor input = sample.input;
  if (input.shape.size() == 1) {
    const bool over_batch = norm.axis == tensor::Axis::feature;
    if (over_batch != (sample.norm == "batchnorm")) return std::nullopt;
    input.shape =
        over_batch ? std::vector<std::size_t>{sample.count(), 1} : std::vector<std::size_t>{1, sample.count()};
    input.tokens.resize(input.rows());
  }
  for (const std::vector<Rational>* const values : {&sample.gamma, &sample.beta})
    if (values->size() > 1 && values->size() != input.width()) return std::nullopt;
  return input;
}

std::vector<Rational> spread(const std::vector<Rational>& values, std::size_t width) {
  return values.size() == 1 ? std::vector<Rational>(width, values.front()) : values;
}

bool serves(const Kernel& kernel, const norm::Norm& norm, const Sample& sample) {
  const bool standardize = norm.formula == norm::Formula::standardize;
  if (kernel.variance == VarianceMethod::one_pass) return standardize;
  return kernel.cast == CastOrder::none || (!standardize && !sample.gamma.empty());
}

bool meets_all(const Sample& sample, const std::vector<double>& output) {
  for (std::size_t i = 0; i < sample.count(); ++i)
    if (!sample.output[i].missing && !meets(sample.output[i], output[i])) return false;
  return true;
}

Rule rule_of(const Kernel& kernel, const trace::Trace& trace, const Sample& sample) {
  Rule rule;
  rule.grouping = &grouping_for(*trace.request.norm);
  rule.core = &core_for(*trace.request.norm);
  rule.cost = kernel.cost + rule.grouping->cost;
  const bool narrow = kernel.format->max_exponent == exact::float16.max_exponent;
  const bool overflow = narrow && (overflowed(trace) || overflowed_input(trace));
  rule.outer_slips = {overflow ? std::string_view("float16_overflow") : kernel.slip};
  if (const Rational& eps = trace.request.convention.eps; eps.sign() > 0) {
    rule.eps = {EpsPlace::inside_root, eps, {}, nullptr};
    rule.cost += 0.2;
  }
  for (std::size_t i = 0; i < sample.count(); ++i)
    if (sample.output[i].finite() && !sample.output[i].missing)
      rule.max_error =
          std::max(rule.max_error, std::fabs(static_cast<Wide>(trace.machine_output[i]) - sample.output[i].value));
  return rule;
}

// Whether a usual rule is already within a few roundings of float32: the order of the operations explains no more.
bool is_within_float32(const Found& found) {
  constexpr Wide few_roundings = 6;
  return std::ranges::any_of(found.rules, [](const Rule& rule) {
    return rule.tolerance == Tolerance::float32 && rule.slips().empty() && rule.misfit < few_roundings;
  });
}

void search_norm(const norm::Norm& norm, const Sample& sample, Found& found) {
  const auto input = rows_for(norm, sample);
  if (!input) return;
  std::vector<Rational> epsilons = {0, exact::power_of_ten(-5), exact::power_of_ten(-6)};
  if (sample.eps) epsilons = {*sample.eps};
  norm::Convention convention;
  convention.gamma = spread(sample.gamma, input->width());
  convention.beta = spread(sample.beta, input->width());
  for (const Kernel& kernel : kernels()) {
    if (kernel.format == &exact::float32 && is_within_float32(found)) continue;
    if (!serves(kernel, norm, sample)) continue;
    convention.variance = kernel.variance;
    convention.machine = {kernel.format, kernel.accumulator, kernel.cast};
    for (const Rational& eps : epsilons) {
      convention.eps = eps;
      const trace::Trace trace = trace::run({&norm, convention, *input});
      if (meets_all(sample, trace.machine_output)) found.rules.push_back(rule_of(kernel, trace, sample));
    }
  }
}

}  // namespace

void search_machines(const Sample& sample, Found& found) {
  if (sample.input.shape.size() > 2) return;
  for (const std::string_view id : {"layernorm", "rmsnorm", "batchnorm"})
    if (sample.norm.empty() || sample.norm == id) search_norm(*norm::find(id), sample, found);
}

}  // namespace normtrace::classroom::explain
