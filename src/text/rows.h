#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/context.h"
#include "text/groups.h"

namespace normtrace::text {

// Lines without data brackets: plain rows, CSV, TSV, Markdown and other tables, name: numbers, prints of MATLAB, Octave, R,
// Julia, libtorch and pandas. Lines that belong together gather in a block and become one array.
class Rows {
 public:
  Rows(Context& context, Groups& groups) : context_(context), groups_(groups) {}

  // A line [first, last) of numbers with or without a name.
  void read_line(std::uint32_t first, std::uint32_t last);
  // A line of a table whose cells hold brackets: | 猫 | [1, 2] | [3, 4] |
  void read_vector_cells(std::uint32_t first, std::uint32_t last);

  // `A =` on a line of its own names the block that follows.
  void begin_named(std::uint32_t first, std::uint32_t last, bool must_follow);
  // "Columns 7 to 10": what follows continues the rows above to the right. `first_number`: the token of the 7.
  void begin_columns(std::uint32_t first_number);
  // "(1,.,.) =": the block that follows is one slice.
  void begin_slice(std::uint32_t open);
  // MATLAB's "1.0e+03 *": a factor of all that follows in this block.
  void set_factor(std::uint32_t number);
  // "[1] 1 2 3", "[1,] 1 2 3": the index is no data. `wraps`: an index without comma goes on with the row before.
  void read_indexed(std::uint32_t first, std::uint32_t last, bool wraps);
  // "[ CPUFloatType{2,3} ]": says the shape of the block above.
  void finish_with_shape(std::vector<std::size_t> shape);
  // "dtype: float64": what stands above is the print of a pandas Series, an index before each number.
  void finish_series();
  // "3-element Vector{Float64}:": one number a line below is one vector.
  void expect_vector() { items_ = true; }
  // A dash before a number: a list of YAML, one number a line.
  void read_item(std::uint32_t first, std::uint32_t last, bool new_row);

  void finish();
  // Blank lines part blocks, except inside prints that are made of several.
  [[nodiscard]] bool ends_at_blank_line() const { return !rows_.empty() && !in_columns_ && !in_slice_; }
  [[nodiscard]] bool has_rows() const { return !rows_.empty(); }
  // A factor stands above what is not a block of rows.
  void refuse_factor() const;
  // The name of a line `A =` that nothing has followed yet; taken by the bracket that does.
  std::string take_pending_name();
  // What follows has its own name: `A:` was a heading, `A =` lacks its numbers.
  void leave_pending_name();

 private:
  struct Row {
    std::string name;
    std::vector<Cell> cells;
    Span span;
  };
  struct VectorColumn {
    std::string header;
    Array array;
  };
  struct Slices {
    std::vector<std::size_t> extents;  // how many slices along each leading axis
    std::vector<std::size_t> shape;    // of one slice
    std::vector<Cell> cells;
    std::size_t count = 0;
    Span span;
  };
  // The cells of a line: each [first, last) tokens.
  struct Range {
    std::uint32_t first, last;
  };

  bool split_segments(std::uint32_t first, std::uint32_t last);
  void read_segment(std::uint32_t first, std::uint32_t last);
  bool read_decimal_commas(std::uint32_t first, std::uint32_t last);
  [[nodiscard]] std::vector<Range> delimited(std::uint32_t first, std::uint32_t last, Token::Kind delimiter) const;
  [[nodiscard]] std::vector<Range> tabbed(std::uint32_t first, std::uint32_t last) const;
  void read_assigned(std::uint32_t first, std::uint32_t last);
  void check_number_as_name(std::uint32_t begin, std::uint32_t assign, std::uint32_t last) const;
  [[nodiscard]] bool is_rule(const std::vector<Range>& cells) const;
  [[nodiscard]] bool is_type_row(const std::vector<Range>& cells) const;
  [[nodiscard]] Cell read_cell(Range cell, Token::Kind delimiter) const;
  // `delimiter`: a comma or semicolon may also stand behind the last cell, a bar or tab parts cells only.
  void read_cells(const std::vector<Range>& cells, Span line, Token::Kind delimiter);
  void read_blank_separated(std::uint32_t first, std::uint32_t last, std::string name);
  void add_row(Row row);
  void close_slice();
  void settle_counting_header();
  void emit_rows();
  void emit_vector_columns();
  void take_index_column();
  [[nodiscard]] bool header_names_first_column() const;
  [[nodiscard]] bool is_named_by_header(std::size_t cells) const;
  [[nodiscard]] bool follows_name() const { return !rows_.empty() && !rows_.back().name.empty(); }
  void take_counting_header();

  Context& context_;
  Groups& groups_;
  std::string label_;
  Span label_span_;
  bool label_must_follow_ = false;
  bool pending_ = false;  // the label has nothing below it yet
  std::vector<Row> rows_;
  std::vector<std::string> header_;
  bool header_empty_first_ = false;
  std::optional<Row> counting_header_;  // token,0,1,2: a header if rows follow
  bool delimited_ = false;              // cells stood between commas, bars or tabs
  bool numbers_as_names_ = false;       // the header says that the first column holds names, and one was a number
  bool items_ = false;                  // one number a line is known to be one vector
  bool indexed_ = false;                // R's print of a vector
  std::vector<VectorColumn> columns_of_vectors_;
  std::vector<Row> left_;  // rows of earlier "Columns … to …" blocks
  bool in_columns_ = false;
  Cell factor_;
  bool has_factor_ = false;
  Slices slices_;
  bool in_slice_ = false;
};

}  // namespace normtrace::text
