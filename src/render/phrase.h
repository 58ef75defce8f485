#pragma once

#include <string>

#include "render/style.h"
#include "trace/trace.h"

namespace normtrace::render {

// One step in words and numbers, the same for every format: a format chooses which parts it prints, never how they read.
struct Phrase {
  std::string label;    // 均值, mean
  std::string symbol;   // μ
  std::string formula;  // Σxᵢ/d
  Shown substitution;   // (1+2+3+4)/4; rounded if a term had to be
  std::string shape;    // (3, 1): of the step over the whole input
};

Phrase phrase(const trace::Trace& trace, const trace::GroupTrace& group, const trace::Step& step, const Style& style);
// The letter of the count: d features of a token, m samples of a batch, n numbers else.
std::string count_letter(const trace::Trace& trace, const trace::GroupTrace& group);
// 1.556, or a vector.
Shown result(const trace::Step& step, const Style& style);
// 14/9, √5/2, (√5/5)·[-3, -1, 1, 3]; empty where the result is that already.
std::string exact_form(const trace::Step& step, const Style& style);

}  // namespace normtrace::render
