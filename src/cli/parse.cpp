#include "cli/parse.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <set>

#include "text/read.h"
#include "text/suggest.h"

namespace normtrace::cli {

namespace {

// The parser of the library takes a word such as -.5 or -1/3 for an option. Data is marked with a character that no
// command line can hold, and unmarked behind it.
constexpr char data_mark = '\x01';

bool is_negative_number(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && (word[1] == '.' || (word[1] >= '0' && word[1] <= '9'));
}

// A negative number, or what stands between batches.
bool is_data(const std::string& word) { return is_negative_number(word) || word == text::batch_border; }

std::string marked(const std::string& word) { return is_data(word) ? data_mark + word : word; }
std::string unmarked(std::string word) {
  if (!word.empty() && word[0] == data_mark) word.erase(0, 1);
  return word;
}

std::vector<std::string_view> choices(const Option& option) {
  std::vector<std::string_view> result;
  if (option.placeholder.find('|') == std::string_view::npos) return result;
  for (std::string_view rest = option.placeholder; !rest.empty();) {
    const std::size_t end = std::min(rest.find('|'), rest.size());
    result.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return result;
}

// What other programs call the same thing.
struct Synonym {
  std::string_view theirs;
  std::string_view ours;
};
constexpr Synonym synonyms[] = {
    {"double", "float64"}, {"fp64", "float64"}, {"float", "float32"}, {"single", "float32"}, {"fp32", "float32"},
    {"half", "float16"},   {"fp16", "float16"}, {"bf16", "bfloat16"}, {"brain", "bfloat16"}, {"welford", "two-pass"}};

// The choice that a word which is none of them is meant to be; empty if that cannot be told.
std::string_view meant_choice(std::string_view word, const std::vector<std::string_view>& allowed) {
  const std::string_view last = word.substr(word.rfind('.') == std::string_view::npos ? 0 : word.rfind('.') + 1);
  if (std::ranges::find(allowed, last) != allowed.end()) return *std::ranges::find(allowed, last);
  for (const Synonym& synonym : synonyms)
    if (synonym.theirs == last && std::ranges::find(allowed, synonym.ours) != allowed.end()) return synonym.ours;
  return text::suggest(word, allowed);
}

void check_choice(const Option& option, const std::string& value) {
  const auto allowed = choices(option);
  if (allowed.empty() || std::ranges::find(allowed, value) != allowed.end()) return;
  const words::Message wrong = {"usage.choice", {std::string(option.name), value}};
  if (const std::string_view meant = meant_choice(value, allowed); !meant.empty())
    throw UsageError(wrong, {"usage.did_you_mean_of", {std::string(meant), std::string(option.placeholder)}});
  throw UsageError(wrong, {"usage.choose_from", {std::string(option.placeholder)}});
}

[[noreturn]] void unknown_option(const Command& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const std::string command_name(command.names.front());
  if (find_option(name))
    throw UsageError({"usage.option_elsewhere", {command_name, name}}, {"usage.see_help", {command_name}});
  const std::string_view nearest = text::suggest(name, command.options);
  if (!nearest.empty())
    throw UsageError({"usage.unknown_option", {name}}, {"usage.did_you_mean", {std::string(nearest)}});
  throw UsageError({"usage.unknown_option", {name}}, {"usage.see_help", {command_name}});
}

// The library would take the next option for a value, and would keep the last of two values without a word.
void check_values(const Command& command, const std::vector<std::string>& words) {
  const std::string command_name(command.names.front());
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    const Option* const option = find_option(words[i].substr(0, equals), command.names.front());
    if (words[i][0] != '-' || !option || option->placeholder.empty()) continue;
    if (!seen.insert(option->name).second)
      throw UsageError({"usage.twice", {std::string(option->name)}},
                       {option->name == "--file" ? "usage.twice_file_mend" : "usage.twice_mend", {}});
    if (words[i].starts_with("--") && equals != std::string::npos) continue;
    if (i + 1 == words.size() || (words[i + 1].starts_with("--") && words[i + 1].size() > 2))
      throw UsageError({"usage.value_missing", {std::string(option->name), std::string(option->placeholder)}},
                       {"usage.see_help", {command_name}});
    ++i;
  }
}

// A dash that an editor has made longer: —eps.
void check_dashes(const Command& command, const std::string& word) {
  for (const std::string_view dash : {"—", "–", "‐", "−"}) {
    if (!word.starts_with(dash)) continue;
    std::string_view rest = std::string_view(word).substr(dash.size());
    while (rest.starts_with(dash) || rest.starts_with("-")) rest.remove_prefix(rest.starts_with("-") ? 1 : dash.size());
    const std::string meant = "--" + std::string(rest.substr(0, rest.find('=')));
    if (std::ranges::find(command.options, meant) != command.options.end())
      throw UsageError({"usage.unknown_option", {word}}, {"usage.did_you_mean", {meant}});
  }
}

}  // namespace

Arguments parse(const Command& command, const std::vector<std::string>& given) {
  // Behind `--` there are no options.
  const auto end_of_options = std::ranges::find(given, "--");
  const std::vector<std::string> words(given.begin(), end_of_options);
  check_values(command, words);
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::map<std::string_view, std::string> values;
  std::map<std::string_view, bool> switches;
  for (const std::string_view name : command.options) {
    const Option& option = *find_option(name, command.names.front());
    const std::string spelled =
        (option.letter.empty() ? std::string() : std::string(option.letter) + ",") + std::string(option.name);
    if (option.placeholder.empty())
      app.add_flag(spelled, switches[option.name]);
    else
      app.add_option(spelled, values[option.name]);
  }
  std::vector<std::string> reversed;
  std::ranges::transform(words, std::back_inserter(reversed), marked);
  std::ranges::reverse(reversed);
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    throw UsageError({"usage.other", {error.what()}}, {"usage.see_help", {std::string(command.names.front())}});
  }
  Arguments arguments;
  for (const std::string_view name : command.options) {
    const Option& option = *find_option(name, command.names.front());
    if (app.get_option(std::string(option.name))->count() == 0) continue;
    std::string value = option.placeholder.empty() ? "" : unmarked(values[option.name]);
    if (!option.placeholder.empty()) check_choice(option, value);
    arguments.options.emplace(option.name, std::move(value));
  }
  for (const std::string& word : app.remaining()) {
    if (word.size() > 1 && word[0] == '-') unknown_option(command, word);
    check_dashes(command, word);
    arguments.words.push_back(unmarked(word));
  }
  if (end_of_options != given.end()) arguments.words.insert(arguments.words.end(), end_of_options + 1, given.end());
  return arguments;
}

}  // namespace normtrace::cli
