#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace normtrace::text {

// One character with its full-width, ideographic and typographic spellings brought to the ASCII one they stand for.
struct Character {
  char32_t code;  // normalized: ',' for ，、 and so on; ' ' for every blank; 0 at the end of the text
  char32_t original;
  std::uint32_t length;  // bytes
  bool dropped;          // zero-width: no character at all
};

// The same for a character beyond ASCII. Requires at < text.size().
Character normalized(std::string_view text, std::size_t at);

// Requires valid UTF-8 (the reader checks the whole text first).
inline Character character_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {0, 0, 0, false};
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return {first, first, 1, false};
  return normalized(text, at);
}

// Every character as `character_at` has it, those without width left out. Requires valid UTF-8.
std::string normalized_text(std::string_view text);
// Where the last character stands that is normalized to `wanted`; npos if none is.
std::size_t find_last_character(std::string_view text, char32_t wanted);

// A normalized code that may stand inside a name.
bool is_word_character(char32_t code);
inline bool is_digit(char32_t code) { return code >= '0' && code <= '9'; }
inline bool is_blank(char32_t code) { return code == ' ' || code == '\t'; }  // not a line break

}  // namespace normtrace::text
