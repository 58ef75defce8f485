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
  if (!group.on_machine()) return text;
  text += "\n" + aligned(machine_table(trace, group, style), indent, style.width);
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
  const bool by_token = trace.request.input.shape.size() < 3;
  const std::string_view heading = by_token ? "trace.output_by_token" : "trace.output_by_row";
  return "\n" + bold(words::say(style.language, heading), style) + "\n" + output_lines(trace, style);
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

// What each norm was told besides the numbers, a line a norm; nothing for the articles' own convention.
std::string conventions(const trace::Comparison& comparison, const Style& style) {
  std::string text;
  for (const trace::Trace& trace : comparison.traces)
    if (const std::string told = title(trace.request, style); told != trace.request.norm->name)
      text += bold(told, style) + "\n";
  return text;
}

std::string bold_heading(std::string_view id, const Style& style) {
  return bold(words::say(style.language, id), style) + "\n";
}

// The steps of every group, and of what is watched beside them.
std::string group_blocks(const trace::Trace& trace, const Style& style) {
  std::string text;
  for (const trace::GroupTrace& group : trace.groups)
    text += "\n" + line(group_line(trace, group, style), "", style) + group_block(trace, group, style, "  ");
  if (trace.watch)
    text +=
        "\n" + bold(watch_heading(*trace.watch, style), style) + "\n" + group_block(trace, *trace.watch, style, "  ");
  return text;
}

}  // namespace

std::string text(const trace::Trace& trace, const std::vector<words::Message>& /*notes*/, const Style& style) {
  std::string text = echo(trace.request.input, style) + "\n" + bold(title(trace.request, style), style) + "\n";
  if (style.steps == Steps::none) return text + output_lines(trace, style);
  text += group_blocks(trace, style);
  if (across_rows(trace) && trace.request.input.shape.size() > 1) text += outputs_by_token(trace, style);
  return text;
}

std::string text(const trace::Comparison& comparison, const std::vector<words::Message>& /*notes*/,
                 const Style& style) {
  const auto heading = [&](std::string_view id) { return bold_heading(id, style); };
  std::string text = echo(comparison.input(), style) + "\n" + conventions(comparison, style) + "\n";
  if (style.steps != Steps::none) text += traces(comparison, style);
  text += heading("compare.summary") + aligned(summary_table(comparison, style), "  ", style.width) + "\n";
  text += heading("compare.statistics") + aligned(statistics_table(comparison, style), "  ", style.width);
  const std::vector<std::string> conclusions = conclusion_lines(comparison, style);
  if (!conclusions.empty()) text += "\n" + heading("compare.conclusions");
  for (const std::string& conclusion : conclusions) text += "  " + conclusion + "\n";
  return text;
}

std::string text(const trace::Passes& passes, const std::vector<words::Message>& notes, const Style& style) {
  std::string result;
  for (std::size_t i = 0; i < passes.traces.size(); ++i) {
    if (passes.traces.size() > 1) result += bold(pass_heading(passes, i, style), style) + "\n";
    result += text(passes.traces[i], notes, style) + (i + 1 < passes.traces.size() ? "\n" : "");
  }
  if (passes.training() > 0)
    result +=
        "\n" + bold_heading("passes.statistics", style) + aligned(running_table(passes, style), "  ", style.width);
  if (passes.evaluated())
    result +=
        "\n" + bold_heading("passes.side_by_side", style) + aligned(modes_table(passes, style), "  ", style.width);
  return result;
}

}  // namespace normtrace::render
