// Whatever the bytes: a file of vectors is normalized or refused, and what is written is as long as what was read says.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include <unistd.h>

#include "bulk/error.h"
#include "bulk/request.h"
#include "text/error.h"

using namespace normtrace;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string base = "/tmp/normtrace-fuzz-" + std::to_string(getpid());
  if (size < 2) return 0;
  // The first two bytes choose what is asked.
  static constexpr const char* norms[] = {"ln", "rms", "bn"};
  static constexpr bulk::Format formats[] = {bulk::Format::automatic, bulk::Format::csv, bulk::Format::tsv,
                                             bulk::Format::text,      bulk::Format::npy, bulk::Format::f32,
                                             bulk::Format::f64};
  bulk::ApplyRequest request;
  request.norm = norm::find(norms[data[0] % 3]);
  request.reading.format = formats[data[0] / 3 % 7];
  request.reading.input = base + ".in";
  request.reading.threads = 1 + (data[0] >> 7);
  request.reading.width = 1 + data[1] % 5;
  request.reading.skip_bad_rows = (data[1] & 0x80) != 0;
  request.printing = {static_cast<bulk::Digits>(data[1] / 5 % 3), 1 + data[1] % 17};
  request.output = base + ".out";
  std::ofstream(request.reading.input, std::ios::binary)
      .write(reinterpret_cast<const char*>(data + 2), static_cast<std::streamsize>(size - 2));
  try {
    const bulk::Report report = bulk::apply(request);
    bulk::StatsRequest stats;
    stats.reading = request.reading;
    stats.output = base + ".stats";
    if (bulk::stats(stats).rows + report.skipped < report.rows) std::abort();
  } catch (const bulk::Error&) {
  } catch (const text::Error&) {
  }
  for (const char* const ending : {".in", ".out", ".stats"}) unlink((base + ending).c_str());
  return 0;
}
