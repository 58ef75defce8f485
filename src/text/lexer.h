#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/document.h"
#include "text/source.h"

namespace normtrace::text {

constexpr std::size_t largest_text = std::size_t{64} << 20;  // bytes
constexpr std::size_t most_tokens = 8'000'000;
constexpr std::size_t deepest_nesting = 64;

struct Token {
  enum class Kind : std::uint8_t {
    number,
    word,    // a name, a function, anything that is neither number nor punctuation
    string,  // the text between quotes
    open,    // mark: ( [ { or < (a print such as <tf.Tensor: … numpy=array(…)>) or \ (a LaTeX matrix)
    close,
    comma,
    semicolon,  // ; or a LaTeX row break
    assign,     // = : -> <- =>; mark: = or : or >
    bar,        // | between the cells of a table
    symbol,     // mark: any other sign
    tag,        // <…> without data
    prompt,     // >>> and its kin: what follows was typed to an interpreter
    border,     // a line of three or more dashes
    newline,    // outside brackets only
  };

  Kind kind;
  char mark = 0;
  bool gap = false;         // a blank or line break stands before
  bool line_start = false;  // first of its line
  bool after_blank_line = false;
  bool tight_blank = false;  // the gap is one thin, figure or narrow blank: the ones that group digits
  std::uint8_t tabs = 0;     // tabs directly before (255: or more)
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t match = 0;  // open and close: the index of the other
};

struct Tokens {
  std::vector<Token> list;  // ends with a newline
  std::vector<Remark> remarks;
};

// Characters to tokens, brackets matched. Throws Error: not UTF-8, a limit passed, an ellipsis, a bracket without its
// partner.
Tokens tokenize(const SourcePointer& source);

}  // namespace normtrace::text
