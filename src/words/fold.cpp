#include "words/fold.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "words/utf8.h"
#include "words/width.h"

namespace normtrace::words {

namespace {

// What is never parted, and the blanks before it: a word, or a wide character with the marks that cling to it.
struct Piece {
  std::size_t blanks = 0;
  std::string text;
  std::size_t width = 0;
};

bool is_one_of(char32_t code, std::u32string_view marks) { return marks.find(code) != std::u32string_view::npos; }
bool closes(char32_t code) { return is_one_of(code, U"，。、；：？！）】」』》〉”’％…"); }
bool opens(char32_t code) { return is_one_of(code, U"（【「『《〈“‘"); }

// Bytes of a colour that starts here; 0 where none does.
std::size_t color_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find('m');
  return end == std::string_view::npos ? 0 : end + 1;
}

std::vector<Piece> pieces_of(std::string_view line) {
  std::vector<Piece> pieces;
  std::size_t blanks = 0;
  char32_t before = 0;
  bool wide_before = false;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == ' ') {
      ++blanks;
      ++at;
      continue;
    }
    const std::size_t color = color_length(line.substr(at));
    const Decoded character = color > 0 ? Decoded{0, static_cast<unsigned>(color), true} : decode(line, at);
    const std::size_t width = !character.valid ? 1 : color > 0 ? 0 : display_width(character.code);
    const bool wide = width == 2;
    const bool after_relation = !pieces.empty() && (pieces.back().text == "=" || pieces.back().text == "≈");
    const bool clings = width == 0 || closes(character.code) || opens(before) || (!wide && !wide_before);
    if (pieces.empty() || (blanks > 0 ? !after_relation : !clings)) pieces.push_back({std::exchange(blanks, 0), {}, 0});
    Piece& piece = pieces.back();
    piece.width += blanks + width;
    piece.text.append(std::exchange(blanks, 0), ' ') += line.substr(at, character.length);
    if (width > 0) {
      before = character.code;
      wide_before = wide;
    }
    at += character.length;
  }
  return pieces;
}

// Whether a second thing begins so far to the right that it has no room.
bool begins_too_far(const Piece& piece, std::size_t column, std::size_t width) {
  return piece.blanks > 1 && column + piece.blanks > width / 2;
}

std::size_t hanging_indent(const std::vector<Piece>& pieces, std::size_t width) {
  const std::size_t indent = pieces.front().blanks;
  std::size_t column = indent + pieces.front().width;
  for (std::size_t i = 1; i < pieces.size() && column <= width / 2; ++i) {
    if (pieces[i].blanks > 1 && !begins_too_far(pieces[i], column, width)) return column + pieces[i].blanks;
    column += pieces[i].blanks + pieces[i].width;
  }
  return indent + 2;
}

std::string fold_line(std::string_view line, std::size_t width) {
  const std::vector<Piece> pieces = pieces_of(line);
  std::size_t needed = 0;
  for (const Piece& piece : pieces) needed += piece.blanks + piece.width;
  if (needed <= width) return std::string(line);
  const std::size_t hang = std::min(hanging_indent(pieces, width), width / 2);
  std::string folded;
  std::size_t column = 0;
  for (const Piece& piece : pieces) {
    const bool fits = column + piece.blanks + piece.width <= width;
    if (!folded.empty() && (!fits || begins_too_far(piece, column, width))) {
      folded.append("\n").append(hang, ' ');
      column = hang;
    } else {
      folded.append(piece.blanks, ' ');
      column += piece.blanks;
    }
    folded += piece.text;
    column += piece.width;
  }
  return folded;
}

}  // namespace

std::string fold(std::string_view text, std::size_t width) {
  if (width == 0) return std::string(text);
  std::string folded;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    folded += fold_line(text.substr(start, end - start), width);
    if (end < text.size()) folded += '\n';
    start = end + 1;
  }
  return folded;
}

}  // namespace normtrace::words
