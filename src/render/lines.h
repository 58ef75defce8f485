#pragma once

#include <string>
#include <vector>

#include "render/style.h"
#include "trace/comparison.h"
#include "trace/trace.h"

namespace normtrace::render {

// One item of a calculation on one line: "均值 μ" and "= (1+2+3+4)/4 = 2.5".
struct Line {
  std::string head;
  std::string body;
};

// Whether running statistics are updated.
bool keeps_statistics(const trace::Request& request);
// Whether there are axes of channels and of positions to tell apart.
bool has_channels(const trace::Request& request);

// What was read: "3 tokens × 4 features: 猫 = [1, 2, 3, 4], …".
std::string echo(const tensor::Tensor& input, const Style& style);
// "LayerNorm", and behind it the convention where it is not the articles' own.
std::string title(const trace::Request& request, const Style& style);
// The name of a group and its numbers: "猫", "= [1, 2, 3, 4]".
Line group_line(const trace::Trace& trace, const trace::GroupTrace& group, const Style& style);
// The steps of one group, as many as the style asks for, and the check of the norm.
std::vector<Line> step_lines(const trace::Trace& trace, const trace::GroupTrace& group, const Style& style);
// "all 12 numbers": above what is watched.
std::string watch_heading(const trace::GroupTrace& watch, const Style& style);
// "batch 2: training", "the last batch again: inference".
std::string pass_heading(const trace::Passes& passes, std::size_t index, const Style& style);
// ‖x̂‖² against d: what is equal, by how much it differs, and why.
Line check_line(const trace::Trace& trace, const trace::GroupTrace& group, const Style& style);
// A row of the output, by token.
Line output_line(const trace::Trace& trace, std::size_t row, const Style& style);

}  // namespace normtrace::render
