#include "render/lines.h"
#include "render/machine_view.h"
#include "render/render.h"
#include "render/summary.h"

namespace normtrace::render {

namespace {

std::string bold(const std::string& text, const Style& style) {
  return style.color ? "\x1b[1m" + text + "\x1b[0m" : text;
}

std::string line(const Line& line, std::string_view indent, const Style& style) {
  return std::string(indent) + (indent.empty() ? bold(line.head, style) : line.head) + " " + line.body + "\n";
}

std::string group_block(const trace::Trace& trace, const trace::GroupTrace& group, const Style& style,
                        std::string_view indent) {
  std::string text;
  for (const Line& step : step_lines(trace, group, style)) text += line(step, indent, style);
  if (!trace.request.convention.machine.dtype) return text;
  text += "\n" + aligned(machine_table(trace, group, style), indent);
  for (const std::string& fault : fault_lines(trace, group, style)) text += std::string(indent) + fault + "\n";
  return text;
}

std::string output_lines(const trace::Trace& trace, const Style& style) {
  std::string text;
  for (std::size_t row = 0; row < trace.request.input.rows(); ++row) {
    text += line(output_line(trace, row, style), "  ", style);
    if (trace.request.convention.machine.dtype) text += line(machine_output_line(trace, row, style), "    ", style);
  }
  return text;
}

// With BatchNorm the groups are features: the output has to be said once more, by token.
std::string outputs_by_token(const trace::Trace& trace, const Style& style) {
  return "\n" + bold(words::say(style.language, "trace.output_by_token"), style) + "\n" + output_lines(trace, style);
}

// Whether the groups are something else than the rows.
bool across_rows(const trace::Trace& trace) { return !trace.request.layout().by_row(); }

// The traces of a comparison, token by token; a norm over the batch has no token of its own and comes before them.
std::string traces(const trace::Comparison& comparison, const Style& style) {
  std::string text;
  for (const trace::Trace& trace : comparison.traces) {
    if (!across_rows(trace)) continue;
    for (const trace::GroupTrace& group : trace.groups)
      text += line(group_line(trace, group, style), "", style) + "  " + title(trace.request, style) + "\n" +
              group_block(trace, group, style, "    ") + "\n";
  }
  for (std::size_t row = 0; row < comparison.input().rows(); ++row) {
    bool first = true;
    for (const trace::Trace& trace : comparison.traces) {
      if (across_rows(trace)) continue;
      const trace::GroupTrace& group = trace.groups[row];
      if (first) text += line(group_line(trace, group, style), "", style);
      first = false;
      text += "  " + title(trace.request, style) + "\n" + group_block(trace, group, style, "    ");
    }
    if (!first) text += "\n";
  }
  return text;
}

}  // namespace

std::string text(const trace::Trace& trace, const std::vector<words::Message>& /*notes*/, const Style& style) {
  std::string text = echo(trace.request.input, style) + "\n" + bold(title(trace.request, style), style) + "\n";
  if (style.steps == Steps::none) return text + output_lines(trace, style);
  for (const trace::GroupTrace& group : trace.groups)
    text += "\n" + line(group_line(trace, group, style), "", style) + group_block(trace, group, style, "  ");
  if (across_rows(trace) && trace.request.input.shape.size() > 1) text += outputs_by_token(trace, style);
  return text;
}

std::string text(const trace::Comparison& comparison, const std::vector<words::Message>& /*notes*/,
                 const Style& style) {
  const auto heading = [&](std::string_view id) { return bold(words::say(style.language, id), style) + "\n"; };
  std::string text = echo(comparison.input(), style) + "\n\n";
  if (style.steps != Steps::none) text += traces(comparison, style);
  text += heading("compare.summary") + aligned(summary_table(comparison, style), "  ") + "\n";
  text += heading("compare.statistics") + aligned(statistics_table(comparison, style), "  ");
  const std::vector<std::string> conclusions = conclusion_lines(comparison, style);
  if (!conclusions.empty()) text += "\n" + heading("compare.conclusions");
  for (const std::string& conclusion : conclusions) text += "  " + conclusion + "\n";
  return text;
}

}  // namespace normtrace::render
