#include "text/error.h"

#include <algorithm>

#include "words/fold.h"
#include "words/utf8.h"
#include "words/width.h"

namespace normtrace::text {

namespace {

constexpr std::size_t widest_line = 72;
constexpr std::size_t narrowest_line = 16;
constexpr std::size_t beside_line = 4;  // columns that the indentation, and the marks of what is left out, take

struct Piece {
  std::string text;
  std::size_t width;
};

bool is_invisible(char32_t code) {
  return code == 0x200B || code == 0x200C || code == 0x2060 || code == 0xFEFF || code == 0xAD;
}

// One character of the source as it may be shown. `marked`: under the carets, where the invisible must be seen.
Piece piece(std::string_view text, std::size_t& at, bool marked = false) {
  const words::Decoded character = words::decode(text, at);
  const std::string_view bytes = text.substr(at, character.length);
  at += character.length;
  if (!character.valid) return {"\uFFFD", 1};
  if (character.code == '\t' || character.code == '\n' || character.code == '\r') return {" ", 1};
  if (words::is_control(character.code) || (marked && is_invisible(character.code))) return {"\uFFFD", 1};
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

Error::Error(SourcePointer where, Span place, words::Message what_is_wrong, words::Message how_to_mend)
    : source(std::move(where)), span(place), wrong(std::move(what_is_wrong)), mend(std::move(how_to_mend)) {}

Excerpt excerpt(const Error& error, std::size_t columns) {
  const std::size_t widest =
      columns == 0 ? widest_line : std::clamp(columns - std::min(columns, beside_line), narrowest_line, widest_line);
  const std::size_t context_before_caret = widest * 2 / 3;
  const Span span = error.span;
  Excerpt shown;
  auto& [line_number, line, column, carets] = shown;
  const std::string_view text = error.source->text;
  const std::size_t begin = std::min<std::size_t>(span.begin, text.size());
  const std::size_t end = std::clamp<std::size_t>(span.end, begin, text.size());
  std::size_t line_begin = begin == 0 ? 0 : text.rfind('\n', begin - 1);
  line_begin = begin == 0 || line_begin == std::string_view::npos ? 0 : line_begin + 1;
  const std::size_t line_end = std::min(text.find('\n', begin), text.size());
  if (error.source->numbered)
    line_number =
        error.source->first_line + static_cast<std::size_t>(std::count(
                                       text.begin(), text.begin() + static_cast<std::ptrdiff_t>(line_begin), '\n'));

  // A few more characters than columns may be needed (combining marks), never more than the cut allows.
  std::size_t shown_from = begin;
  for (std::size_t characters = 0; shown_from > line_begin && characters < context_before_caret; ++characters)
    shown_from = back(text, shown_from);
  if (shown_from > line_begin) {
    line = "…";
    column = 1;
  }
  std::size_t at = shown_from;
  std::string before = line;
  std::string marked;
  for (std::size_t width = column; at < line_end && width < widest && line.size() < 8 * widest;) {
    const std::size_t here = at;
    const Piece next = piece(text, at, at >= begin && at < end);
    if (here < begin) before += next.text;
    if (here >= begin && here < end) marked += next.text;
    width += next.width;
    line += next.text;
  }
  // Of whole texts: joined emoji take less than their parts.
  column = words::display_width(before);
  carets = words::display_width(before + marked) - column;
  if (at < line_end) line += "…";
  while (!line.empty() && line.back() == ' ') line.pop_back();
  carets = std::max<std::size_t>(carets, 1);
  return shown;
}

std::string describe(const Error& error, words::Language language, std::size_t columns) {
  const Excerpt shown = excerpt(error, columns);
  std::string place = words::say(language, error.source->name);
  if (shown.line_number > 0) place = words::say(language, {"input.place", {place, std::to_string(shown.line_number)}});
  std::string message =
      words::fold(words::say(language, {"input.error", {place, words::say(language, error.wrong)}}), columns);
  if (!shown.line.empty())
    message += "\n  " + shown.line + "\n  " + std::string(shown.column, ' ') + std::string(shown.carets, '^');
  return message + "\n" + words::fold("  " + words::say(language, error.mend), columns);
}

}  // namespace normtrace::text
