#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/tensor.h"
#include "text/document.h"
#include "text/error.h"
#include "text/source.h"

namespace normtrace::text {

// Everything here throws text::Error on bad input. Time is linear in the length of the text; brackets nest at most 64 deep;
// a text has at most 64 MiB and a million numbers, a number at most 1,000 characters and an exponent within ±1000.

// The arrays of one text, in their order. At least one.
Document read(const SourcePointer& source);

// What parts batches: a line of a text, or a word of a command line.
inline constexpr std::string_view batch_border = "---";

// Words of a command line, numbered from `first`: each is one or more vectors; bare numbers in a row form one vector, and so
// do the pieces of a paste that the shell has split.
Document read_words(std::span<const std::string> words, std::size_t first = 1);

// True if a word can only be meant as numbers: [1,2], 猫=1,2, -1, tensor([…]).
bool looks_like_vector(std::string_view word);

// The value of an option: one vector (1,2,0.5 or [1, 2, 0.5]), one number (1e-5, 1/3), or a matrix as an input may be written.
// All are finite and without names; nothing is left out. How the numbers were understood that could have been meant
// otherwise is added to the remarks.
using Remarks = std::vector<words::Message>;
std::vector<Cell> read_vector(const SourcePointer& source, Remarks* remarks = nullptr);
Cell read_number(const SourcePointer& source);
std::vector<Array> read_matrix(const SourcePointer& source, Remarks& remarks);

// One tensor for each batch (batches are parted by a line `---`): the arrays of the batch below each other. One flat vector
// has the shape {d}, several {n, d}; arrays with more levels keep their shape and stand alone. Tokens without a name are
// t1, t2, … by their place; the rows of a named array x are x1, x2, …. Statistics and further columns of a table stay out.
// Adds remarks to the document. Throws Error for rows of different lengths, for what is not finite, and where the common
// denominator of all numbers would pass the limit (numbers × bits > 2^32).
std::vector<tensor::Tensor> batches(Document& document);

}  // namespace normtrace::text
