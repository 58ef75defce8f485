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
  if (trace.request.convention.machine.dtype) {
    text += "\n" + markdown_table(machine_table(trace, group, style)) + "\n";
    for (const std::string& fault : fault_lines(trace, group, style)) text += "- " + fault + "\n";
  }
  return text + "\n";
}

std::string group_heading(const trace::Trace& trace, const trace::GroupTrace& group, const Style& style) {
  const Line line = group_line(trace, group, style);
  return heading(3, line.head + " " + line.body);
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
  std::string text = heading(2, title(trace.request, style));
  if (style.steps != Steps::none)
    for (const trace::GroupTrace& group : trace.groups)
      text += group_heading(trace, group, style) + group_block(trace, group, style);
  return text + markdown_table(output_table(trace, style));
}

std::string markdown(const trace::Comparison& comparison, const std::vector<words::Message>& /*notes*/,
                     const Style& style) {
  std::string text;
  if (style.steps != Steps::none)
    for (const trace::Trace& trace : comparison.traces) {
      text += heading(2, title(trace.request, style));
      for (const trace::GroupTrace& group : trace.groups)
        text += group_heading(trace, group, style) + group_block(trace, group, style);
    }
  const auto section = [&](std::string_view id) { return heading(2, words::say(style.language, id)); };
  text += section("compare.summary") + markdown_table(summary_table(comparison, style)) + "\n";
  text += section("compare.statistics") + markdown_table(statistics_table(comparison, style));
  const std::vector<std::string> conclusions = conclusion_lines(comparison, style);
  if (!conclusions.empty()) text += "\n" + section("compare.conclusions");
  for (const std::string& conclusion : conclusions) text += "- " + conclusion + "\n";
  return text;
}

}  // namespace normtrace::render
