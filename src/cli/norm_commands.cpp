#include "cli/norm_commands.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "cli/embedded.h"
#include "cli/input.h"
#include "cli/norm_input.h"
#include "render/render.h"
#include "text/suggest.h"
#include "trace/comparison.h"

namespace normtrace::cli {

namespace {

using Notes = std::vector<words::Message>;

const render::Format& read_format(const Arguments& arguments) {
  return *render::find_format(arguments.get("--format", "text"));
}

// Of what is said of every batch alike, once.
Notes remarks_of(const trace::Passes& passes, unsigned digits) {
  Notes all;
  for (const trace::Trace& trace : passes.traces)
    for (words::Message& remark : trace::remarks(trace, digits))
      if (std::ranges::find(all, remark) == all.end()) all.push_back(std::move(remark));
  return all;
}

int trace_norm(std::string_view id, const Arguments& arguments, const Session& session) {
  Notes notes;
  NormInput asked = read_norm(*norm::find(id), arguments, session, notes);
  const bool single = asked.single();
  const trace::Passes passes = trace::run_batches(std::move(asked.request), std::move(asked.batches), asked.evaluate);
  const render::Style style = read_style(arguments, session, "article");
  const render::Format& format = read_format(arguments);
  std::ranges::move(remarks_of(passes, style.digits), std::back_inserter(notes));
  if (format.shortcomings)
    for (const trace::Trace& trace : passes.traces)
      std::ranges::move(format.shortcomings(trace), std::back_inserter(notes));
  session.show(single ? format.trace(passes.traces.front(), notes, style) : format.passes(passes, notes, style),
               format.name);
  say_notes(notes, format.name, session);
  return done;
}

std::string all_norms() {
  std::string list;
  for (const norm::Norm& norm : norm::catalogue()) list += (list.empty() ? "" : ", ") + std::string(norm.command);
  return list;
}

// The norms named by --norms, or all of the catalogue's first three.
std::vector<const norm::Norm*> chosen_norms(const Arguments& arguments, std::size_t tokens, Notes& notes) {
  std::vector<const norm::Norm*> chosen;
  std::string list = arguments.get("--norms", "bn,ln,rms");
  std::ranges::replace(list, ',', ' ');
  for (std::size_t begin = list.find_first_not_of(' '); begin < list.size();
       begin = list.find_first_not_of(' ', begin)) {
    const std::size_t end = std::min(list.find(' ', begin), list.size());
    const std::string word = list.substr(begin, end - begin);
    const norm::Norm* const norm = norm::find(word);
    if (!norm) throw UsageError({"usage.unknown_norm", {word}}, {"usage.choose_from", {all_norms()}});
    if (std::ranges::find(chosen, norm) == chosen.end()) chosen.push_back(norm);
    begin = end;
  }
  if (chosen.empty()) throw UsageError({"usage.unknown_norm", {""}}, {"usage.choose_from", {all_norms()}});
  const auto over_batch = [](const norm::Norm* norm) { return norm->axis == tensor::Axis::feature; };
  if (tokens == 1 && chosen.size() > 1 && std::erase_if(chosen, over_batch) > 0) notes.push_back({"compare.no_bn", {}});
  return chosen;
}

}  // namespace

int trace_batchnorm(const Arguments& arguments, const Session& session) {
  return trace_norm("batchnorm", arguments, session);
}
int trace_layernorm(const Arguments& arguments, const Session& session) {
  return trace_norm("layernorm", arguments, session);
}
int trace_rmsnorm(const Arguments& arguments, const Session& session) {
  return trace_norm("rmsnorm", arguments, session);
}
int trace_groupnorm(const Arguments& arguments, const Session& session) {
  return trace_norm("groupnorm", arguments, session);
}
int trace_instancenorm(const Arguments& arguments, const Session& session) {
  return trace_norm("instancenorm", arguments, session);
}
int trace_hybridnorm(const Arguments& arguments, const Session& session) {
  return trace_norm("hybridnorm", arguments, session);
}
int trace_adaptive(const Arguments& arguments, const Session& session) {
  return trace_norm("adaptivermsnorm", arguments, session);
}

int compare(const Arguments& arguments, const Session& session) {
  Notes notes;
  const tensor::Tensor input = read_tensor(arguments, session, notes);
  std::vector<trace::Request> requests;
  for (const norm::Norm* const norm : chosen_norms(arguments, input.rows(), notes)) {
    Notes of_norm;
    norm::Convention convention = read_convention(arguments, *norm, input.width(), of_norm);
    norm::Options options = read_options(*norm, arguments, input, tensor::Channels::last, of_norm);
    requests.push_back({&computed_norm(arguments, *norm), std::move(convention), input, std::move(options), {}, {}});
    for (words::Message& note : of_norm)  // what is true of every norm is said once
      if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
  }
  const bool channels = std::ranges::any_of(
      requests, [](const trace::Request& request) { return request.norm->axis != tensor::Axis::token; });
  if (channels && input.shape.size() > 2 && !arguments.has("--channels"))
    notes.push_back({"note.read_channels_last", {extents_of(input)}});
  const render::Style style = read_style(arguments, session, "none");
  const render::Format& format = read_format(arguments);
  session.show(format.comparison(trace::compare(requests, style.digits), notes, style), format.name);
  say_notes(notes, format.name, session);
  return done;
}

namespace {

// A worked example: a title in each language, then command lines as they would be typed.
struct Example {
  std::string title;
  std::vector<std::vector<std::string>> commands;
};

// Words parted by blanks; single quotes keep blanks together.
std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      if (!word.empty()) words.push_back(std::exchange(word, {}));
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

Example read_example(std::string_view content, words::Language language) {
  Example example;
  const std::string_view title = language == words::Language::zh ? "# zh: " : "# en: ";
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    const std::string_view line = content.substr(0, end);
    content.remove_prefix(std::min(end + 1, content.size()));
    if (line.starts_with(title))
      example.title += (example.title.empty() ? "" : "\n") + std::string(line.substr(title.size()));
    if (line.starts_with("normtrace ")) example.commands.push_back(split_words(line.substr(10)));
  }
  return example;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

int list_examples(const Session& session) {
  std::size_t widest = 0;
  for (const EmbeddedFile& file : embedded_examples()) widest = std::max(widest, file.name.size());
  for (const EmbeddedFile& file : embedded_examples())
    session.out << "  " << file.name << std::string(widest + 2 - file.name.size(), ' ')
                << first_line(read_example(file.content, session.language).title) << "\n";
  return done;
}

std::string typed(const std::vector<std::string>& words) {
  std::string line = "normtrace";
  for (const std::string& word : words) line += word.find(' ') == std::string::npos ? " " + word : " '" + word + "'";
  return line + "\n";
}

}  // namespace

int example(const Arguments& arguments, const Session& session) {
  if (arguments.words.empty()) return list_examples(session);
  const std::string& name = arguments.words.front();
  const auto files = embedded_examples();
  const auto file = std::ranges::find(files, name, &EmbeddedFile::name);
  if (file == files.end()) {
    std::vector<std::string_view> names;
    for (const EmbeddedFile& known : files) names.push_back(known.name);
    const std::string_view nearest = text::suggest(name, names);
    throw UsageError({"usage.unknown_example", {name}},
                     !nearest.empty() ? words::Message{"usage.did_you_mean", {std::string(nearest)}}
                                      : words::Message{"usage.list_examples", {}});
  }
  const Example example = read_example(file->content, session.language);
  session.out << example.title << "\n";
  for (std::vector<std::string> words : example.commands) {
    session.out << "\n" << typed(words) << "\n";
    // The options of `example` serve its commands too, where these do not set them themselves.
    std::map<std::string_view, std::string> options = arguments.options;
    options["--lang"] = session.language == words::Language::zh ? "zh" : "en";
    const Command* const command = find_command(words.front());
    for (const auto& [option, value] : options)
      if (command && std::ranges::find(command->options, option) != command->options.end() &&
          std::ranges::find(words, option) == words.end())
        words.insert(words.end(), {std::string(option), value});
    if (const int status = run(words, session); status != done) return status;
  }
  return done;
}

}  // namespace normtrace::cli
