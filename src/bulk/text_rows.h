#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bulk/files.h"
#include "bulk/number_text.h"
#include "bulk/text_layout.h"
#include "words/words.h"

namespace normtrace::bulk {

// Bytes whose memory is not cleared when it grows, with readable bytes past the end.
class Buffer {
 public:
  char* data() { return data_.get(); }
  [[nodiscard]] const char* data() const { return data_.get(); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  // Keeps the first `kept` bytes.
  void reserve(std::size_t capacity, std::size_t kept) {
    if (capacity <= capacity_) return;
    std::unique_ptr<char[]> grown(new char[capacity + kParseSlack]);
    if (kept > 0) std::memcpy(grown.get(), data_.get(), kept);
    data_ = std::move(grown);
    capacity_ = capacity;
  }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t capacity_ = 0;
};

// Whole lines from an input, block after block of about kTextBlock bytes: where a block ends depends on the bytes alone.
constexpr std::size_t kTextBlock = std::size_t{1} << 18;
class LineReader {
 public:
  LineReader(Input& input) : input_(input) {}  // NOLINT(google-explicit-constructor)

  // False at the end of the input. The last line gets its line break if it has none. A line is at most 1 GiB.
  bool next(Buffer& block, std::size_t& bytes);
  // The first lines, three at least if there are as many; next() gives them again.
  std::string head();
  // Back to the byte `offset` of a seekable input.
  void restart(std::uint64_t offset);
  // Leaves out bytes that head() has shown.
  void drop(std::size_t bytes);

 private:
  Input& input_;
  std::uint64_t offset_ = 0;
  std::string carry_;
  bool ended_ = false;
};

// A line that is no row of the layout. Its number counts from 1, in its block or in its file.
struct BadLine {
  std::uint64_t line = 0;
  std::string text;
  std::size_t begin = 0;  // the bytes of it that are wrong; begin = end where something is missing
  std::size_t end = 0;
  std::size_t cell = 0;  // which cell they are in, the name counted
  words::Message wrong;
};

// One row: its name as it was written, its numbers, what ends it ("\n" or "\r\n").
struct TextRow {
  std::string_view name;
  const double* values;
  std::string_view line_end;
};

// Takes the lines of a block apart, one a call.
class RowParser {
 public:
  RowParser(const TextLayout& layout, const char* begin, const char* end)
      : layout_(layout), at_(begin), end_(end), values_(layout.width) {}

  enum class Result { row, bad, end };
  // Lines of blanks alone are passed over.
  Result next();
  [[nodiscard]] TextRow row() const { return {name_, values_.data(), line_end_}; }
  // After Result::bad.
  [[nodiscard]] BadLine bad() const;
  // Lines that next() has passed, the last one included.
  [[nodiscard]] std::uint64_t lines() const { return lines_; }

 private:
  bool parse_line();
  bool parse_cell(double& value);
  void skip_blanks();
  [[nodiscard]] const char* line_break(const char* from) const;

  const TextLayout& layout_;
  const char* line_ = nullptr;  // where the line begins
  const char* at_;
  const char* end_;
  std::vector<double> values_;
  std::string_view name_;
  std::string_view line_end_;
  std::uint64_t lines_ = 0;
};

}  // namespace normtrace::bulk
