#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "norm/convention.h"
#include "norm/step.h"

// The formulas of the articles, each written once. `Number` is exact::Value for a trace whose digits are proved, double or
// float for speed, or a machine type emulated; it needs + − × ÷, sqrt and sum (found by argument-dependent lookup; for
// double and float they are below). `Recorder` is asked to keep each step as it comes and is empty where nobody looks.
namespace normtrace::norm {

// What a formula is told besides the numbers. n is the count of elements that share the statistic.
template <class Number>
struct Setting {
  Divisor divisor = Divisor::n;
  Number eps = 0;
  bool has_eps = false;  // ε ≠ 0: with ε = 0 its steps are left out, not shown as + 0
  EpsPlace eps_place = EpsPlace::inside_root;
  VarianceMethod variance = VarianceMethod::two_pass;
};

// Keeps nothing.
struct NoRecorder {
  template <class Values>
  void operator()(StepKind /*kind*/, const Values& /*values*/) const {}
};

// Where a number has no mean of its own: a machine type divides before it rounds the sum.
template <class Number>
Number mean(std::span<const Number> terms, std::int64_t divisor) {
  return sum(terms) / Number(divisor);
}

template <class Number, class Function>
std::vector<Number> each(std::span<const Number> x, Function f) {
  std::vector<Number> result;
  result.reserve(x.size());
  for (const Number& x_i : x) result.push_back(f(x_i));
  return result;
}

template <class Number>
std::vector<Number> squares_of(std::span<const Number> x) {
  return each<Number>(x, [](const Number& x_i) { return x_i * x_i; });
}

// The names under which the root of a statistic and its ε are kept: σ² and σ, or the mean square and RMS.
struct RootSteps {
  StepKind statistic_eps;
  StepKind root;
  StepKind root_eps;
};
inline constexpr RootSteps deviation_root{StepKind::variance_eps, StepKind::std, StepKind::std_eps};
inline constexpr RootSteps mean_square_root{StepKind::mean_square_eps, StepKind::rms, StepKind::rms_eps};

// √(v + ε) or √v + ε: what the elements are divided by.
template <class Number, class Recorder>
Number divisor_of(const Number& v, const Setting<Number>& setting, const RootSteps& steps, Recorder& record) {
  if (setting.has_eps && setting.eps_place == EpsPlace::inside_root) {
    const Number sum = v + setting.eps;
    record(steps.statistic_eps, sum);
    const Number root = sqrt(sum);
    record(steps.root, root);
    return root;
  }
  const Number root = sqrt(v);
  record(steps.root, root);
  if (!setting.has_eps) return root;
  const Number divisor = root + setting.eps;
  record(steps.root_eps, divisor);
  return divisor;
}

// γ·x̂ + β, element by element: (n)
template <class Number>
std::vector<Number> affine(std::vector<Number> normalized, std::span<const Number> gamma,
                           std::span<const Number> beta) {
  for (std::size_t i = 0; i < gamma.size(); ++i) normalized[i] = gamma[i] * normalized[i];
  for (std::size_t i = 0; i < beta.size(); ++i) normalized[i] = normalized[i] + beta[i];
  return normalized;
}

template <class Number, class Recorder>
std::vector<Number> divide(std::span<const Number> x, const Number& divisor, Recorder& record) {
  std::vector<Number> normalized = each<Number>(x, [&](const Number& x_i) { return x_i / divisor; });
  record(StepKind::normalized, normalized);
  return normalized;
}

// mean(x²) − μ², as kernels do that read x once; with divisor n − 1 times n/(n − 1). On a machine it loses the digits that x
// and μ have in common, and may come out negative.
template <class Number, class Recorder>
Number one_pass_variance(std::span<const Number> x, const Number& mu, const Setting<Number>& setting,
                         Recorder& record) {
  const auto n = static_cast<std::int64_t>(x.size());
  const auto squares = squares_of<Number>(x);  // (n)
  record(StepKind::squares, squares);
  const Number mean_square = mean(std::span<const Number>(squares), n);  // ()
  record(StepKind::mean_square, mean_square);
  const Number square_of_mean = mu * mu;  // ()
  record(StepKind::square_of_mean, square_of_mean);
  const Number variance = mean_square - square_of_mean;  // ()
  return setting.divisor == Divisor::n ? variance : variance * Number(n) / Number(n - 1);
}

// Σ(x − μ)²/n, or over n − 1.
template <class Number, class Recorder>
Number two_pass_variance(std::span<const Number> deviations, const Setting<Number>& setting, Recorder& record) {
  const auto n = static_cast<std::int64_t>(deviations.size());
  const auto squares = squares_of<Number>(deviations);  // (n)
  record(StepKind::squares, squares);
  return mean(std::span<const Number>(squares), setting.divisor == Divisor::n ? n : n - 1);
}

// LayerNorm over the features of a token (Ba, Kiros and Hinton 2016); BatchNorm over the batch of a feature (Ioffe and
// Szegedy 2015): (x − μ)/√(σ² + ε). x: (n), result: (n).
template <class Number, class Recorder>
std::vector<Number> standardize(std::span<const Number> x, const Setting<Number>& setting, Recorder& record) {
  const Number mu = mean(x, static_cast<std::int64_t>(x.size()));  // ()
  record(StepKind::mean, mu);
  const auto deviations = each<Number>(x, [&](const Number& x_i) { return x_i - mu; });  // (n)
  record(StepKind::deviations, deviations);
  const Number variance = setting.variance == VarianceMethod::one_pass
                              ? one_pass_variance(x, mu, setting, record)
                              : two_pass_variance<Number>(deviations, setting, record);  // ()
  record(StepKind::variance, variance);
  const Number sigma = divisor_of(variance, setting, deviation_root, record);  // ()
  return divide<Number>(deviations, sigma, record);                            // (n)
}

// RMSNorm (Zhang and Sennrich 2019): x/√(mean of x² + ε); the mean of squares is always over n. x: (n), result: (n).
template <class Number, class Recorder>
std::vector<Number> divide_by_rms(std::span<const Number> x, const Setting<Number>& setting, Recorder& record) {
  const auto squares = squares_of<Number>(x);  // (n)
  record(StepKind::squares, squares);
  const Number mean_square = mean(std::span<const Number>(squares), static_cast<std::int64_t>(x.size()));  // ()
  record(StepKind::mean_square, mean_square);
  const Number rms = divisor_of(mean_square, setting, mean_square_root, record);  // ()
  return divide<Number>(x, rms, record);                                          // (n)
}

}  // namespace normtrace::norm
