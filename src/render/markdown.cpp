#include "render/lines.h"
#include "render/machine_view.h"
#include "render/render.h"
#include "render/summary.h"

namespace normtrace::render {

namespace {

std::string heading(unsigned level, const std::string& text) { return std::string(level, '#') + " " + text + "\n\n"; }

std::string group_block(const trace::Trace& trace, const trace::GroupTrace& group, const Style& style) {
  std::string text;
  for (const Line& step : step_lines(trace, group, style)) text += "- " + step.head + " " + step.body + "\n";
  if (group.on_machine()) {
    text += "\n" + markdown_table(machine_table(trace, group, style)) + "\n";
    for (const std::string& fault : fault_lines(trace, group, style)) text += "- " + fault + "\n";
  }
  return text + "\n";
}

std::string group_heading(const trace::Trace& trace, const trace::GroupTrace& group, const Style& style) {
  const Line line = group_line(trace, group, style);
  return heading(3, line.head + " " + line.body);
}

// The steps of every group, and of what is watched beside them.
std::string group_blocks(const trace::Trace& trace, const Style& style) {
  std::string text;
  if (style.steps == Steps::none) return text;
  for (const trace::GroupTrace& group : trace.groups)
    text += group_heading(trace, group, style) + group_block(trace, group, style);
  if (trace.watch) text += heading(3, watch_heading(*trace.watch, style)) + group_block(trace, *trace.watch, style);
  return text;
}

std::string spoken_heading(std::string_view id, const Style& style) {
  return heading(2, words::say(style.language, id));
}

Table output_table(const trace::Trace& trace, const Style& style) {
  Table table = {{"token", words::say(style.language, "table.input"), std::string(trace.request.norm->name)}};
  const exact::Format* const dtype = trace.request.convention.machine.dtype;
  if (dtype) table.front().emplace_back(dtype->name);
  const tensor::Tensor& input = trace.request.input;
  for (std::size_t row = 0; row < input.rows(); ++row) {
    const auto begin = static_cast<std::ptrdiff_t>(row * input.width());
    const auto end = begin + static_cast<std::ptrdiff_t>(input.width());
    table.push_back(
        {input.tokens[row], show_input({input.values.begin() + begin, input.values.begin() + end}, style),
         show(std::vector<exact::Value>(trace.output.begin() + begin, trace.output.begin() + end), style).text});
    if (dtype) table.back().push_back(machine_output_line(trace, row, style).body);
  }
  return table;
}

}  // namespace

std::string markdown(const trace::Trace& trace, const std::vector<words::Message>& /*notes*/, const Style& style) {
  return heading(2, title(trace.request, style)) + group_blocks(trace, style) +
         markdown_table(output_table(trace, style));
}

std::string markdown(const trace::Comparison& comparison, const std::vector<words::Message>& /*notes*/,
                     const Style& style) {
  std::string text;
  if (style.steps != Steps::none)
    for (const trace::Trace& trace : comparison.traces)
      text += heading(2, title(trace.request, style)) + group_blocks(trace, style);
  std::string told;  // what each norm was told besides the numbers, where its steps do not say it
  for (const trace::Trace& trace : comparison.traces)
    if (const std::string line = title(trace.request, style);
        style.steps == Steps::none && line != trace.request.norm->name)
      told += "- " + line + "\n";
  if (!told.empty()) text += told + "\n";
  const auto section = [&](std::string_view id) { return spoken_heading(id, style); };
  text += section("compare.summary") + markdown_table(summary_table(comparison, style)) + "\n";
  text += section("compare.statistics") + markdown_table(statistics_table(comparison, style));
  const std::vector<std::string> conclusions = conclusion_lines(comparison, style);
  if (!conclusions.empty()) text += "\n" + section("compare.conclusions");
  for (const std::string& conclusion : conclusions) text += "- " + conclusion + "\n";
  return text;
}

std::string markdown(const trace::Passes& passes, const std::vector<words::Message>& notes, const Style& style) {
  std::string text;
  for (std::size_t i = 0; i < passes.traces.size(); ++i) {
    if (passes.traces.size() > 1) text += heading(1, pass_heading(passes, i, style));
    text += markdown(passes.traces[i], notes, style) + (i + 1 < passes.traces.size() ? "\n" : "");
  }
  if (passes.training() > 0)
    text += "\n" + spoken_heading("passes.statistics", style) + markdown_table(running_table(passes, style));
  if (passes.evaluated())
    text += "\n" + spoken_heading("passes.side_by_side", style) + markdown_table(modes_table(passes, style));
  return text;
}

}  // namespace normtrace::render
