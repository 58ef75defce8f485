#pragma once

#include <cstdint>
#include <string_view>

namespace normtrace::text {

// One character with its full-width, ideographic and typographic spellings brought to the ASCII one they stand for.
struct Character {
  char32_t code;  // normalized: ',' for ，、 and so on; ' ' for every blank; 0 at the end of the text
  char32_t original;
  std::uint32_t length;  // bytes
  bool dropped;          // zero-width: no character at all
};

// Requires valid UTF-8 (the reader checks the whole text first).
Character character_at(std::string_view text, std::size_t at);

// A normalized code that may stand inside a name.
bool is_word_character(char32_t code);
bool is_digit(char32_t code);
bool is_blank(char32_t code);  // blank or tab, not a line break

}  // namespace normtrace::text
