// Any text is read or refused: no crash, no hang. What was read and is then written in its plainest form reads back as the
// same numbers, names and shapes.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "text/read.h"

namespace {

using namespace normtrace;

void require(bool condition) {
  if (!condition) std::abort();
}

// Nested brackets of whole numbers and fractions, every literal short enough to be read again.
bool write(const text::Array& array, std::string& written) {
  std::size_t block = 1;
  std::vector<std::size_t> blocks;  // numbers in a bracket of each level
  for (std::size_t level = array.shape.size(); level-- > 0;) {
    block *= array.shape[level];
    blocks.push_back(block);
  }
  for (std::size_t i = 0; i < array.cells.size(); ++i) {
    const text::Cell& cell = array.cells[i];
    if (cell.kind != text::Cell::Kind::finite) return false;
    for (const std::size_t size : blocks)
      if (i % size == 0) written += '[';
    const std::string literal = cell.value.to_string();
    if (literal.size() > 900) return false;
    written += literal;
    bool closed = false;
    for (const std::size_t size : blocks)
      if ((i + 1) % size == 0) {
        written += ']';
        closed = true;
      }
    if (i + 1 < array.cells.size()) written += closed ? ",\n" : ", ";
  }
  return true;
}

void check_round_trip(const text::Array& array) {
  std::string written;
  if (array.shape.size() > 60 || !write(array, written)) return;
  const text::Document again = text::read(text::file_source("written", written));
  require(again.arrays.size() == 1);
  require(again.arrays[0].shape == array.shape);
  for (std::size_t i = 0; i < array.cells.size(); ++i) require(again.arrays[0].cells[i].value == array.cells[i].value);
}

template <typename Read>
void attempt(Read read) {
  try {
    text::Document document = read();
    require(!document.arrays.empty());
    for (const text::Array& array : document.arrays) {
      std::size_t count = 1;
      for (const std::size_t extent : array.shape) count *= extent;
      require(!array.shape.empty() && count == array.cells.size() && count > 0);
      check_round_trip(array);
    }
    for (const text::Remark& remark : document.remarks) words::say(words::Language::zh, remark.message);
    const auto tensors = text::batches(document);
    for (const tensor::Tensor& tensor : tensors) require(tensor.tokens.size() == tensor.rows());
  } catch (const text::Error& error) {
    for (const words::Language language : {words::Language::zh, words::Language::en})
      for (const char c : text::describe(error, language)) require(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string given(reinterpret_cast<const char*>(data), size);
  attempt([&] { return text::read(text::standard_input_source(given)); });
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= given.size();) {
    const std::size_t end = std::min(given.find(' ', begin), given.size());
    words.push_back(given.substr(begin, end - begin));
    begin = end + 1;
  }
  attempt([&] { return text::read_words(words); });
  text::looks_like_vector(given);
  return 0;
}
