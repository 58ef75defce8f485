#include "classroom/explain/question.h"

#include <algorithm>
#include <array>

#include "classroom/explain/printed_type.h"
#include "text/error.h"
#include "text/read.h"

namespace normtrace::classroom::explain {

using text::Array;
using text::Cell;
using text::Document;

namespace {

constexpr std::array<std::string_view, 19> output_names = {
    "y",    "out",      "output", "outputs", "result", "results", "got",  "mine", "normalized", "normed",
    "norm", "expected", "actual", "answer",  "ln",     "rms",     "输出", "结果", "归一化"};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

bool names_an_output(const Array& array) {
  return std::ranges::find(output_names, lower(array.name)) != output_names.end();
}

bool is_data(const Array& array) { return array.role == text::Role::data && !array.further_column; }

// The two halves of an array along its first axis.
std::pair<Array, Array> halves(const Array& array) {
  Array first = array;
  Array second = array;
  const std::size_t rows = array.shape[0];
  const auto middle = static_cast<std::ptrdiff_t>(array.cells.size() / 2);
  first.cells.assign(array.cells.begin(), array.cells.begin() + middle);
  second.cells.assign(array.cells.begin() + middle, array.cells.end());
  const auto shape = [&](Array& half) {
    if (rows == 2 && half.shape.size() > 1)
      half.shape.erase(half.shape.begin());
    else
      half.shape[0] = rows / 2;
    half.span = {half.cells.front().span.begin, half.cells.back().span.end};
    half.rows.clear();
  };
  shape(first);
  shape(second);
  return {first, second};
}

// The text from the first number on, with the end of the call that the last stands in: …], dtype=torch.float16).
std::string_view with_its_end(const Document& document, const Numbers& numbers) {
  constexpr std::size_t longest_end = 64;
  const std::string_view text = numbers.source->text;
  std::size_t end = numbers.span.end;
  for (const Array& array : document.arrays)
    if (array.source == numbers.source && is_data(array)) end = std::max<std::size_t>(end, array.span.end);
  return text.substr(numbers.span.begin, end - numbers.span.begin + longest_end);
}

// The half type whose numbers these are.
const exact::Format* half_type(const Numbers& numbers) {
  for (const PrintedType& type : types_of(numbers.cells, numbers.type))
    if (type.likely && type.format->precision < exact::float32.precision) return type.format;
  return nullptr;
}

}  // namespace

Numbers numbers_of(Document document, bool finite, std::vector<words::Message>& notes) {
  Numbers numbers;
  for (Array& array : document.arrays) {
    if (!is_data(array)) continue;
    if (numbers.cells.empty()) {
      numbers.source = array.source;
      numbers.span = array.span;
    }
    array.batch = 0;
    numbers.cells.insert(numbers.cells.end(), array.cells.begin(), array.cells.end());
    if (finite) continue;
    for (Cell& cell : array.cells) cell.kind = Cell::Kind::finite;
  }
  if (numbers.source) numbers.type = named_type(with_its_end(document, numbers));
  numbers.tensor = std::move(text::batches(document).front());
  for (const text::Remark& remark : document.remarks) notes.push_back(remark.message);
  return numbers;
}

Pasted split(Document document, bool typed, std::vector<words::Message>& notes) {
  std::vector<Array> arrays;
  for (Array& array : document.arrays)
    if (is_data(array)) arrays.push_back(std::move(array));
  Pasted pasted;
  pasted.input.remarks = std::move(document.remarks);
  const auto put = [&](auto is_output) {
    for (Array& array : arrays) (is_output(array) ? pasted.output : pasted.input).arrays.push_back(std::move(array));
  };
  if (arrays.empty()) {
    put([](const Array&) { return false; });
    return pasted;
  }
  const std::size_t named = static_cast<std::size_t>(std::ranges::count_if(arrays, names_an_output));
  if (arrays.back().batch != arrays.front().batch) {
    const std::size_t first = arrays.front().batch;
    put([&](const Array& array) { return array.batch != first; });
  } else if (named != 0 && named != arrays.size()) {
    put(names_an_output);
  } else if (arrays.size() % 2 == 0) {
    const std::size_t half = arrays.size() / 2;
    if (half > 1) notes.push_back({"explain.note_halves", {std::to_string(half)}});
    std::size_t index = 0;
    put([&](const Array&) { return index++ >= half; });
  } else if (arrays.size() == 1 && (arrays[0].shape.size() > 1 || typed) && arrays[0].shape[0] % 2 == 0) {
    auto [input, output] = halves(arrays[0]);
    notes.push_back({arrays[0].shape.size() > 1 ? "explain.note_halves" : "explain.note_halves_flat",
                     {std::to_string(arrays[0].shape[0] / 2)}});
    pasted.input.arrays.push_back(std::move(input));
    pasted.output.arrays.push_back(std::move(output));
  } else if (arrays.size() > 1) {
    throw text::Error(arrays.back().source, arrays.back().span, {"explain.three", {std::to_string(arrays.size())}},
                      {"explain.no_output_mend", {}});
  } else {
    throw text::Error(arrays.back().source, arrays.back().span, {"explain.no_output", {}},
                      {"explain.no_output_mend", {}});
  }
  return pasted;
}

Question ask(const Numbers& input, const Numbers& output, std::vector<words::Message>& notes) {
  Question question;
  tensor::Tensor tensor = input.tensor;
  std::vector<Cell> cells = input.cells;
  const std::vector<std::size_t>& shape = output.tensor.shape;
  question.output = output.cells;
  question.input_type = half_type(input);
  question.output_type = output.type;
  const auto is_zero = [](const Cell& cell) { return cell.value.is_zero(); };
  const bool without_padding =
      output.cells.size() < cells.size() &&
      std::all_of(cells.begin() + static_cast<std::ptrdiff_t>(output.cells.size()), cells.end(), is_zero) &&
      (tensor.shape.size() == 1 || output.cells.size() % tensor.shape.back() == 0);
  if (without_padding) notes.push_back({"explain.note_padding", {std::to_string(cells.size() - output.cells.size())}});
  if (cells.size() != output.cells.size() && !without_padding)
    throw text::Error(output.source, output.span,
                      {"explain.count", {std::to_string(cells.size()), std::to_string(output.cells.size())}},
                      {"explain.count_mend", {}});
  if (without_padding) {
    set_input(question.sample, std::move(tensor), cells);
    return question;
  }
  if (shape.size() > tensor.shape.size()) {
    tensor.shape = shape;
    tensor.tokens = output.tensor.tokens;
  } else if (shape.size() == 2 && tensor.shape.size() == 2 && shape != tensor.shape) {
    question.transposed = shape[0] == tensor.shape[1] && shape[1] == tensor.shape[0];
    if (!question.transposed)
      throw text::Error(output.source, output.span,
                        {"explain.shape",
                         {std::to_string(tensor.shape[0]) + "×" + std::to_string(tensor.shape[1]),
                          std::to_string(shape[0]) + "×" + std::to_string(shape[1])}},
                        {"explain.count_mend", {}});
  }
  set_input(question.sample, std::move(tensor), cells);
  return question;
}

}  // namespace normtrace::classroom::explain
