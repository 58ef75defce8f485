#include "cli/explain_command.h"

#include <algorithm>
#include <optional>
#include <ostream>

#include "classroom/explain/question.h"
#include "classroom/explain/report.h"
#include "classroom/explain/stored.h"
#include "cli/input.h"
#include "norm/catalogue.h"
#include "text/error.h"
#include "text/read.h"

namespace normtrace::cli {

namespace {

namespace explain_room = classroom::explain;
using explain_room::Answer;
using explain_room::Question;
using explain_room::Verdict;
using Notes = std::vector<words::Message>;

text::Document read_option_file(const Arguments& arguments, std::string_view option, const Session& session) {
  const std::string path = arguments.get(option, "");
  std::string content = read_file(path, session);
  return text::read(path == "-" ? text::standard_input_source(std::move(content))
                                : text::file_source(path, std::move(content)));
}

// A word that can be read by itself, as numbers or as a paste of them: it is no piece of one that the shell has split.
bool stands_alone(const std::string& word) {
  if (word == "-" || text::looks_like_vector(word)) return true;
  const auto count = [&](std::string_view characters) {
    return std::ranges::count_if(word, [&](char c) { return characters.find(c) != std::string_view::npos; });
  };
  return word.find_first_of("0123456789") != std::string::npos && count("[({") == count("])}");
}

text::Document read_word(const std::vector<std::string>& words, std::size_t index, const Session& session) {
  if (words[index] == "-") return text::read(text::standard_input_source(read_file("-", session)));
  return text::read_words(std::span(words).subspan(index, 1), index + 1);
}

// Two words that are each a vector are the input and the output; anything else is one paste, or what is left beside a file.
explain_room::Pasted read_pasted(const Arguments& arguments, const Session& session, Notes& notes) {
  const std::vector<std::string>& words = arguments.words;
  explain_room::Pasted pasted;
  if (arguments.has("--input")) pasted.input = read_option_file(arguments, "--input", session);
  if (arguments.has("--output")) pasted.output = read_option_file(arguments, "--output", session);
  if (arguments.has("--input") && arguments.has("--output")) return pasted;
  const bool two =
      words.size() == 2 && std::ranges::all_of(words, stands_alone) && words != std::vector<std::string>{"-", "-"};
  for (const std::string_view option : {"--input", "--output"})
    if (two && arguments.has(option))
      throw UsageError({"explain.given_twice", {std::string(option)}}, {"explain.given_twice_mend", {}});
  if (arguments.has("--input")) {
    pasted.output = read_input(arguments, session);
  } else if (arguments.has("--output")) {
    pasted.input = read_input(arguments, session);
  } else if (two) {
    pasted.input = read_word(words, 0, session);
    pasted.output = read_word(words, 1, session);
  } else {
    pasted = explain_room::split(read_input(arguments, session), words.size() > 2, notes);
  }
  return pasted;
}

struct StoredOption {
  std::string_view option;
  explain_room::Quantity quantity;
  bool serves_inference;  // with an output, it is what the output was computed by
};
constexpr StoredOption stored_options[] = {
    {"--mean", explain_room::Quantity::mean, false},
    {"--std", explain_room::Quantity::std, false},
    {"--variance", explain_room::Quantity::variance, false},
    {"--running-mean", explain_room::Quantity::running_mean, true},
    {"--running-var", explain_room::Quantity::running_var, true},
};

// A stored number is asked about where no output is given.
bool asks_about_stored(const Arguments& arguments) {
  const auto given = [&](bool serves_inference) {
    return std::ranges::any_of(stored_options, [&](const StoredOption& stored) {
      return stored.serves_inference == serves_inference && arguments.has(stored.option);
    });
  };
  return given(false) || (given(true) && !arguments.has("--output") && arguments.words.size() < 2);
}

std::vector<text::Cell> read_cells(const Arguments& arguments, std::string_view option, Notes& notes) {
  if (!arguments.has(option)) return {};
  return text::read_vector(option_source(arguments, option), &notes);
}

// γ, β or a running statistic: one number, or as many as some norm of this input has.
std::vector<exact::Rational> read_parameters(const Arguments& arguments, std::string_view option,
                                             const explain_room::Sample& sample, Notes& notes) {
  const std::vector<text::Cell> cells = read_cells(arguments, option, notes);
  std::vector<exact::Rational> values;
  for (const text::Cell& cell : cells) values.push_back(cell.value);
  const auto groupings = explain_room::groupings_of(sample);
  const bool known = values.size() < 2 || std::ranges::any_of(groupings, [&](const explain_room::Grouping& grouping) {
                       return grouping.parameters == values.size();
                     });
  if (known) return values;
  const std::string features = std::to_string(groupings.front().parameters);
  throw text::Error(option_source(arguments, option), {cells.front().span.begin, cells.back().span.end},
                    {"usage.parameter_count", {std::string(option), std::to_string(values.size()), features}},
                    {"usage.parameter_count_mend", {features}});
}

std::optional<exact::Rational> read_eps(const Arguments& arguments) {
  if (!arguments.has("--eps")) return std::nullopt;
  const text::SourcePointer source = option_source(arguments, "--eps");
  const text::Cell eps = text::read_number(source);
  if (eps.value.sign() < 0)
    throw text::Error(source, eps.span, {"usage.negative_eps", {}}, {"usage.negative_eps_mend", {}});
  return eps.value;
}

std::string read_norm(const Arguments& arguments) {
  if (!arguments.has("--norm")) return {};
  const norm::Norm* const norm = norm::find(arguments.get("--norm", ""));
  if (norm) return std::string(norm->id);
  throw UsageError({"usage.unknown_norm", {arguments.get("--norm", "")}}, {"usage.choose_from", {"bn, ln, rms"}});
}

int explain_stored(const Arguments& arguments, const Session& session, std::string_view format) {
  Notes notes;
  explain_room::StoredQuestion question;
  question.norm = read_norm(arguments);
  text::Document document =
      arguments.has("--input") ? read_option_file(arguments, "--input", session) : read_input(arguments, session);
  for (tensor::Tensor& tensor : text::batches(document)) {
    explain_room::Sample sample;
    sample.norm = question.norm;
    sample.input = std::move(tensor);
    // A flat vector is one feature where running statistics are asked about: only BatchNorm keeps them.
    if (sample.norm.empty() && (arguments.has("--running-mean") || arguments.has("--running-var")))
      sample.norm = "batchnorm";
    question.batches.push_back(std::move(sample));
  }
  for (const text::Remark& remark : document.remarks) notes.push_back(remark.message);
  for (const StoredOption& stored : stored_options)
    if (arguments.has(stored.option))
      question.numbers.push_back({stored.quantity, read_cells(arguments, stored.option, notes)});
  const explain_room::StoredAnswer answer = explain_room::explain(question);
  const render::Style style = read_style(arguments, session, "none");
  session.show(format == "json" ? explain_room::json(answer, question, notes, style)
                                : explain_room::text(answer, question, style),
               format);
  if (format != "json")
    for (const words::Message& note : notes) session.note(note);
  return answer.verdict == Verdict::none ? claim_is_wrong : done;
}

}  // namespace

int explain(const Arguments& arguments, const Session& session) {
  const std::string format = arguments.get("--format", "text");
  if (format != "text" && format != "json")
    throw UsageError({"explain.format", {format}}, {"usage.choose_from", {"text, json"}});
  if (asks_about_stored(arguments)) return explain_stored(arguments, session, format);
  Notes notes;
  explain_room::Pasted pasted = read_pasted(arguments, session, notes);
  const explain_room::Numbers input = explain_room::numbers_of(std::move(pasted.input), true, notes);
  const explain_room::Numbers output = explain_room::numbers_of(std::move(pasted.output), false, notes);
  Question question = explain_room::ask(input, output, notes);
  explain_room::Sample& sample = question.sample;
  sample.norm = read_norm(arguments);
  sample.gamma = read_parameters(arguments, "--gamma", sample, notes);
  sample.beta = read_parameters(arguments, "--beta", sample, notes);
  sample.running_mean = read_parameters(arguments, "--running-mean", sample, notes);
  sample.running_var = read_parameters(arguments, "--running-var", sample, notes);
  sample.eps = read_eps(arguments);
  const Answer answer = explain_room::explain(question);
  const render::Style style = read_style(arguments, session, "none");
  session.show(format == "json" ? explain_room::json(answer, question, notes, style)
                                : explain_room::text(answer, question, style),
               format);
  if (format != "json")
    for (const words::Message& note : notes) session.note(note);
  return answer.verdict == Verdict::none ? claim_is_wrong : done;
}

}  // namespace normtrace::cli
