#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "exact/rational.h"

namespace normtrace::tensor {

// Numbers in row-major order; the last axis holds the features of one token.
// Shape {d} is one flat vector (whether it is a token or a feature depends on the norm), {m, d} is m tokens with d
// features, {N, C, L} and longer shapes are batches as frameworks write them.
struct Tensor {
  std::vector<std::size_t> shape;
  std::vector<exact::Rational> values;
  std::vector<std::string> tokens;  // one name a row of the last axis
  bool listed = false;              // vectors given one by one, as opposed to one array with its own brackets

  [[nodiscard]] std::size_t width() const { return shape.back(); }
  [[nodiscard]] std::size_t rows() const { return values.size() / shape.back(); }
  [[nodiscard]] const exact::Rational& at(std::size_t row, std::size_t column) const {
    return values[row * width() + column];
  }
};

}  // namespace normtrace::tensor
