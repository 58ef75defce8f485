#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "exact/rational.h"
#include "text/source.h"
#include "words/words.h"

namespace normtrace::text {

// A number as it was written. What is not finite stands here too, for those who diagnose outputs; `batches` refuses it.
struct Cell {
  enum class Kind : std::uint8_t { finite, nan, plus_infinity, minus_infinity };

  exact::Rational value;  // 0 unless finite
  Span span;
  Kind kind = Kind::finite;
  bool point = false;     // written with a decimal point
  bool exponent = false;  // written with an exponent
  bool fraction = false;  // written p/q: exact, no printed precision
  // The last written digit counts 10^-decimals: 2 for 1.50, 4 for 1.5e-3, -2 for 3e2.
  int decimals = 0;
  int significant = 0;  // written digits from the first that is not 0; 1 for 0 itself
};

enum class Role : std::uint8_t { data, running_mean, running_var, mean, var, weight, bias };

// One array as it was pasted, in the order of the text.
struct Array {
  SourcePointer source;
  Span span;
  std::string name;                // of the variable or token; empty if it had none
  std::vector<std::size_t> shape;  // {d} for one flat vector, {m, d}, …; never empty, no extent is 0
  std::vector<std::string> rows;   // names of the rows along the last axis; empty if they had none
  std::vector<Cell> cells;         // row-major
  std::size_t batch = 0;           // how many lines `---` stand before it
  Role role = Role::data;          // other than data: a statistic or parameter of a state_dict print
  bool further_column = false;     // from a table with several columns of vectors: not the first of them

  [[nodiscard]] std::size_t width() const { return shape.back(); }
};

// How something was understood that could have been meant otherwise, or was left out.
struct Remark {
  words::Message message;
  SourcePointer source;
  Span span;
};

struct Document {
  std::vector<Array> arrays;  // never empty when it comes from `read`
  std::vector<Remark> remarks;
};

}  // namespace normtrace::text
