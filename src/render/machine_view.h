#pragma once

#include <string>
#include <vector>

#include "render/lines.h"
#include "render/style.h"
#include "render/table.h"
#include "trace/trace.h"

// What a machine computes, beside the exact values. All but machine_title require a trace with a machine.
namespace normtrace::render {

// "computed in float16, sums in float32"
std::string machine_title(const norm::Machine& machine, const Style& style);
// For each step a row of exact values, one of the machine's and, where they differ, one of relative errors (and in full one in
// ulps); a step that the machine has exactly takes one row. Of long groups the middle is left out.
Table machine_table(const trace::Trace& trace, const trace::GroupTrace& group, const Style& style);
// Where the error enters, of what kind it is, and where it grows.
std::vector<std::string> fault_lines(const trace::Trace& trace, const trace::GroupTrace& group, const Style& style);
// A row of the machine's output: "float16", "[0.36523, 0.73047, 1.0957, 1.4609]".
Line machine_output_line(const trace::Trace& trace, std::size_t row, const Style& style);
// What a framework would print: four decimals, -0.0000, inf, nan.
std::string machine_fixed(double x, unsigned places);

}  // namespace normtrace::render
