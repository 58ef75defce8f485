#include "text/error.h"

#include <algorithm>

#include "words/utf8.h"
#include "words/width.h"

namespace normtrace::text {

namespace {

constexpr std::size_t widest_line = 72;
constexpr std::size_t context_before_caret = 48;

struct Piece {
  std::string text;
  std::size_t width;
};

// One character of the source as it may be shown.
Piece piece(std::string_view text, std::size_t& at) {
  const words::Decoded character = words::decode(text, at);
  const std::string_view bytes = text.substr(at, character.length);
  at += character.length;
  if (!character.valid) return {"\uFFFD", 1};
  if (character.code == '\t' || character.code == '\n' || character.code == '\r') return {" ", 1};
  if (words::is_control(character.code)) return {"\uFFFD", 1};
  return {std::string(bytes), words::display_width(character.code)};
}

std::size_t back(std::string_view text, std::size_t at) {
  do --at;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  return at;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) shown += piece(text, at).text;
  return shown;
}

Error::Error(const Source& from, Span span, words::Message what_is_wrong, words::Message how_to_mend)
    : source(from.name),
      line_number(0),
      column(0),
      carets(0),
      wrong(std::move(what_is_wrong)),
      mend(std::move(how_to_mend)) {
  const std::string_view text = from.text;
  const std::size_t begin = std::min<std::size_t>(span.begin, text.size());
  const std::size_t end = std::clamp<std::size_t>(span.end, begin, text.size());
  std::size_t line_begin = begin == 0 ? 0 : text.rfind('\n', begin - 1);
  line_begin = begin == 0 || line_begin == std::string_view::npos ? 0 : line_begin + 1;
  const std::size_t line_end = std::min(text.find('\n', begin), text.size());
  if (from.numbered)
    line_number = 1 + static_cast<std::size_t>(
                          std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(line_begin), '\n'));

  // A few more characters than columns may be needed (combining marks), never more than the cut allows.
  std::size_t shown_from = begin;
  for (std::size_t characters = 0; shown_from > line_begin && characters < context_before_caret; ++characters)
    shown_from = back(text, shown_from);
  if (shown_from > line_begin) {
    line = "…";
    column = 1;
  }
  std::size_t width = column;
  std::size_t at = shown_from;
  for (; at < line_end && width < widest_line && line.size() < 8 * widest_line;) {
    const std::size_t here = at;
    const Piece next = piece(text, at);
    if (here < begin) column += next.width;
    if (here >= begin && here < end) carets += next.width;
    width += next.width;
    line += next.text;
  }
  if (at < line_end) line += "…";
  while (!line.empty() && line.back() == ' ') line.pop_back();
  carets = std::max<std::size_t>(carets, 1);
}

std::string describe(const Error& error, words::Language language) {
  std::string place = words::say(language, error.source);
  if (error.line_number > 0) place = words::say(language, {"input.place", {place, std::to_string(error.line_number)}});
  std::string message = words::say(language, {"input.error", {place, words::say(language, error.wrong)}});
  if (!error.line.empty())
    message += "\n  " + error.line + "\n  " + std::string(error.column, ' ') + std::string(error.carets, '^');
  return message + "\n  " + words::say(language, error.mend);
}

}  // namespace normtrace::text
