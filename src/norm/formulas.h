#pragma once

#include <cmath>
#include <concepts>
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
  std::size_t counted = 0;  // RMSNorm: the mean square is taken of so many, from the first; 0 for all
  Number alpha = 0;         // mix, scale_by_spread
};

// Keeps nothing.
struct NoRecorder {
  template <class Values>
  void operator()(StepKind /*kind*/, const Values& /*values*/) const {}
};

template <std::floating_point Number>
Number sum(std::span<const Number> x) {
  Number total = 0;
  for (const Number x_i : x) total += x_i;
  return total;
}
template <std::floating_point Number>
Number sqrt(Number x) {
  return std::sqrt(x);
}

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

// γ·x̂ + β or (1 + γ)·x̂ + β, element by element; an empty γ is a factor 1: (n)
template <class Number>
std::vector<Number> affine(std::vector<Number> normalized, std::span<const Number> gamma, std::span<const Number> beta,
                           GammaForm form = GammaForm::plain) {
  const bool one_plus = form == GammaForm::one_plus;
  for (std::size_t i = 0; i < gamma.size(); ++i)
    normalized[i] = (one_plus ? Number(1) + gamma[i] : gamma[i]) * normalized[i];
  for (std::size_t i = 0; i < beta.size(); ++i) normalized[i] = normalized[i] + beta[i];
  return normalized;
}

template <class Number, class Recorder>
std::vector<Number> divide(std::span<const Number> x, const Number& divisor, StepKind kind, Recorder& record) {
  std::vector<Number> normalized = each<Number>(x, [&](const Number& x_i) { return x_i / divisor; });
  record(kind, normalized);
  return normalized;
}

template <class Number, class Recorder>
std::vector<Number> deviations_from(const Number& mu, std::span<const Number> x, Recorder& record) {
  auto deviations = each<Number>(x, [&](const Number& x_i) { return x_i - mu; });
  record(StepKind::deviations, deviations);
  return deviations;
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

// What a formula with a spread finds first: x − μ, and √(σ² + ε) or σ + ε.
template <class Number>
struct Spread {
  std::vector<Number> deviations;  // (n)
  Number divisor;                  // ()
};

template <class Number, class Recorder>
Spread<Number> spread_of(std::span<const Number> x, const Setting<Number>& setting, Recorder& record) {
  const Number mu = mean(x, static_cast<std::int64_t>(x.size()));  // ()
  record(StepKind::mean, mu);
  auto deviations = deviations_from(mu, x, record);  // (n)
  const Number variance = setting.variance == VarianceMethod::one_pass
                              ? one_pass_variance(x, mu, setting, record)
                              : two_pass_variance<Number>(deviations, setting, record);  // ()
  record(StepKind::variance, variance);
  Number sigma = divisor_of(variance, setting, deviation_root, record);  // ()
  return {std::move(deviations), std::move(sigma)};
}

// LayerNorm over the features of a token (Ba, Kiros and Hinton 2016); BatchNorm over the batch of a feature (Ioffe and
// Szegedy 2015); GroupNorm over some channels of a sample (Wu and He 2018), InstanceNorm over one (Ulyanov, Vedaldi and
// Lempitsky 2016): (x − μ)/√(σ² + ε), kept as a step of this kind. x: (n), result: (n).
template <class Number, class Recorder>
std::vector<Number> standardize(std::span<const Number> x, const Setting<Number>& setting, Recorder& record,
                                StepKind kind = StepKind::normalized) {
  const Spread<Number> spread = spread_of(x, setting, record);
  return divide<Number>(spread.deviations, spread.divisor, kind, record);  // (n)
}

// What Keras computes for LayerNormalization(rms_scaling=True): x/√(σ² + ε), the mean subtracted below the line alone.
// x: (n), result: (n).
template <class Number, class Recorder>
std::vector<Number> divide_by_std(std::span<const Number> x, const Setting<Number>& setting, Recorder& record) {
  return divide<Number>(x, spread_of(x, setting, record).divisor, StepKind::normalized, record);  // (n)
}

// BatchNorm in inference: the same by statistics that training has left. x: (n), result: (n).
template <class Number, class Recorder>
std::vector<Number> standardize_by(const Number& mu, const Number& variance, std::span<const Number> x,
                                   const Setting<Number>& setting, Recorder& record) {
  record(StepKind::running_mean, mu);
  record(StepKind::running_var, variance);
  const auto deviations = deviations_from(mu, x, record);                      // (n)
  const Number sigma = divisor_of(variance, setting, deviation_root, record);  // ()
  return divide<Number>(deviations, sigma, StepKind::normalized, record);      // (n)
}

// RMSNorm (Zhang and Sennrich 2019): x/√(mean of x² + ε); the mean of squares is over n, or over the first k alone (partial
// RMSNorm). Kept as a step of this kind. x: (n), result: (n).
template <class Number, class Recorder>
std::vector<Number> divide_by_rms(std::span<const Number> x, const Setting<Number>& setting, Recorder& record,
                                  StepKind kind = StepKind::normalized) {
  const std::size_t k = setting.counted == 0 ? x.size() : setting.counted;
  if (setting.counted != 0) record(StepKind::partial_count, Number(static_cast<std::int64_t>(k)));
  const auto squares = squares_of<Number>(x.first(k));  // (k)
  if (kind == StepKind::normalized) record(StepKind::squares, squares);
  const Number mean_square = mean(std::span<const Number>(squares), static_cast<std::int64_t>(k));  // ()
  record(StepKind::mean_square, mean_square);
  const Number rms = divisor_of(mean_square, setting, mean_square_root, record);  // ()
  return divide<Number>(x, rms, kind, record);                                    // (n)
}

// HybridNorm: α·RMSNorm(x) + (1 − α)·LayerNorm(x). x: (n), result: (n).
template <class Number, class Recorder>
std::vector<Number> mix(std::span<const Number> x, const Setting<Number>& setting, Recorder& record) {
  auto mixed = divide_by_rms(x, setting, record, StepKind::rms_normalized);          // (n)
  const auto centred = standardize(x, setting, record, StepKind::layer_normalized);  // (n)
  const Number rest = Number(1) - setting.alpha;                                     // ()
  for (std::size_t i = 0; i < x.size(); ++i) mixed[i] = setting.alpha * mixed[i] + rest * centred[i];
  record(StepKind::normalized, mixed);
  return mixed;
}

// AdaptiveRMSNorm: RMSNorm(x)·sigmoid(α·s), s being the standard deviation by n − 1. x: (n), result: (n).
template <class Number, class Recorder>
std::vector<Number> scale_by_spread(std::span<const Number> x, const Setting<Number>& setting, Recorder& record) {
  auto scaled = divide_by_rms(x, setting, record, StepKind::rms_normalized);  // (n)
  const auto n = static_cast<std::int64_t>(x.size());
  const Number mu = mean(x, n);                                                                      // ()
  const auto squares = each<Number>(x, [&](const Number& x_i) { return (x_i - mu) * (x_i - mu); });  // (n)
  const Number s = sqrt(mean(std::span<const Number>(squares), n - 1));                              // ()
  record(StepKind::sample_std, s);
  const Number factor = Number(1) / (Number(1) + exp(-(setting.alpha * s)));  // ()
  record(StepKind::factor, factor);
  for (Number& x_i : scaled) x_i = factor * x_i;
  record(StepKind::normalized, scaled);
  return scaled;
}

// What a running statistic becomes when a batch has passed; m is the share of the batch.
template <class Number>
Number updated(const Number& running, const Number& batch, const Number& m) {
  return (Number(1) - m) * running + m * batch;
}

// BatchNorm's running statistics after a batch, whose deviations from its mean mu are given (n).
template <class Number, class Recorder>
void update_running(Number& running_mean, Number& running_var, const Number& mu, std::span<const Number> deviations,
                    Divisor divisor, const Number& m, Recorder& record) {
  const auto n = static_cast<std::int64_t>(deviations.size());
  const auto squares = squares_of<Number>(deviations);                                                // (n)
  const Number variance = mean(std::span<const Number>(squares), divisor == Divisor::n ? n : n - 1);  // ()
  record(StepKind::stored_variance, variance);
  running_mean = updated(running_mean, mu, m);
  record(StepKind::running_mean, running_mean);
  running_var = updated(running_var, variance, m);
  record(StepKind::running_var, running_var);
}

// The root of the mean square of all numbers, watched from batch to batch without taking part in the norm. x: (n).
template <class Number, class Recorder>
void watch_rms(Number& running_rms, std::span<const Number> x, const Number& m, Recorder& record) {
  const auto squares = squares_of<Number>(x);  // (n)
  record(StepKind::squares, squares);
  const Number mean_square = mean(std::span<const Number>(squares), static_cast<std::int64_t>(x.size()));  // ()
  record(StepKind::mean_square, mean_square);
  const Number rms = sqrt(mean_square);  // ()
  record(StepKind::rms, rms);
  running_rms = updated(running_rms, rms, m);
  record(StepKind::running_rms, running_rms);
}

}  // namespace normtrace::norm
