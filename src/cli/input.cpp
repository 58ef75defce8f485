#include "cli/input.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

#include "exact/machine.h"
#include "text/error.h"
#include "text/read.h"

namespace normtrace::cli {

namespace {

// The reader refuses more than this; nothing beyond it needs to be held.
constexpr std::size_t longest_text = (std::size_t{64} << 20) + 1;

std::string slurp(std::istream& stream, const std::string& name) {
  std::string content;
  std::string block(std::size_t{1} << 16, '\0');
  while (content.size() < longest_text) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    content.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (!stream) break;
  }
  if (stream.bad()) throw FileError({"file.read", {name, std::strerror(errno)}});
  return content;
}

void append(text::Document& all, text::Document&& more) {
  const std::size_t batches = all.arrays.empty() ? 0 : all.arrays.back().batch;
  for (text::Array& array : more.arrays) {
    array.batch += batches;
    all.arrays.push_back(std::move(array));
  }
  std::ranges::move(more.remarks, std::back_inserter(all.remarks));
}

text::SourcePointer source_of(const std::string& path, const Session& session) {
  std::string content = read_file(path, session);
  return path == "-" ? text::standard_input_source(std::move(content)) : text::file_source(path, std::move(content));
}

}  // namespace

std::string read_file(const std::string& path, const Session& session) {
  if (path == "-") {
    if (session.in_is_terminal) session.err << say(session.language, "input.type_vectors") << "\n" << std::flush;
    return slurp(session.in, path);
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError({"file.read", {path, std::strerror(errno)}});
  return slurp(file, path);
}

text::Document read_input(const Arguments& arguments, const Session& session) {
  text::Document document;
  std::vector<std::string> words;
  bool from_standard_input = arguments.words.empty() && !arguments.has("--file");
  for (const std::string& word : arguments.words) {
    if (word == "-")
      from_standard_input = true;
    else
      words.push_back(word);
  }
  if (!words.empty()) append(document, text::read_words(words));
  if (arguments.has("--file")) append(document, text::read(source_of(arguments.get("--file", ""), session)));
  if (from_standard_input) append(document, text::read(source_of("-", session)));
  return document;
}

tensor::Tensor read_tensor(const Arguments& arguments, const Session& session, std::vector<words::Message>& notes) {
  text::Document document = read_input(arguments, session);
  std::vector<tensor::Tensor> batches = text::batches(document);
  for (const text::Remark& remark : document.remarks) notes.push_back(remark.message);
  if (batches.size() > 1)
    throw UsageError({"usage.one_batch", {std::to_string(batches.size())}}, {"usage.one_batch_mend", {}});
  return std::move(batches.front());
}

namespace {

std::vector<exact::Rational> read_parameters(const Arguments& arguments, std::string_view option, std::size_t features,
                                             std::vector<words::Message>& notes) {
  if (!arguments.has(option)) return {};
  const text::SourcePointer source = text::option_source(option, arguments.get(option, ""));
  const std::vector<text::Cell> cells = text::read_vector(source);
  std::vector<exact::Rational> values;
  for (const text::Cell& cell : cells) values.push_back(cell.value);
  if (values.size() == features) return values;
  if (values.size() != 1)
    throw text::Error(
        *source, {cells.front().span.begin, cells.back().span.end},
        {"usage.parameter_count", {std::string(option), std::to_string(values.size()), std::to_string(features)}},
        {"usage.parameter_count_mend", {std::to_string(features)}});
  notes.push_back({"note.spread", {std::string(option), std::to_string(features)}});
  return std::vector<exact::Rational>(features, values.front());
}

unsigned read_digits(const Arguments& arguments, unsigned otherwise) {
  if (!arguments.has("--digits")) return otherwise;
  const std::string text = arguments.get("--digits", "");
  unsigned digits = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || digits > 50) digits = 51;
    if (digits > 50) break;
    digits = digits * 10 + static_cast<unsigned>(c - '0');
  }
  if (digits < 1 || digits > 50) throw UsageError({"usage.digits", {text}}, {"usage.digits_mend", {}});
  return digits;
}

// What a machine does beside the exact calculation.
norm::Machine read_machine(const Arguments& arguments) {
  norm::Machine machine;
  machine.dtype = exact::find_format(arguments.get("--dtype", ""));
  if (!machine.dtype)
    for (const std::string_view option : {"--accumulate", "--cast-order"})
      if (arguments.has(option))
        throw UsageError({"usage.needs_dtype", {std::string(option)}}, {"usage.needs_dtype_mend", {}});
  for (const auto cast : {norm::CastOrder::llama, norm::CastOrder::gemma})
    if (arguments.get("--cast-order", "none") == norm::id(cast)) machine.cast = cast;
  const std::string accumulate = arguments.get("--accumulate", "");
  machine.accumulate = exact::find_format(accumulate);
  if (!machine.accumulate) return machine;
  if (machine.cast != norm::CastOrder::none && machine.accumulate != &exact::float32)
    throw UsageError({"usage.accumulate_cast", {accumulate}}, {"usage.accumulate_cast_mend", {}});
  if (machine.cast == norm::CastOrder::none && !machine.accumulate->holds(*machine.dtype)) {
    std::string wide;
    for (const exact::Format* const format : exact::formats)
      if (format->holds(*machine.dtype)) wide += (wide.empty() ? "" : "|") + std::string(format->name);
    throw UsageError({"usage.accumulate_narrow", {accumulate, std::string(machine.dtype->name)}},
                     {"usage.choose_from", {wide}});
  }
  return machine;
}

}  // namespace

void round_input(const Arguments& arguments, tensor::Tensor& input, std::vector<words::Message>& notes) {
  const exact::Format* const format = exact::find_format(arguments.get("--input-dtype", ""));
  if (!format) return;
  for (exact::Rational& x : input.values) {
    const double rounded = round_to(*format, x);
    if (std::isinf(rounded))
      throw UsageError(
          {"usage.input_overflow",
           {to_exact_text(x, format->decimals(), exact::PowerOfTen::superscript), std::string(format->name),
            to_text(*format, format->largest(), exact::PowerOfTen::superscript)}},
          {"usage.input_overflow_mend", {}});
    x = exact::exact_value(rounded);
  }
  notes.push_back({"note.input_dtype", {std::string(format->name)}});
}

norm::Convention read_convention(const Arguments& arguments, std::size_t features, std::vector<words::Message>& notes) {
  norm::Convention convention;
  if (arguments.has("--eps")) {
    const text::SourcePointer source = text::option_source("--eps", arguments.get("--eps", ""));
    const text::Cell eps = text::read_number(source);
    if (eps.value.sign() < 0)
      throw text::Error(*source, eps.span, {"usage.negative_eps", {}}, {"usage.negative_eps_mend", {}});
    convention.eps = eps.value;
  }
  if (arguments.get("--divisor", "n") == norm::id(norm::Divisor::n_minus_one))
    convention.divisor = norm::Divisor::n_minus_one;
  if (arguments.get("--eps-place", "") == norm::id(norm::EpsPlace::added_to_root))
    convention.eps_place = norm::EpsPlace::added_to_root;
  if (arguments.get("--variance", "") == norm::id(norm::VarianceMethod::one_pass))
    convention.variance = norm::VarianceMethod::one_pass;
  convention.machine = read_machine(arguments);
  convention.gamma = read_parameters(arguments, "--gamma", features, notes);
  convention.beta = read_parameters(arguments, "--beta", features, notes);
  return convention;
}

render::Style read_style(const Arguments& arguments, const Session& session, std::string_view otherwise) {
  render::Style style;
  style.language = session.language;
  style.digits = read_digits(arguments, style.digits);
  style.summary_digits = read_digits(arguments, style.summary_digits);
  static constexpr std::pair<std::string_view, render::Steps> names[] = {{"full", render::Steps::full},
                                                                         {"article", render::Steps::article},
                                                                         {"brief", render::Steps::brief},
                                                                         {"none", render::Steps::none}};
  for (const auto& [name, steps] : names)
    if (arguments.get("--steps", otherwise) == name) style.steps = steps;
  const std::string color = arguments.get("--color", "auto");
  const bool refused = !session.environment("NO_COLOR").value_or("").empty();
  style.color = color == "always" || (color == "auto" && session.out_is_terminal && !refused);
  return style;
}

}  // namespace normtrace::cli
