#include "render/render.h"
#include "render/table.h"

namespace normtrace::render {

namespace {

std::string header(const tensor::Tensor& input, std::string_view before) {
  std::string line(before);
  for (std::size_t column = 0; column < input.width(); ++column) line += "," + tensor::feature_name(column);
  return line + "\n";
}

// An undefined value leaves its cell empty.
std::string numbers(const trace::Trace& trace, std::size_t row, const Style& style) {
  const std::size_t width = trace.request.input.width();
  std::string line;
  for (std::size_t column = 0; column < width; ++column) {
    const exact::Value& value = trace.output[row * width + column];
    line += ",";
    if (!value.is_undefined()) line += to_decimal(value, style.digits, exact::PowerOfTen::e_notation).text;
  }
  return line + "\n";
}

// The machine's, with the digits that tell doubles apart; inf and nan as NumPy and pandas read them.
std::string machine_numbers(const trace::Trace& trace, std::size_t row) {
  const std::size_t width = trace.request.input.width();
  std::string line;
  for (std::size_t column = 0; column < width; ++column)
    line += "," + exact::shortest_text(trace.machine_output[row * width + column]);
  return line + "\n";
}

}  // namespace

std::string csv(const trace::Trace& trace, const std::vector<words::Message>& /*notes*/, const Style& style) {
  const tensor::Tensor& input = trace.request.input;
  std::string result = header(input, "token");
  const exact::Format* const dtype = trace.request.convention.machine.dtype;
  for (std::size_t row = 0; row < input.rows(); ++row) {
    result += csv_name(input.tokens[row]) + numbers(trace, row, style);
    if (dtype) result += csv_name(input.tokens[row] + " " + std::string(dtype->name)) + machine_numbers(trace, row);
  }
  return result;
}

std::string csv(const trace::Comparison& comparison, const std::vector<words::Message>& /*notes*/, const Style& style) {
  const tensor::Tensor& input = comparison.input();
  std::string result = header(input, "token");
  for (std::size_t row = 0; row < input.rows(); ++row)
    for (const trace::Trace& trace : comparison.traces)
      result += csv_name(input.tokens[row] + " " + std::string(trace.request.norm->name)) + numbers(trace, row, style);
  return result;
}

// Each row says of which pass it is: "t1 1 training", "t1 3 inference".
std::string csv(const trace::Passes& passes, const std::vector<words::Message>& notes, const Style& style) {
  if (passes.traces.size() == 1) return csv(passes.traces.front(), notes, style);
  std::string result = header(passes.traces.front().request.input, "token");
  for (std::size_t i = 0; i < passes.traces.size(); ++i) {
    const trace::Request& request = passes.traces[i].request;
    const std::string pass = " " + std::to_string(i + 1) + " " + std::string(trace::id(request.mode));
    for (std::size_t row = 0; row < request.input.rows(); ++row)
      result += csv_name(request.input.tokens[row] + pass) + numbers(passes.traces[i], row, style);
  }
  return result;
}

}  // namespace normtrace::render
