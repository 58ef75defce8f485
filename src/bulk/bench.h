#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "words/words.h"

namespace normtrace::bulk {

// What the articles time, done so that the numbers mean something: the norms in turn, after a warm-up, on rows that lie in memory,
// one thread, with a plain copy of the same bytes beside them.
struct BenchRequest {
  std::vector<std::size_t> sizes = {128, 256, 512, 1024, 2048};  // numbers in a row
  std::vector<std::size_t> batches = {32, 64, 128};              // rows
  unsigned repetitions = 9;
  double sample_seconds = 0.001;  // of one work without a break; shorter ones are repeated
};

// Seconds for one call on the whole batch: the median of the repetitions, and the quartiles around it.
struct Timing {
  double median = 0;
  double lower = 0;
  double upper = 0;
};

// One line of the table.
struct BenchRow {
  std::string_view type;  // "float32", "float64"
  std::size_t element_bytes;
  std::size_t size;
  std::size_t batch;
  Timing rms, layer, batch_norm, copy;
  std::size_t row_scratch;    // bytes that LayerNorm and RMSNorm need besides the rows
  std::size_t batch_scratch;  // bytes that BatchNorm needs

  [[nodiscard]] double elements() const { return static_cast<double>(size) * static_cast<double>(batch); }
  [[nodiscard]] double ns_per_element(const Timing& timing) const { return timing.median * 1e9 / elements(); }
  // Bytes read once and written once, in 10^9 a second.
  [[nodiscard]] double gigabytes(const Timing& timing) const {
    return 2e-9 * elements() * static_cast<double>(element_bytes) / timing.median;
  }
  // As the article's table prints it: how many times longer LayerNorm takes.
  [[nodiscard]] double speed_up() const { return layer.median / rms.median; }
};

struct BenchResult {
  std::string_view processor;  // which loops ran: "avx512", "avx2", "baseline"
  std::vector<BenchRow> rows;
};

BenchResult bench(const BenchRequest& request);

// Of ascending numbers, at least one: 0.5 is the median.
double quantile(std::span<const double> sorted, double share);

// The result as people and programs read it. Tables and bars are at most `columns` wide, if that is not 0.
std::string bench_text(const BenchResult& result, words::Language language, std::size_t columns);
std::string bench_markdown(const BenchResult& result, words::Language language);
std::string bench_csv(const BenchResult& result);
std::string bench_json(const BenchResult& result);
// A picture: nanoseconds an element for every line of the table.
std::string bench_svg(const BenchResult& result, words::Language language);

}  // namespace normtrace::bulk
