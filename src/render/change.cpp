#include "render/change.h"

#include <algorithm>

#include "render/json_parts.h"
#include "render/lines.h"
#include "render/phrase.h"
#include "render/table.h"

namespace normtrace::render {

using exact::Value;
using trace::Change;
using trace::Move;
using words::say;
using Notes = std::vector<words::Message>;

namespace {

std::string bold(const std::string& text, const Style& style) {
  return style.color ? "\x1b[1m" + text + "\x1b[0m" : text;
}

// "2·x + 10"
std::string formula(const trace::Edit& edit, const Style& style) {
  const std::string scale = show_input(edit.scale, style);
  const bool fraction = scale.find('/') != std::string::npos;
  std::string text = edit.scale.is_one() ? "x" : (fraction ? "(" + scale + ")" : scale) + "·x";
  if (!edit.shift.is_zero()) text += (edit.shift.sign() < 0 ? " - " : " + ") + show_input(abs(edit.shift), style);
  return text;
}

std::string edit_line(const Change& change, const Style& style) {
  if (!change.edit.set) return say(style.language, {"change.scaled", {formula(change.edit, style)}});
  const trace::Edit::Place& set = *change.edit.set;
  const tensor::Tensor& input = change.before.request.input;
  return say(style.language, {"change.set",
                              {input.tokens[set.row], tensor::feature_name(set.column),
                               show_input(input.at(set.row, set.column), style), show_input(set.value, style)}});
}

// A trace of one group in a line: its statistics and its result.
std::string short_form(const trace::Trace& trace, const trace::GroupTrace& group, const Style& style) {
  std::string text;
  for (const trace::Step& step : group.steps) {
    if (!norm::is_statistic(step.kind)) continue;
    const Shown shown = result(step, style);
    text += (text.empty() ? "" : say(style.language, "list.separator")) + phrase(trace, group, step, style).symbol +
            " " + shown.relation() + " " + shown.text;
  }
  const Shown output = result(*group.find(norm::StepKind::output), style);
  return text + say(style.language, "list.separator") + "y " + output.relation() + " " + output.text;
}

std::vector<std::string> trace_lines(const trace::Trace& trace, const Style& style) {
  std::vector<std::string> lines;
  for (const trace::GroupTrace& group : trace.groups) {
    const Line head = group_line(trace, group, style);
    lines.push_back(head.head + " " + head.body);
    if (style.steps == Steps::brief) lines.push_back("  " + short_form(trace, group, style));
    if (style.steps == Steps::brief || style.steps == Steps::none) continue;
    for (const Line& line : step_lines(trace, group, style)) lines.push_back("  " + line.head + " " + line.body);
  }
  return lines;
}

// In a sentence, where an = would say nothing.
std::string without_equals(const std::string& related) { return related.substr(related.starts_with("= ") ? 2 : 0); }

// "by ≈ [0.5, 0]", or that nothing moved.
std::string moved_by(const Change& change, std::size_t row, const Style& style) {
  if (!change.row_moved(row)) return say(style.language, "change.unmoved");
  const std::size_t width = change.before.request.input.width();
  std::vector<Value> differences;
  for (std::size_t i = row * width; i < (row + 1) * width; ++i) {
    if (change.outputs[i].move == Move::undefined) return say(style.language, "change.moved_undefined");
    differences.push_back(change.outputs[i].difference);
  }
  const Shown shown = show(differences, style);
  return say(style.language, {"change.moved_by", {(shown.rounded ? "≈ " : "") + shown.text}});
}

std::string output_text(const trace::Trace& trace, std::size_t row, const Style& style) {
  return without_equals(output_line(trace, row, style).body);
}

std::vector<std::string> verdict_lines(const Change& change, const Style& style) {
  std::vector<std::string> lines;
  for (const trace::Conclusion& verdict : change.verdicts)
    lines.push_back((verdict.token.empty() ? "" : verdict.token + say(style.language, "title.colon")) +
                    say(style.language, verdict.message));
  return lines;
}

std::string text(const Change& change, const Notes& /*notes*/, const Style& style) {
  const tensor::Tensor& input = change.before.request.input;
  const auto heading = [&](std::string_view id) { return "\n" + bold(say(style.language, id), style) + "\n"; };
  const auto indented = [](const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += "  " + line + "\n";
    return text;
  };
  std::string text = echo(input, style) + "\n" + bold(title(change.before.request, style), style) + "\n" +
                     edit_line(change, style) + "\n";
  if (style.steps != Steps::none)
    text += heading("change.before") + indented(trace_lines(change.before, style)) + heading("change.after") +
            indented(trace_lines(change.after, style));
  text += heading("change.outputs");
  for (std::size_t row = 0; row < input.rows(); ++row)
    text += "  " + input.tokens[row] + say(style.language, "title.colon") + output_text(change.before, row, style) +
            " → " + output_text(change.after, row, style) + say(style.language, "list.separator") +
            moved_by(change, row, style) + "\n";
  return text + heading("change.verdict") + indented(verdict_lines(change, style));
}

std::string markdown(const Change& change, const Notes& /*notes*/, const Style& style) {
  const tensor::Tensor& input = change.before.request.input;
  const auto heading = [&](std::string_view id) { return "\n### " + say(style.language, id) + "\n\n"; };
  std::string text = "## " + title(change.before.request, style) + "\n\n" + edit_line(change, style) + "\n";
  for (const auto& [id, trace] : {std::pair{"change.before", &change.before}, {"change.after", &change.after}}) {
    if (style.steps == Steps::none) break;
    text += heading(id);
    for (const std::string& line : trace_lines(*trace, style))
      text += line.starts_with("  ") ? "  - " + line.substr(2) + "\n" : "- " + line + "\n";
  }
  Table table = {{"token", say(style.language, "change.before"), say(style.language, "change.after"),
                  say(style.language, "change.difference")}};
  for (std::size_t row = 0; row < input.rows(); ++row)
    table.push_back({input.tokens[row], output_text(change.before, row, style), output_text(change.after, row, style),
                     moved_by(change, row, style)});
  text += heading("change.outputs") + markdown_table(table) + heading("change.verdict");
  for (const std::string& line : verdict_lines(change, style)) text += "- " + line + "\n";
  return text;
}

std::string csv(const Change& change, const Notes& /*notes*/, const Style& style) {
  const Style plain = for_machines(style);
  const tensor::Tensor& input = change.before.request.input;
  const auto cell = [&](const Value& value) { return value.is_undefined() ? "" : show(value, plain).text; };
  Table table = {{"token", "feature", "before", "after", "difference", "move"}};
  for (std::size_t i = 0; i < change.outputs.size(); ++i)
    table.push_back({input.tokens[i / input.width()], tensor::feature_name(i % input.width()),
                     cell(change.before.output[i]), cell(change.after.output[i]), cell(change.outputs[i].difference),
                     std::string(id(change.outputs[i].move))});
  return csv_table(table);
}

void write_edit(JsonWriter& json, const Change& change) {
  json.key("edit");
  json.begin_object();
  if (change.edit.set) {
    json.member("token", change.before.request.input.tokens[change.edit.set->row]);
    json.member("feature", tensor::feature_name(change.edit.set->column));
    json.key("from");
    json.input(change.before.request.input.at(change.edit.set->row, change.edit.set->column));
    json.key("to");
    json.input(change.edit.set->value);
  } else {
    json.key("scale");
    json.input(change.edit.scale);
    json.key("shift");
    json.input(change.edit.shift);
  }
  json.end_object();
}

std::string json(const Change& change, const Notes& notes, const Style& style) {
  const Style plain = for_machines(style);
  JsonWriter json(plain);
  json.begin_object();
  json.key("schema");
  json.number(1);
  json.member("command", "change");
  write_edit(json, change);
  json.key("before");
  write_trace(json, change.before, {}, plain);
  json.key("after");
  write_trace(json, change.after, {}, plain);
  json.key("outputs");
  write_rows(json, change.before.request.input, change.outputs, [&](const trace::OutputMove& output) {
    json.begin_object();
    json.member("move", id(output.move));
    json.key("difference");
    json.value(output.difference);
    json.end_object();
  });
  json.key("verdicts");
  write_conclusions(json, change.verdicts, plain);
  write_messages(json, notes, plain);
  json.end_object();
  return json.take();
}

}  // namespace

std::span<const View<Change>> change_views() {
  static constexpr View<Change> views[] = {{"text", text}, {"markdown", markdown}, {"json", json}, {"csv", csv}};
  return views;
}

}  // namespace normtrace::render
