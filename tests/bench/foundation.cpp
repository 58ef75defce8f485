// The exact trace as JSON, as one process after another would not show it: how time grows with the tokens and with the
// numbers of one token. Compare the rows of one benchmark with each other; absolute times are this machine's.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>

#include "render/render.h"
#include "trace/comparison.h"

namespace {

using namespace normtrace;

tensor::Tensor random_tensor(std::size_t tokens, std::size_t features) {
  std::mt19937 random(7);
  std::uniform_int_distribution<std::int64_t> ten_thousandths(-20000, 20000);
  tensor::Tensor x;
  x.shape = {tokens, features};
  for (std::size_t i = 0; i < tokens * features; ++i)
    x.values.emplace_back(exact::Rational(ten_thousandths(random), 10000));
  for (std::size_t row = 0; row < tokens; ++row) x.tokens.push_back("t" + std::to_string(row + 1));
  return x;
}

trace::Request layernorm(const tensor::Tensor& x) {
  trace::Request request;
  request.norm = norm::find("layernorm");
  request.convention.eps = exact::power_of_ten(-5);
  request.input = x;
  return request;
}

void json_of_one_token(benchmark::State& state) {
  const tensor::Tensor x = random_tensor(1, static_cast<std::size_t>(state.range(0)));
  render::Style style;
  style.digits = 4;
  for (auto _ : state) benchmark::DoNotOptimize(render::json(trace::run(layernorm(x)), {}, style));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(json_of_one_token)
    ->RangeMultiplier(10)
    ->Range(10, 100000)
    ->Arg(768)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

void json_of_tokens_of_four(benchmark::State& state) {
  const tensor::Tensor x = random_tensor(static_cast<std::size_t>(state.range(0)), 4);
  render::Style style;
  for (auto _ : state) benchmark::DoNotOptimize(render::json(trace::run(layernorm(x)), {}, style));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(json_of_tokens_of_four)
    ->RangeMultiplier(10)
    ->Range(10, 10000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

// Fractions with many different denominators: their common denominator grows with every number.
void trace_of_fractions(benchmark::State& state) {
  tensor::Tensor x = random_tensor(1, static_cast<std::size_t>(state.range(0)));
  for (std::size_t i = 0; i < x.values.size(); ++i)
    x.values[i] = exact::Rational(x.values[i].numerator(), static_cast<std::int64_t>(i % 97) + 2);
  for (auto _ : state) benchmark::DoNotOptimize(trace::run(layernorm(x)));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(trace_of_fractions)->RangeMultiplier(10)->Range(10, 10000)->Unit(benchmark::kMillisecond)->Complexity();

}  // namespace
