#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bulk/convention.h"
#include "bulk/normalizer.h"
#include "bulk/number_text.h"
#include "bulk/text_rows.h"
#include "norm/catalogue.h"

namespace normtrace::bulk {

// How the numbers of a file are kept; results are kept the same way.
enum class Format {
  automatic,  // by the name and the first bytes
  csv,        // commas, or semicolons if the first line has no comma
  tsv,        // tabs
  text,       // any run of blanks
  npy,        // NumPy
  f32,        // float32, little-endian, nothing else; needs a width
  f64,        // float64 likewise
};
// "csv" and so on; nothing for an unknown word.
std::optional<Format> format_named(std::string_view word);

struct Progress {
  std::uint64_t bytes = 0;             // of the input, all passes together
  std::optional<std::uint64_t> total;  // likewise, where it is known
};

// What to read and how.
struct Reading {
  std::string input = "-";  // "-" is standard input
  Format format = Format::automatic;
  std::size_t width = 0;  // numbers in a row of f32 and f64
  unsigned threads = 0;   // 0: one a processor
  // A row of text that cannot be read stops the command, or is left out and told to on_skipped, in the order of the rows.
  bool skip_bad_rows = false;
  std::function<void(const BadLine&)> on_skipped;
  std::optional<bool> header;  // of text: whether the first line names the features, and
  std::optional<bool> names;   // whether the first cell of a row is its name; none: as the first lines look
  std::function<void(const Progress&)> on_progress;
  std::vector<std::string> text_options;  // those given that say something of text alone: refused for other formats
};

struct ApplyRequest {
  const norm::Norm* norm = nullptr;
  Convention convention;  // γ and β: empty, one number for all features, or one a feature
  Reading reading;
  std::string output = "-";
  Printing printing;       // of text
  std::string statistics;  // for a norm over the batch: a file of `stats`; empty to take them from the input
};

struct StatsRequest {
  Reading reading;
  std::vector<std::string> merge;  // files of statistics to join; then nothing else is read
  std::string output = "-";
};

struct Report {
  std::uint64_t rows = 0;
  std::size_t features = 0;
  std::uint64_t skipped = 0;
  Oddities oddities;
  std::vector<words::Message> remarks;  // on the layout of a text
  Element element = Element::float64;
  bool without_degrees = false;  // n − 1 = 0
  bool one_feature = false;      // a flat .npy for a norm over the batch, read as one feature
  double seconds = 0;
};

// Normalizes a file of vectors in constant memory: a few blocks of 1 MiB a thread, more only if one row is longer than
// that. Results do not depend on the number of threads.
// Errors: Error; text::Error for a row of text that cannot be read; ClosedPipe.
Report apply(const ApplyRequest& request);

// Writes count, mean and M2 of every feature, or joins files that hold them.
Report stats(const StatsRequest& request);

}  // namespace normtrace::bulk
