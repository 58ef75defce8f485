#include "bulk/bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <random>

#include "bulk/columns.h"
#include "bulk/kernels.h"
#include "bulk/normalizer.h"

namespace normtrace::bulk {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(const std::function<void()>& work, std::size_t calls) {
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i < calls; ++i) work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Median and quartiles, between two samples where none lies there.
Timing timing_of(std::vector<double> samples) {
  std::ranges::sort(samples);
  return {quantile(samples, 0.5), quantile(samples, 0.25), quantile(samples, 0.75)};
}

// Times works in turn, so that a machine that slows down slows them all. The calls of a sample are found in the warm-up.
std::vector<Timing> interleaved(const std::vector<std::function<void()>>& works, const BenchRequest& request) {
  std::vector<std::size_t> calls;
  for (const auto& work : works) {
    std::size_t count = 1;
    while (seconds_of(work, count) < request.sample_seconds && count < (std::size_t{1} << 30)) count *= 2;
    calls.push_back(count);
  }
  std::vector<std::vector<double>> samples(works.size());
  for (unsigned repetition = 0; repetition < request.repetitions; ++repetition)
    for (std::size_t i = 0; i < works.size(); ++i)
      samples[i].push_back(seconds_of(works[i], calls[i]) / static_cast<double>(calls[i]));
  std::vector<Timing> timings;
  for (std::vector<double>& sample : samples) timings.push_back(timing_of(std::move(sample)));
  return timings;
}

template <class Number>
BenchRow measured(std::size_t size, std::size_t batch, const BenchRequest& request) {
  constexpr Element element = sizeof(Number) == sizeof(double) ? Element::float64 : Element::float32;
  std::vector<Number> x(size * batch), y(size * batch);
  std::mt19937_64 random(size * 1000 + batch);
  std::normal_distribution<double> normal;
  for (Number& x_i : x) x_i = static_cast<Number>(normal(random));

  Convention layer_convention;
  layer_convention.eps = 1e-5;
  Convention rms_convention = layer_convention;
  rms_convention.formula = norm::Formula::divide_by_rms;
  RowNormalizer layer(layer_convention, size);
  RowNormalizer rms(rms_convention, size);
  const auto rows = [&](RowNormalizer& normalizer) {
    for (std::size_t row = 0; row < batch; ++row) normalizer.apply(&x[row * size], &y[row * size]);
  };
  const auto columns = [&] {
    Oddities oddities;
    const ColumnNormalizer normalizer(statistics(x.data(), batch, size, oddities), layer_convention, element);
    std::vector<double> scratch;
    for (std::size_t row = 0; row < batch; ++row) {
      if constexpr (element == Element::float64)
        normalizer.apply(&x[row * size], &y[row * size], scratch);
      else
        normalizer.apply(&x[row * size], &y[row * size]);
    }
  };
  const std::vector<Timing> timings =
      interleaved({[&] { rows(rms); }, [&] { rows(layer); }, columns,
                   [&] {
                     kernels().copy(reinterpret_cast<const char*>(x.data()), x.size() * sizeof(Number),
                                    reinterpret_cast<char*>(y.data()));
                   }},
                  request);
  return {name_of(element),
          sizeof(Number),
          size,
          batch,
          timings[0],
          timings[1],
          timings[2],
          timings[3],
          0,
          size * (sizeof(Moments) + ColumnNormalizer::bytes_per_feature(element))};
}

}  // namespace

double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

BenchResult bench(const BenchRequest& request) {
  BenchResult result{kernels().name, {}};
  for (const bool single : {true, false})
    for (const std::size_t size : request.sizes)
      for (const std::size_t batch : request.batches)
        result.rows.push_back(single ? measured<float>(size, batch, request) : measured<double>(size, batch, request));
  return result;
}

}  // namespace normtrace::bulk
