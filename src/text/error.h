#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "text/source.h"
#include "words/words.h"

namespace normtrace::text {

// What is wrong in a text, where, and how to mend it. Ends the command with exit status 2.
class Error : public std::exception {
 public:
  Error(SourcePointer source, Span span, words::Message wrong, words::Message mend);

  [[nodiscard]] const char* what() const noexcept override { return wrong.id.c_str(); }

  SourcePointer source;
  Span span;
  words::Message wrong;
  words::Message mend;
};

// Where an error is, as it is shown.
struct Excerpt {
  std::size_t line_number = 0;  // from 1; 0 where the source is an argument of one line
  // The line of the source around the mistake, safe to print; carets stand under `carets` columns from
  // `column` on (from 0).
  std::string line;
  std::size_t column = 0;
  std::size_t carets = 0;
};
// At most 72 columns of the line, or what fits a terminal of `columns` (0: no terminal).
Excerpt excerpt(const Error& error, std::size_t columns = 0);

// The whole message, without a final newline:
//   error: tokens.txt:2: empty element between two commas
//     猫=[1,,2]
//          ^
//     write the missing number, or remove a comma
// In lines of at most `columns`, if that is not 0.
std::string describe(const Error& error, words::Language language, std::size_t columns = 0);

// A text for showing: controls and characters that turn the direction of text become ones that are safe to print,
// tabs and line breaks become blanks.
std::string printable(std::string_view text);

}  // namespace normtrace::text
