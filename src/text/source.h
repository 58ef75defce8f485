#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "words/words.h"

namespace normtrace::text {

// A text as it came, and what errors call it: "tokens.csv", "argument 2", "standard input", "--gamma".
struct Source {
  words::Message name;
  std::string text;
  std::size_t first_line = 1;  // the number of its first line in the file it was taken from
  bool numbered = true;        // errors add the number of the line; arguments of one line do without
  std::string example;         // of an option: how its value may look, "--eps 1e-5"
};
using SourcePointer = std::shared_ptr<const Source>;

SourcePointer file_source(std::string_view path, std::string text, std::size_t first_line = 1);
SourcePointer standard_input_source(std::string text, std::size_t first_line = 1);
// `example`: of a value.
SourcePointer option_source(std::string_view option, std::string text, std::string_view example = {});
// Arguments first … last (counted from 1) joined by blanks.
SourcePointer argument_source(std::size_t first, std::size_t last, std::string text);

// Bytes [begin, end) of a source.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

}  // namespace normtrace::text
