#pragma once

#include <string>
#include <vector>

#include "render/style.h"
#include "render/table.h"
#include "trace/comparison.h"

namespace normtrace::render {

// Token, input vector, one column a norm, with the digits of the summary.
Table summary_table(const trace::Comparison& comparison, const Style& style);
// Mean, variance and standard deviation by n and by n − 1, RMS, and the norm of every output against √d.
Table statistics_table(const trace::Comparison& comparison, const Style& style);
// Batch by batch, what was computed from it and what is kept after it.
Table running_table(const trace::Passes& passes, const Style& style);
// The rows of the last batch as training and as inference have them. Requires that it was evaluated.
Table modes_table(const trace::Passes& passes, const Style& style);
// "猫: …" for a conclusion about one token, the sentence alone for one about all.
std::vector<std::string> conclusion_lines(const trace::Comparison& comparison, const Style& style);

}  // namespace normtrace::render
