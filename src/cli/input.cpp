#include "cli/input.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

#include "exact/machine.h"
#include "norm/presets.h"
#include "text/error.h"
#include "text/read.h"
#include "text/suggest.h"

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

text::SourcePointer option_source(std::string_view option, std::string text) {
  std::string_view example;
  for (const Option& row : options())
    if (row.name == option && !row.example.empty()) example = row.example;
  return text::option_source(option, std::move(text), example);
}

text::SourcePointer option_source(const Arguments& arguments, std::string_view option) {
  return option_source(option, arguments.get(option, ""));
}

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

namespace {

// A statistic that is pasted with the tokens is not used by itself: which option takes it.
words::Message unused_statistic(const text::Array& array) {
  const auto option = [&]() -> std::string {
    switch (array.role) {
      case text::Role::weight: return "--gamma";
      case text::Role::bias: return "--beta";
      case text::Role::running_var:
      case text::Role::var: return "normtrace bn … --running-var";
      default: return "normtrace bn … --running-mean";
    }
  };
  return {"note.statistic_unused", {text::printable(array.name), option()}};
}

std::vector<tensor::Tensor> batches_of(text::Document& document, std::vector<words::Message>& notes) {
  std::vector<tensor::Tensor> batches = text::batches(document);
  for (const text::Remark& remark : document.remarks)
    if (remark.message.id != "input.statistic") notes.push_back(remark.message);
  for (const text::Array& array : document.arrays)
    if (array.role != text::Role::data) notes.push_back(unused_statistic(array));
  return batches;
}

}  // namespace

std::vector<tensor::Tensor> read_batches(const Arguments& arguments, const Session& session,
                                         std::vector<words::Message>& notes) {
  text::Document document = read_input(arguments, session);
  return batches_of(document, notes);
}

tensor::Tensor read_tensor(const Arguments& arguments, const Session& session, std::vector<words::Message>& notes) {
  text::Document document = read_input(arguments, session);
  const auto another = std::ranges::find_if(
      document.arrays, [&](const text::Array& array) { return array.batch != document.arrays.front().batch; });
  std::vector<tensor::Tensor> batches = batches_of(document, notes);
  if (batches.size() > 1)
    throw text::Error(another->source, another->span, {"usage.one_batch", {std::to_string(batches.size())}},
                      {"usage.one_batch_mend", {}});
  return std::move(batches.front());
}

void require_one_batch(const std::vector<tensor::Tensor>& batches) {
  if (batches.size() > 1)
    throw UsageError({"usage.one_batch", {std::to_string(batches.size())}}, {"usage.one_batch_mend", {}});
}

namespace {

// Of rows that are features: f1 = a, f2 = b. Empty where they have no names of their own.
std::string feature_names(const tensor::Tensor& x) {
  constexpr std::size_t most = 8;
  std::string list;
  bool named = false;
  for (std::size_t row = 0; row < x.rows(); ++row) {
    named = named || x.tokens[row] != "t" + std::to_string(row + 1);
    if (row < most) list += (row == 0 ? "" : ", ") + tensor::feature_name(row) + " = " + x.tokens[row];
  }
  if (x.rows() > most) list += ", …";
  return named ? list : std::string();
}

tensor::Tensor transposed(const tensor::Tensor& x) {
  tensor::Tensor result;
  result.shape = {x.width(), x.rows()};
  for (std::size_t column = 0; column < x.width(); ++column) {
    result.tokens.push_back("t" + std::to_string(column + 1));
    for (std::size_t row = 0; row < x.rows(); ++row) result.values.push_back(x.at(row, column));
  }
  return result;
}

}  // namespace

tensor::Tensor as_batch(tensor::Tensor x, const Arguments& arguments, std::vector<words::Message>& notes) {
  if (arguments.has("--by-token") && arguments.has("--by-feature"))
    throw UsageError({"usage.by_both", {}}, {"usage.by_both_mend", {}});
  if (arguments.has("--by-feature")) {
    if (const std::string names = feature_names(x); !names.empty()) notes.push_back({"note.features_named", {names}});
    return transposed(x);
  }
  if (x.shape.size() != 1) return x;
  if (arguments.has("--by-token")) {
    x.shape.insert(x.shape.begin(), 1);
    return x;
  }
  words::Message note{"note.flat_is_feature", {std::to_string(x.width())}};
  if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));  // of several batches once
  return transposed(x);
}

std::vector<exact::Rational> read_parameters(const Arguments& arguments, std::string_view option, std::size_t features,
                                             std::vector<words::Message>& notes) {
  if (!arguments.has(option)) return {};
  const text::SourcePointer source = option_source(arguments, option);
  const std::vector<text::Cell> cells = text::read_vector(source, &notes);
  std::vector<exact::Rational> values;
  for (const text::Cell& cell : cells) values.push_back(cell.value);
  if (values.size() == features) return values;
  if (values.size() != 1)
    throw text::Error(
        source, {cells.front().span.begin, cells.back().span.end},
        {"usage.parameter_count", {std::string(option), std::to_string(values.size()), std::to_string(features)}},
        {"usage.parameter_count_mend", {std::to_string(features)}});
  notes.push_back({"note.spread", {std::string(option), std::to_string(features)}});
  return std::vector<exact::Rational>(features, values.front());
}

namespace {

// None for a plain average.
std::optional<exact::Rational> read_momentum(const std::string& text) {
  if (text == "cumulative") return std::nullopt;
  const text::SourcePointer source = option_source("--momentum", text);
  const text::Cell momentum = text::read_number(source);
  if (momentum.value.sign() <= 0 || momentum.value > exact::Rational(1))
    throw text::Error(source, momentum.span, {"usage.share", {}}, {"usage.momentum_mend", {}});
  return momentum.value;
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

// What a machine does beside the exact calculation; `usual` is what half types do about the weight where nothing is said.
norm::Machine read_machine(const Arguments& arguments, norm::CastOrder usual) {
  norm::Machine machine;
  machine.dtype = exact::find_format(arguments.get("--dtype", ""));
  if (!machine.dtype)
    for (const std::string_view option : {"--accumulate", "--cast-order"})
      if (arguments.has(option))
        throw UsageError({"usage.needs_dtype", {std::string(option)}}, {"usage.needs_dtype_mend", {}});
  for (const auto cast : {norm::CastOrder::llama, norm::CastOrder::gemma})
    if (arguments.get("--cast-order", "none") == norm::id(cast)) machine.cast = cast;
  const bool half = machine.dtype && machine.dtype->precision < exact::float32.precision;
  if (half && !arguments.has("--cast-order")) machine.cast = usual;
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

namespace {

// The framework or model of that name. Throws UsageError.
const norm::Framework& read_framework(std::string_view name) {
  if (const norm::Framework* const known = norm::find_framework(name)) return *known;
  std::vector<std::string_view> names;
  std::string list;
  for (const norm::Framework& framework : norm::frameworks()) {
    names.insert(names.end(), {framework.id, framework.name});
    for (const std::string_view alias : framework.aliases)
      if (!alias.empty()) names.push_back(alias);
    list += (list.empty() ? "" : ", ") + std::string(framework.id);
  }
  const std::string_view nearest = text::suggest(name, names);
  throw UsageError({"usage.unknown_like", {std::string(name)}},
                   nearest.empty() ? words::Message{"usage.choose_from", {list}}
                                   : words::Message{"usage.did_you_mean", {std::string(nearest)}});
}

// What --like names; null where it is not given. Throws UsageError.
const norm::Preset* read_preset(const Arguments& arguments, const norm::Norm& norm,
                                std::vector<words::Message>& notes) {
  if (!arguments.has("--like")) return nullptr;
  const norm::Framework& framework = read_framework(arguments.get("--like", ""));
  const norm::Preset* const preset = norm::find_preset(framework, norm);
  if (!preset)
    throw UsageError({"usage.like_norm", {std::string(framework.name), std::string(norm.name)}},
                     {"usage.like_has", {std::string(framework.name), norm::norms_of(framework)}});
  for (const std::string_view option :
       {"--eps", "--divisor", "--eps-place", "--cast-order", "--gamma-form", "--momentum", "--running-divisor"})
    if (arguments.has(option)) notes.push_back({"note.overrides", {std::string(option), std::string(framework.name)}});
  if (!preset->confirmed) notes.push_back({"note.unconfirmed", {std::string(framework.name)}});
  return preset;
}

}  // namespace

norm::Convention read_convention(const Arguments& arguments, const norm::Norm& norm, std::size_t features,
                                 std::vector<words::Message>& notes) {
  norm::Convention convention;
  const norm::Preset* const preset = read_preset(arguments, norm, notes);
  convention.machine = read_machine(arguments, preset ? preset->cast : norm::CastOrder::none);
  if (preset) norm::apply(*preset, convention);
  if (arguments.has("--eps")) {
    const text::SourcePointer source = option_source(arguments, "--eps");
    const text::Cell eps = text::read_number(source);
    if (eps.value.sign() < 0)
      throw text::Error(source, eps.span, {"usage.negative_eps", {}}, {"usage.negative_eps_mend", {}});
    convention.eps = eps.value;
  }
  for (const norm::Divisor divisor : {norm::Divisor::n, norm::Divisor::n_minus_one})
    if (arguments.get("--divisor", "") == norm::id(divisor)) convention.divisor = divisor;
  for (const norm::EpsPlace place : {norm::EpsPlace::inside_root, norm::EpsPlace::added_to_root})
    if (arguments.get("--eps-place", "") == norm::id(place)) convention.eps_place = place;
  if (arguments.get("--variance", "") == norm::id(norm::VarianceMethod::one_pass))
    convention.variance = norm::VarianceMethod::one_pass;
  convention.gamma = read_parameters(arguments, "--gamma", features, notes);
  convention.beta = read_parameters(arguments, "--beta", features, notes);
  if (arguments.has("--gamma-form"))
    convention.gamma_form =
        arguments.get("--gamma-form", "") == "plain" ? norm::GammaForm::plain : norm::GammaForm::one_plus;
  if (arguments.has("--momentum")) convention.momentum = read_momentum(arguments.get("--momentum", ""));
  for (const norm::Divisor divisor : {norm::Divisor::n, norm::Divisor::n_minus_one})
    if (arguments.get("--running-divisor", "") == norm::id(divisor)) convention.running_divisor = divisor;
  return convention;
}

const norm::Norm& computed_norm(const Arguments& arguments, const norm::Norm& norm) {
  std::vector<words::Message> said_already;
  const norm::Preset* const preset = read_preset(arguments, norm, said_already);
  return preset ? norm::computed_by(*preset) : norm;
}

void say_notes(const std::vector<words::Message>& notes, std::string_view format, const Session& session) {
  if (format == "json") return;
  for (const words::Message& note : notes) session.note(note);
}

void refuse_further_words(std::string_view command, const Arguments& arguments, std::size_t most) {
  if (arguments.words.size() <= most) return;
  throw UsageError({"usage.further_word", {arguments.words[most]}},
                   {"usage.further_word_mend", {std::string(command)}});
}

const norm::Norm& take_norm(std::string_view command, Arguments& arguments, bool (*offered)(const norm::Norm& norm)) {
  if (arguments.words.empty() || text::looks_like_vector(arguments.words.front()))
    throw UsageError({"usage.norm_first", {std::string(command)}}, {"usage.norm_first_mend", {std::string(command)}});
  const std::string word = arguments.words.front();
  const norm::Norm* const norm = norm::find(word);
  if (!norm || !find_command(norm->command)) {
    std::string list;
    for (const norm::Norm& known : norm::catalogue())
      if (find_command(known.command) && (!offered || offered(known)))
        list += (list.empty() ? "" : ", ") + std::string(known.command);
    throw UsageError({"usage.unknown_norm", {word}}, {"usage.choose_from", {list}});
  }
  if (offered && !offered(*norm)) {
    std::string list;
    for (const norm::Norm& known : norm::catalogue())
      if (find_command(known.command) && offered(known))
        list += (list.empty() ? "" : ", ") + std::string(known.command);
    throw UsageError({"usage.norm_not_here", {std::string(command), std::string(norm->name)}},
                     {"usage.choose_from", {list}});
  }
  arguments.words.erase(arguments.words.begin());
  return *norm;
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
  style.width = session.columns;
  style.color = color == "always" || (color == "auto" && session.out_is_terminal && !refused);
  return style;
}

}  // namespace normtrace::cli
