#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace normtrace::words {

struct Decoded {
  char32_t code = 0;
  unsigned length = 1;  // bytes; 1 for a byte that starts no valid sequence
  bool valid = false;   // false: not UTF-8 here (overlong forms and surrogates included)
};

// The character that starts at byte `at`. Requires at < text.size().
Decoded decode(std::string_view text, std::size_t at);
void append_utf8(std::string& text, char32_t code);
// Characters that must never reach a terminal as they are: C0 and C1 controls, and those that turn the direction of text.
bool is_control(char32_t code);

}  // namespace normtrace::words
