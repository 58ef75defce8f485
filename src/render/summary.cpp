#include "render/summary.h"

#include <algorithm>

#include "norm/formulas.h"
#include "render/lines.h"

namespace normtrace::render {

using exact::Value;
using words::say;

namespace {

Style summary_style(Style style) {
  style.digits = style.summary_digits;
  return style;
}

template <class Number>
std::vector<Number> row_of(const std::vector<Number>& values, std::size_t row, std::size_t width) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * width);
  return {begin, begin + static_cast<std::ptrdiff_t>(width)};
}

// ‖y‖ of a token's output.
std::string norm_cell(const std::vector<Value>& output, const Style& style) {
  return show(sqrt(sum(std::span<const Value>(norm::squares_of<Value>(output)))), style).text;
}

}  // namespace

Table summary_table(const trace::Comparison& comparison, const Style& style) {
  const Style rounded = summary_style(style);
  const tensor::Tensor& input = comparison.input();
  Table table = {{"token", say(style.language, "table.input")}};
  for (const trace::Trace& trace : comparison.traces) table.front().emplace_back(trace.request.norm->name);
  for (std::size_t row = 0; row < input.rows(); ++row) {
    table.push_back({input.tokens[row], show_input(row_of(input.values, row, input.width()), style)});
    for (const trace::Trace& trace : comparison.traces)
      table.back().push_back(show(row_of(trace.output, row, input.width()), rounded).text);
  }
  return table;
}

Table statistics_table(const trace::Comparison& comparison, const Style& style) {
  const tensor::Tensor& input = comparison.input();
  Table table = {{"token"}};
  for (const std::string_view id :
       {"table.mean", "table.variance_n", "table.std_n", "table.variance_n1", "table.std_n1", "table.rms"})
    table.front().push_back(say(style.language, id));
  for (const trace::Trace& trace : comparison.traces)
    table.front().push_back(say(style.language, {"table.norm_of", {std::string(trace.request.norm->name)}}));
  table.front().emplace_back("√d");
  for (std::size_t row = 0; row < input.rows(); ++row) {
    std::vector<Value> x;
    for (std::size_t column = 0; column < input.width(); ++column) x.emplace_back(input.at(row, column));
    const auto n = static_cast<std::int64_t>(x.size());
    const Value mean = sum(std::span<const Value>(x)) / Value(n);
    const Value deviations = sum(
        std::span<const Value>(norm::each<Value>(x, [&](const Value& x_i) { return (x_i - mean) * (x_i - mean); })));
    const Value mean_square = sum(std::span<const Value>(norm::squares_of<Value>(x))) / Value(n);
    const Value variance = deviations / Value(n);
    const Value sample_variance = deviations / Value(n - 1);
    table.push_back({input.tokens[row]});
    for (const Value& value :
         {mean, variance, sqrt(variance), sample_variance, sqrt(sample_variance), sqrt(mean_square)})
      table.back().push_back(show(value, style).text);
    for (const trace::Trace& trace : comparison.traces)
      table.back().push_back(norm_cell(row_of(trace.output, row, input.width()), style));
    table.back().push_back(show(sqrt(Value(n)), style).text);
  }
  return table;
}

namespace {

// The columns of running statistics, each a step.
std::vector<norm::StepKind> running_columns(const trace::Trace& trace) {
  using enum norm::StepKind;
  if (trace.watch) return {rms, running_rms};
  return {mean, variance, stored_variance, running_mean, running_var};
}

}  // namespace

Table running_table(const trace::Passes& passes, const Style& style) {
  const trace::Trace& first = passes.traces.front();
  Table table = {{say(style.language, "passes.batch_column")}};
  if (!first.watch) table.front().push_back(say(style.language, "passes.group_column"));
  for (const norm::StepKind kind : running_columns(first))
    table.front().push_back(say(style.language, "step." + std::string(norm::id(kind))));
  for (std::size_t i = 0; i < passes.training(); ++i) {
    const trace::Trace& trace = passes.traces[i];
    const std::vector<trace::GroupTrace> watched =
        trace.watch ? std::vector<trace::GroupTrace>{*trace.watch} : trace.groups;
    for (const trace::GroupTrace& group : watched) {
      table.push_back({std::to_string(i + 1)});
      if (!trace.watch) table.back().push_back(group.group.name);
      for (const norm::StepKind kind : running_columns(trace))
        table.back().push_back(show(group.statistic(kind), style).text);
    }
  }
  return table;
}

Table modes_table(const trace::Passes& passes, const Style& style) {
  const trace::Trace& inference = passes.traces.back();
  const trace::Trace& training = passes.traces[passes.traces.size() - 2];
  const tensor::Tensor& input = inference.request.input;
  Table table = {{"token", say(style.language, "table.input"), say(style.language, "passes.training"),
                  say(style.language, "passes.inference")}};
  for (std::size_t row = 0; row < input.rows(); ++row) {
    table.push_back({input.tokens[row], show_input(row_of(input.values, row, input.width()), style)});
    for (const trace::Trace* const trace : {&training, &inference})
      table.back().push_back(show(row_of(trace->output, row, input.width()), style).text);
  }
  return table;
}

std::vector<std::string> conclusion_lines(const trace::Comparison& comparison, const Style& style) {
  std::vector<std::string> lines;
  for (const trace::Conclusion& conclusion : comparison.conclusions) {
    const std::string sentence = say(style.language, conclusion.message);
    lines.push_back(conclusion.token.empty() ? sentence
                                             : conclusion.token + say(style.language, "title.colon") + sentence);
  }
  return lines;
}

}  // namespace normtrace::render
