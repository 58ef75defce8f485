#pragma once

#include <exception>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "words/words.h"

namespace normtrace::cli {

// Wrong use of the command line. Exit status 2.
struct UsageError : std::exception {
  UsageError(words::Message wrong_words, words::Message mend_words)
      : wrong(std::move(wrong_words)), mend(std::move(mend_words)) {}
  [[nodiscard]] const char* what() const noexcept override { return wrong.id.c_str(); }

  words::Message wrong;
  words::Message mend;
};

// A file or stream could not be read or written. Exit status 3.
struct FileError : std::exception {
  explicit FileError(words::Message wrong_words) : wrong(std::move(wrong_words)) {}
  [[nodiscard]] const char* what() const noexcept override { return wrong.id.c_str(); }

  words::Message wrong;
};

enum Exit : int { done = 0, claim_is_wrong = 1, bad_usage = 2, file_trouble = 3 };

// One option: how it is spelled, what it takes, and the id of the sentence that explains it.
struct Option {
  std::string_view name;         // "--eps"
  std::string_view placeholder;  // "E", "n|n-1" (a list of the words it takes), or empty for a switch
  std::string_view help;
  std::string_view letter = {};  // "-f"
  std::string_view command =
      {};  // the only ones for which the name means this, as "params|claim"; empty: for all others
  std::string_view example = {};  // of its value, where that is numbers

  [[nodiscard]] bool is_of(std::string_view name_of_command) const;
};

// The command line of one command, options by name, not yet understood.
struct Arguments {
  std::vector<std::string> words;
  std::map<std::string_view, std::string> options;

  [[nodiscard]] bool has(std::string_view option) const { return options.contains(option); }
  [[nodiscard]] std::string get(std::string_view option, std::string_view otherwise) const;
};

// What a command may use of the world: its streams and the environment, so that tests can give it others.
struct Session {
  std::istream& in;
  bool in_is_terminal = false;
  std::ostream& out;
  bool out_is_terminal = false;
  std::ostream& err;
  std::function<std::optional<std::string>(const char*)> environment;
  std::size_t columns = 0;  // of the terminal that out is; 0 where it is none
  words::Language language = words::Language::en;

  // Prints what a command made in a format; in "text" its lines fit the terminal.
  void show(std::string_view text, std::string_view format = "text") const;
  void note(const words::Message& message) const;
};

struct Command {
  std::vector<std::string_view> names;  // the first is the one in help
  std::string_view synopsis;            // behind the name: "[VECTORS…] [OPTIONS]"
  std::string_view help;                // id of one sentence
  std::vector<std::string_view> options;
  int (*run)(const Arguments& arguments, const Session& session);
};

// Every command and every option of the program: help, man page, completion and the parser all come from these.
std::span<const Command> commands();
std::span<const Option> options();
const Command* find_command(std::string_view name);
// As the command means it, or as most commands do.
const Option* find_option(std::string_view name, std::string_view command = {});

// Runs the program; the status it should exit with.
int run(const std::vector<std::string>& words, Session session);

}  // namespace normtrace::cli
