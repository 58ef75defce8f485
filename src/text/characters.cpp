#include "text/characters.h"

#include <algorithm>
#include <iterator>

#include "words/utf8.h"

namespace normtrace::text {

namespace {

struct Spelling {
  char32_t from;
  char32_t to;
};

constexpr char32_t dropped = 0xFFFFFFFF;

// Sorted by `from`. Dashes count as minus only before a digit or a point: the lexer sees to that.
constexpr Spelling spellings[] = {
    {0x00A0, ' '},      // no-break space
    {0x00AD, dropped},  // soft hyphen
    {0x1680, ' '},     {0x2000, ' '},     {0x2001, ' '},     {0x2002, ' '},     {0x2003, ' '},     {0x2004, ' '},
    {0x2005, ' '},     {0x2006, ' '},     {0x2007, ' '},                     // figure space
    {0x2008, ' '},     {0x2009, ' '},                                        // thin space
    {0x200A, ' '},     {0x200B, dropped},                                    // zero-width space
    {0x200C, dropped},                                                       // zero-width non-joiner
    {0x200D, dropped},                                                       // zero-width joiner
    {0x200E, dropped},                                                       // marks of direction; those that turn it
    {0x200F, dropped},                                                       // over (202D, 202E) must be seen
    {0x2010, '-'},                                                           // hyphen
    {0x2011, '-'},                                                           // no-break hyphen
    {0x2012, '-'},                                                           // figure dash
    {0x2013, '-'},                                                           // en dash
    {0x2014, '-'},                                                           // em dash
    {0x2018, '\''},                                                          // ‘
    {0x2019, '\''},                                                          // ’
    {0x201C, '"'},                                                           // “
    {0x201D, '"'},                                                           // ”
    {0x202A, dropped}, {0x202B, dropped}, {0x202C, dropped}, {0x202F, ' '},  // narrow no-break space
    {0x2044, '/'},                                                           // fraction slash
    {0x205F, ' '},     {0x2060, dropped},                                    // word joiner
    {0x2066, dropped}, {0x2067, dropped}, {0x2068, dropped}, {0x2069, dropped}, {0x2212, '-'},      // minus sign
    {0x2215, '/'},                                                                                  // division slash
    {0x2236, ':'},                                                                                  // ratio
    {0x3000, ' '},                                                                                  // ideographic space
    {0x3001, ','},                                                                                  // 、
    {0x300C, '['},     {0x300D, ']'},                                                               // 「」
    {0x3010, '['},     {0x3011, ']'},                                                               // 【】
    {0x3014, '['},     {0x3015, ']'},                                                               // 〔〕
    {0xFE50, ','},     {0xFE54, ';'},     {0xFE55, ':'},     {0xFE63, '-'},     {0xFEFF, dropped},  // byte order mark
    {0xFF02, '"'},     {0xFF03, '#'},     {0xFF05, '%'},     {0xFF08, '('},     {0xFF09, ')'},     {0xFF0A, '*'},
    {0xFF0B, '+'},     {0xFF0C, ','},     {0xFF0D, '-'},     {0xFF0E, '.'},     {0xFF0F, '/'},     {0xFF10, '0'},
    {0xFF11, '1'},     {0xFF12, '2'},     {0xFF13, '3'},     {0xFF14, '4'},     {0xFF15, '5'},     {0xFF16, '6'},
    {0xFF17, '7'},     {0xFF18, '8'},     {0xFF19, '9'},     {0xFF1A, ':'},     {0xFF1B, ';'},     {0xFF1C, '<'},
    {0xFF1D, '='},     {0xFF1E, '>'},     {0xFF25, 'E'},     {0xFF3B, '['},     {0xFF3D, ']'},     {0xFF45, 'e'},
    {0xFF5B, '{'},     {0xFF5C, '|'},     {0xFF5D, '}'},     {0xFF64, ','},
};

// Box drawing: borders and rules of a table, as they would be drawn with - = | +.
constexpr char32_t first_box = 0x2500;
constexpr char32_t last_box = 0x257F;
char32_t drawn(char32_t box) {
  static constexpr std::u32string_view horizontal = U"─━┄┅┈┉╌╍╴╶╸╺╼╾";
  static constexpr std::u32string_view vertical = U"│┃┆┇┊┋╎╏║╵╷╹╻╽╿";
  if (box == U'═') return '=';
  if (horizontal.find(box) != std::u32string_view::npos) return '-';
  return vertical.find(box) != std::u32string_view::npos ? '|' : '+';
}

}  // namespace

Character normalized(std::string_view text, std::size_t at) {
  const words::Decoded read = words::decode(text, at);
  if (read.code >= first_box && read.code <= last_box) return {drawn(read.code), read.code, read.length, false};
  const auto* const found =
      std::lower_bound(std::begin(spellings), std::end(spellings), read.code,
                       [](const Spelling& spelling, char32_t code) { return spelling.from < code; });
  if (found == std::end(spellings) || found->from != read.code) return {read.code, read.code, read.length, false};
  if (found->to == dropped) return {read.code, read.code, read.length, true};
  return {found->to, read.code, read.length, false};
}

std::string normalized_text(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    at += character.length;
    if (!character.dropped) words::append_utf8(result, character.code);
  }
  return result;
}

std::size_t find_last_character(std::string_view text, char32_t wanted) {
  std::size_t last = std::string_view::npos;
  for (std::size_t at = 0; at < text.size(); at += character_at(text, at).length)
    if (character_at(text, at).code == wanted) last = at;
  return last;
}

bool is_word_character(char32_t code) {
  if (code >= 0x80) return code != 0x3002 && code != 0x2026 && code != 0x22EF && code != 0x2192;  // 。 … ⋯ →
  return is_digit(code) || (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') || code == '_';
}

}  // namespace normtrace::text
