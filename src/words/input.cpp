#include "words/table.h"

namespace normtrace::words {

std::span<const Sentence> input_sentences() {
  static constexpr Sentence table[] = {
      {"input.no_numbers", "这里没有数", "no numbers here"},
  };
  return table;
}

}  // namespace normtrace::words
