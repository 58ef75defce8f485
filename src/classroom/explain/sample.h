#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "classroom/explain/bounds.h"
#include "exact/rational.h"
#include "tensor/tensor.h"
#include "text/document.h"

namespace normtrace::classroom::explain {

struct Grouping;

// A number of the output as it was printed: the numbers that would have been printed so.
struct Reading {
  text::Cell::Kind kind = text::Cell::Kind::finite;
  Wide value = 0;
  Bounds bounds;
  bool missing = false;       // not given: the input is padding
  exact::Rational exact = 0;  // the value again

  [[nodiscard]] bool finite() const { return kind == text::Cell::Kind::finite; }
};

// How the digits of an output are taken.
enum class Digits {
  shared,     // all entries have as many decimals as the longest: the zeros at their ends were dropped
  own,        // each entry has the decimals it was written with
  truncated,  // shared, but cut off instead of rounded
  whole,      // whole numbers, rounded to be
};

// An input, an output, and what is known about the way from one to the other.
struct Sample {
  tensor::Tensor input;
  std::vector<Wide> x;     // the input again
  std::vector<Wide> half;  // half a unit of the last printed digit, where the input looks like a print; else 0
  std::vector<Reading> output;
  unsigned decimals = 0;                      // of the output
  std::vector<exact::Rational> gamma;         // one a feature, or empty
  std::vector<exact::Rational> beta;          // one a feature, or empty
  std::vector<exact::Rational> running_mean;  // one, one a feature, or empty
  std::vector<exact::Rational> running_var;   // likewise
  std::optional<exact::Rational> eps;
  std::string norm;                                        // id of the norm that is known to be meant, or empty
  std::shared_ptr<const std::vector<Grouping>> groupings;  // of this shape, once prepared
  Wide roundoff = 0x1p-53L;                                // of the machine that may have computed the output
  bool inputs_are_prints = false;                          // whether `half` counts

  [[nodiscard]] std::size_t count() const { return x.size(); }
  [[nodiscard]] Wide uncertainty(std::size_t i) const { return inputs_are_prints ? half[i] : 0; }
};

// Sets the input and its printed precision. `cells` are those of the tensor, in its order.
void set_input(Sample& sample, tensor::Tensor input, const std::vector<text::Cell>& cells);
// Inputs beyond the last output have none.
void set_output(Sample& sample, const std::vector<text::Cell>& cells, Digits digits);

}  // namespace normtrace::classroom::explain
