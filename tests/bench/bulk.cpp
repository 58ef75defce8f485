// Rows in memory, numbers as text: what the bulk commands spend their time on.

#include <benchmark/benchmark.h>

#include <charconv>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "bulk/normalizer.h"
#include "bulk/number_text.h"

using namespace normtrace;

namespace {

template <class Number>
std::vector<Number> numbers(std::size_t count) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<Number> result(count);
  for (Number& number : result) number = static_cast<Number>(normal(random));
  return result;
}

template <class Number>
void rows(benchmark::State& state, norm::Formula formula) {
  const auto d = static_cast<std::size_t>(state.range(0));
  const auto batch = static_cast<std::size_t>(state.range(1));
  const std::vector<Number> x = numbers<Number>(d * batch);
  std::vector<Number> y(x.size());
  bulk::Convention convention;
  convention.formula = formula;
  convention.eps = 1e-5;
  bulk::RowNormalizer normalizer(convention, d);
  for (auto _ : state) {
    for (std::size_t row = 0; row < batch; ++row) normalizer.apply(&x[row * d], &y[row * d]);
    benchmark::DoNotOptimize(y.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(x.size()));
}
void layernorm_float(benchmark::State& state) { rows<float>(state, norm::Formula::standardize); }
void rmsnorm_float(benchmark::State& state) { rows<float>(state, norm::Formula::divide_by_rms); }
void layernorm_double(benchmark::State& state) { rows<double>(state, norm::Formula::standardize); }
void rmsnorm_double(benchmark::State& state) { rows<double>(state, norm::Formula::divide_by_rms); }

void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const int d : {128, 512, 768, 2048, 4096})
    for (const int batch : {32, 128}) benchmark->Args({d, batch});
}
BENCHMARK(layernorm_float)->Apply(sizes);
BENCHMARK(rmsnorm_float)->Apply(sizes);
BENCHMARK(layernorm_double)->Apply(sizes);
BENCHMARK(rmsnorm_double)->Apply(sizes);

void printing(benchmark::State& state, bulk::Printing how) {
  const std::vector<double> x = numbers<double>(10000);
  std::string out(x.size() * bulk::kLongestNumber + bulk::kPrintSlack, '\0');
  for (auto _ : state) {
    char* const at = bulk::print(out.data(), x, ',', how);
    benchmark::DoNotOptimize(at);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(x.size()));
}
BENCHMARK_CAPTURE(printing, shortest, bulk::Printing{});
BENCHMARK_CAPTURE(printing, six_significant, bulk::Printing{bulk::Digits::significant, 6});
BENCHMARK_CAPTURE(printing, six_decimals, bulk::Printing{bulk::Digits::decimals, 6});

void printing_to_chars(benchmark::State& state) {
  const std::vector<double> x = numbers<double>(10000);
  std::string out(x.size() * 32, '\0');
  for (auto _ : state) {
    char* at = out.data();
    for (const double value : x) at = std::to_chars(at, out.data() + out.size(), value).ptr;
    benchmark::DoNotOptimize(at);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(x.size()));
}
BENCHMARK(printing_to_chars);

void parsing(benchmark::State& state, bulk::Printing how) {
  std::string text;
  std::size_t count = 0;
  for (const double value : numbers<double>(10000)) {
    char number[bulk::kLongestNumber + bulk::kPrintSlack];
    text.append(number, bulk::print(number, value, how)) += ',';
    ++count;
  }
  const std::size_t size = text.size();
  text.append(bulk::kParseSlack, '\0');
  for (auto _ : state) {
    double value = 0;
    for (const char* at = text.data(); at < text.data() + size; ++at) at = bulk::parse(at, text.data() + size, value);
    benchmark::DoNotOptimize(value);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}
BENCHMARK_CAPTURE(parsing, shortest, bulk::Printing{});
BENCHMARK_CAPTURE(parsing, nine_decimals, bulk::Printing{bulk::Digits::decimals, 9});

}  // namespace
