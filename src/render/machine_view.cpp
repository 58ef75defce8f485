#include "render/machine_view.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "exact/machine.h"
#include "trace/machine_error.h"

namespace normtrace::render {

using exact::Format;
using exact::Value;
using norm::StepKind;
using trace::GroupTrace;
using trace::MachineError;
using trace::Step;
using trace::Trace;
using words::say;

namespace {

constexpr unsigned error_digits = 2;
// Groups up to this size are shown whole; of longer ones this many members at either end.
constexpr std::size_t whole_group = 8;
constexpr std::size_t shown_end = 3;

std::string error_text(double error, const Style& style) {
  if (std::isinf(error)) return "inf";
  return to_significant(exact::exact_value(error), error_digits, style.power).text;
}

// The members whose columns are shown; the gap stands for those left out.
struct Columns {
  std::vector<std::size_t> members;
  std::size_t gap = SIZE_MAX;  // a column of dots stands before this place

  Columns(std::size_t count, const Style& style) {
    const bool elided = style.elide && count > whole_group;
    for (std::size_t i = 0; i < count; ++i) {
      if (elided && i == shown_end) {
        gap = i;
        i = count - shown_end;
      }
      members.push_back(i);
    }
  }

  // label, type, one cell a member; a statistic has one value and empty cells behind it.
  [[nodiscard]] std::vector<std::string> row(std::string label, std::string type, std::size_t values,
                                             const std::function<std::string(std::size_t)>& cell) const {
    std::vector<std::string> cells = {std::move(label), std::move(type)};
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i == gap) cells.emplace_back(values == 1 ? "" : "…");
      cells.push_back(members[i] < values ? cell(members[i]) : "");
    }
    return cells;
  }
};

// One step, or the input, as rows of the table.
struct Rows {
  const std::vector<Value>& exact;
  const std::vector<double>& machine;
  const Format& format;
  std::string label;

  [[nodiscard]] bool same() const {
    for (std::size_t i = 0; i < exact.size(); ++i)
      if (const auto error = trace::machine_error(format, exact[i], machine[i]); !error || error->ulps != 0)
        return false;
    return true;
  }

  void add(const Columns& columns, Table& table, const Style& style) const {
    const std::size_t count = exact.size();
    const std::string name(format.name);
    const auto computed = [&](std::size_t i) { return to_text(format, machine[i], style.power); };
    if (same()) {
      table.push_back(columns.row(label, say(style.language, {"machine.both", {name}}), count, computed));
      return;
    }
    table.push_back(columns.row(label, say(style.language, "machine.exact"), count, [&](std::size_t i) {
      if (exact[i].is_undefined()) return say(style.language, "value.undefined");
      return to_significant(exact[i], format.decimals() + 1, style.power).text;
    }));
    table.push_back(columns.row("", name, count, computed));
    const auto errors = [&](std::string_view id, double MachineError::*measure) {
      table.push_back(columns.row("", say(style.language, id), count, [&](std::size_t i) -> std::string {
        const auto error = trace::machine_error(format, exact[i], machine[i]);
        return error ? error_text((*error).*measure, style) : "";
      }));
    };
    errors("machine.error", &MachineError::relative);
    if (style.steps == Steps::full) errors("machine.ulps", &MachineError::ulps);
  }
};

bool repeats_normalized(const norm::Convention& convention) {
  return convention.gamma.empty() && convention.beta.empty() && convention.machine.cast != norm::CastOrder::gemma;
}

// The names of the members: features of a token, tokens of a batch; where more axes share a statistic, by number.
std::string member_name(const Trace& trace, const GroupTrace& group, std::size_t i) {
  const tensor::Tensor& input = trace.request.input;
  const std::size_t member = group.group.members[i];
  if (trace.request.layout().by_row()) return tensor::feature_name(member % input.width());
  if (trace.request.norm->axis == tensor::Axis::feature && input.shape.size() == 2)
    return input.tokens[member / input.width()];
  return std::to_string(i + 1);
}

std::vector<double> members_of(const std::vector<double>& all, const std::vector<std::size_t>& members) {
  std::vector<double> result;
  result.reserve(members.size());
  for (const std::size_t member : members) result.push_back(all[member]);
  return result;
}

// “variance”: 1.25 exactly, -8 in float32 …
std::string fault_text(const norm::Convention& convention, const trace::FaultyStep& fault, const Style& style) {
  const Format& format = trace::format_of(convention.machine, fault.step->kind);
  const Value& exact = fault.step->values[fault.element];
  const double machine = fault.step->machine[fault.element];
  return say(style.language, {"fault." + std::string(trace::id(fault.fault)),
                              {say(style.language, "step." + std::string(norm::id(fault.step->kind))),
                               to_significant(exact, format.decimals() + 2, style.power).text, std::string(format.name),
                               to_text(format, machine, style.power),
                               error_text(trace::machine_error(format, exact, machine)->ulps, style)}});
}

}  // namespace

std::string machine_title(const norm::Machine& machine, const Style& style) {
  const std::string dtype(machine.dtype->name);
  if (machine.cast != norm::CastOrder::none)
    return say(style.language, {"machine_title." + std::string(norm::id(machine.cast)), {dtype}});
  const exact::Arithmetic arithmetic = machine.stored();
  if (arithmetic.accumulator == machine.dtype) return say(style.language, {"machine_title.plain", {dtype}});
  return say(style.language, {"machine_title.accumulate", {dtype, std::string(arithmetic.accumulator->name)}});
}

Table machine_table(const Trace& trace, const GroupTrace& group, const Style& style) {
  const norm::Convention& convention = trace.request.convention;
  const std::size_t count = group.group.members.size();
  const Columns columns(count, style);
  Table table = {columns.row(say(style.language, "machine.step"), say(style.language, "machine.type"), count,
                             [&](std::size_t i) { return member_name(trace, group, i); })};
  if (style.steps != Steps::brief) {
    std::vector<Value> given;
    for (const std::size_t member : group.group.members) given.emplace_back(trace.request.input.values[member]);
    const std::vector<double> stored = members_of(trace.machine_input, group.group.members);
    Rows{given, stored, *convention.machine.dtype, say(style.language, "machine.input")}.add(columns, table, style);
  }
  for (const Step& step : group.steps) {
    if (step.machine.empty()) continue;  // running statistics are updated exactly
    if (step.kind == StepKind::output ? repeats_normalized(convention) && style.steps != Steps::brief
                                      : style.steps == Steps::brief)
      continue;
    Rows{step.values, step.machine, trace::format_of(convention.machine, step.kind),
         say(style.language, "step." + std::string(norm::id(step.kind)))}
        .add(columns, table, style);
  }
  return table;
}

std::vector<std::string> fault_lines(const Trace& trace, const GroupTrace& group, const Style& style) {
  const norm::Convention& convention = trace.request.convention;
  const trace::Faults faults = trace::faults(convention, group);
  if (!faults.first) return {say(style.language, {"fault.none", {std::string(convention.machine.dtype->name)}})};
  std::vector<std::string> lines = {
      say(style.language, {"machine.enters", {fault_text(convention, *faults.first, style)}})};
  if (faults.first_grave && faults.first_grave->step != faults.first->step)
    lines.push_back(say(style.language, {"machine.grows", {fault_text(convention, *faults.first_grave, style)}}));
  return lines;
}

Line machine_output_line(const Trace& trace, std::size_t row, const Style& style) {
  const Format& format = *trace.request.convention.machine.dtype;
  const std::size_t width = trace.request.input.width();
  std::vector<std::string> parts;
  for (std::size_t column = 0; column < width; ++column)
    parts.push_back(to_text(format, trace.machine_output[row * width + column], style.power));
  return {std::string(format.name), "[" + join(parts, ", ", style) + "]"};
}

std::string machine_fixed(double x, unsigned places) {
  if (!std::isfinite(x)) return to_text(exact::float64, x, exact::PowerOfTen::e_notation);
  const std::string magnitude = exact::to_fixed(Value(exact::exact_value(std::abs(x))), places);
  return std::signbit(x) ? "-" + magnitude : magnitude;
}

}  // namespace normtrace::render
