#pragma once

#include <string_view>

namespace normtrace::text {

// What a word is that stands where a number belongs, and how to mend it.
struct WordKind {
  bool (*matches)(std::string_view word);  // normalized, in lower case
  std::string_view wrong;
  std::string_view mend;
  bool mistyped = false;  // a number, whatever stands around it
};

const WordKind& kind_of_word(std::string_view word);

}  // namespace normtrace::text
