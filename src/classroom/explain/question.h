#pragma once

#include <string>
#include <vector>

#include "classroom/explain/explain.h"
#include "text/document.h"
#include "words/words.h"

namespace normtrace::classroom::explain {

// Numbers that were read, and how they were written.
struct Numbers {
  tensor::Tensor tensor;
  std::vector<text::Cell> cells;
  text::SourcePointer source;  // of the first
  text::Span span;
  const exact::Format* type = nullptr;  // that the paste names
};

// The arrays of a text below each other. NaN and infinities are let through if the caller can make sense of them. Throws
// text::Error as text::batches does.
Numbers numbers_of(text::Document document, bool finite, std::vector<words::Message>& notes);

struct Pasted {
  text::Document input;
  text::Document output;
};

// One paste that holds an input and an output: parted by a line ---, by their names, or in halves; a flat list of numbers
// only if it is `typed` as words. Throws text::Error where there is nothing to tell them by.
Pasted split(text::Document document, bool typed, std::vector<words::Message>& notes);

// Fits the output to the input's shape: as many numbers, perhaps in another shape, perhaps without padding. Throws
// text::Error if they do not belong together.
Question ask(const Numbers& input, const Numbers& output, std::vector<words::Message>& notes);

}  // namespace normtrace::classroom::explain
