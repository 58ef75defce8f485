#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "words/words.h"

namespace normtrace::bulk {

// What the user says of a table; where nothing is said, the first lines decide.
struct LayoutWishes {
  char separator = 0;
  std::optional<bool> header;
  std::optional<bool> names;
  bool may_be_empty = false;  // no rows are no error: a piece of a file
};

// How a table of numbers is laid out.
struct TextLayout {
  char separator = ',';    // ',', ';', '\t', or ' ' for any run of blanks
  bool names = false;      // the first cell of a row is a name
  std::size_t width = 0;   // numbers in a row
  std::size_t header = 0;  // bytes before the first row of numbers, kept as they are
  std::uint64_t header_lines = 0;
  std::vector<std::string> features;    // from the header, where it has a cell for each; else empty
  std::optional<std::uint64_t> rows;    // as a "COUNT WIDTH" line says
  bool maybe_header = false;            // the first row cannot be read: it may be a header
  bool maybe_names = false;             // a first cell that cannot be read may be a name
  std::vector<words::Message> remarks;  // what was decided though the other way was possible too
};

// Reads the layout off the first lines: `text` ends after a line, or is all there is.
//   separator  the one that parts most of the lines into numbers
//   header     a first line without a number (the first cell aside) whose cells are words, or with an empty corner; '#' lines
//              and Excel's "sep=;" before it belong to it, and so does the "COUNT WIDTH" line of word2vec and fastText
//   names      the first cells, if the header has none for them, or the first is no number, one is a word and most are no numbers
// A cell that looks like a number, or stands for a missing one, is no word: "1/2", "[1", "x=1" or "NA" makes a row that
// cannot be read, not a name.
// Errors: Error with status 2 if there are no numbers.
TextLayout read_layout(std::string_view text, const LayoutWishes& wishes, const std::string& source);

}  // namespace normtrace::bulk
