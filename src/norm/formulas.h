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
  std::span<const Number> gamma;  // (n), or empty for 1
  std::span<const Number> beta;   // (n), or empty for 0
};

// Keeps nothing.
struct NoRecorder {
  template <class Values>
  void operator()(StepKind /*kind*/, const Values& /*values*/) const {}
};

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
template <class Number, class Recorder>
std::vector<Number> affine(std::vector<Number> normalized, const Setting<Number>& setting, Recorder& record) {
  for (std::size_t i = 0; i < setting.gamma.size(); ++i) normalized[i] = setting.gamma[i] * normalized[i];
  for (std::size_t i = 0; i < setting.beta.size(); ++i) normalized[i] = normalized[i] + setting.beta[i];
  record(StepKind::output, normalized);
  return normalized;
}

template <class Number, class Recorder>
std::vector<Number> divide(std::span<const Number> x, const Number& divisor, Recorder& record) {
  std::vector<Number> normalized = each<Number>(x, [&](const Number& x_i) { return x_i / divisor; });
  record(StepKind::normalized, normalized);
  return normalized;
}

// LayerNorm over the features of a token (Ba, Kiros and Hinton 2016); BatchNorm over the batch of a feature (Ioffe and
// Szegedy 2015): ((x − μ)/√(σ² + ε))·γ + β. x: (n), result: (n).
template <class Number, class Recorder>
std::vector<Number> standardize(std::span<const Number> x, const Setting<Number>& setting, Recorder& record) {
  const auto n = static_cast<std::int64_t>(x.size());
  const Number mu = sum(x) / Number(n);  // ()
  record(StepKind::mean, mu);
  const auto deviations = each<Number>(x, [&](const Number& x_i) { return x_i - mu; });  // (n)
  record(StepKind::deviations, deviations);
  const auto squares = squares_of<Number>(deviations);  // (n)
  record(StepKind::squares, squares);
  const Number variance =
      sum(std::span<const Number>(squares)) / Number(setting.divisor == Divisor::n ? n : n - 1);  // ()
  record(StepKind::variance, variance);
  const Number sigma = divisor_of(variance, setting, deviation_root, record);  // ()
  return affine(divide<Number>(deviations, sigma, record), setting, record);   // (n)
}

// RMSNorm (Zhang and Sennrich 2019): (x/√(mean of x² + ε))·γ + β; the mean of squares is always over n. x: (n), result: (n).
template <class Number, class Recorder>
std::vector<Number> divide_by_rms(std::span<const Number> x, const Setting<Number>& setting, Recorder& record) {
  const auto n = static_cast<std::int64_t>(x.size());
  const auto squares = squares_of<Number>(x);  // (n)
  record(StepKind::squares, squares);
  const Number mean_square = sum(std::span<const Number>(squares)) / Number(n);  // ()
  record(StepKind::mean_square, mean_square);
  const Number rms = divisor_of(mean_square, setting, mean_square_root, record);  // ()
  return affine(divide<Number>(x, rms, record), setting, record);                 // (n)
}

}  // namespace normtrace::norm
