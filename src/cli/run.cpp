#include <cerrno>
#include <cstring>
#include <fstream>
#include <ostream>
#include <string>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/parse.h"
#include "exact/interval.h"
#include "text/error.h"
#include "text/read.h"
#include "text/suggest.h"
#include "words/fold.h"

namespace normtrace::cli {

using words::say;

std::string Arguments::get(std::string_view option, std::string_view otherwise) const {
  const auto found = options.find(option);
  return found == options.end() ? std::string(otherwise) : found->second;
}

void Session::show(std::string_view text, std::string_view format) const {
  if (format == "text")
    out << words::fold(text, columns);
  else
    out << text;
}

void Session::note(const words::Message& message) const {
  out.flush();  // a note reads better below what it is about
  err << words::fold(say(language, {"message.note", {say(language, message)}}), columns) << "\n";
}

namespace {

// Errors of the command line itself have to know the language before the command line is understood.
words::Language choose_language(const std::vector<std::string>& words, const Session& session) {
  std::string chosen;
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    if (words[i].starts_with("--lang=")) chosen = words[i].substr(7);
    if (words[i] == "--lang" && i + 1 < words.size()) chosen = words[i + 1];
  }
  for (const char* const variable : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (chosen.empty()) chosen = session.environment(variable).value_or("");
  return chosen.starts_with("zh") ? words::Language::zh : words::Language::en;
}

std::string lower(std::string word) {
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return word;
}

[[noreturn]] void unknown_command(const std::string& word) {
  if (std::ifstream(word).good()) throw UsageError({"usage.is_file", {word}}, {"usage.is_file_mend", {word}});
  std::vector<std::string_view> names;
  for (const Command& command : commands()) names.insert(names.end(), command.names.begin(), command.names.end());
  const std::string_view nearest = text::suggest(word, names);
  if (!nearest.empty())
    throw UsageError({"usage.unknown_command", {word}}, {"usage.did_you_mean", {std::string(nearest)}});
  throw UsageError({"usage.unknown_command", {word}}, {"usage.command_or_vector", {word}});
}

// Choices come as "a, b" or "a|b"; they are parted as the language parts them.
words::Message as_listed(words::Message message, words::Language language) {
  if (message.id != "usage.choose_from" && message.id != "usage.list_models") return message;
  const std::string between = say(language, "list.separator");
  for (std::string& list : message.arguments) {
    std::string parted;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list.compare(i, 2, ", ") == 0)
        parted += between, ++i;
      else
        parted += list[i];
    }
    list = std::move(parted);
  }
  return message;
}

int dispatch(const std::vector<std::string>& words, const Session& session) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    const Command* const about = words.size() > 1 ? find_command(words[1]) : nullptr;
    session.show(about ? command_help(*about, session.language) : general_help(session.language));
    return done;
  }
  if (words[0] == "--version") {
    session.out << version_line() << "\n";
    return done;
  }
  if (words[0] == "--man-page") {
    session.out << man_page();
    return done;
  }
  if (words[0] == "--completion") {
    session.out << bash_completion();
    return done;
  }
  const Command* command = find_command(lower(words[0]));
  const bool implied = !command && (words[0].starts_with("-") || text::looks_like_vector(words[0]));
  if (!command && !implied) unknown_command(words[0]);
  if (implied) command = find_command("compare");
  const Arguments arguments = parse(*command, {words.begin() + (implied ? 0 : 1), words.end()});
  if (arguments.has("--help")) {
    const bool general = implied && arguments.words.empty();
    session.show(general ? general_help(session.language) : command_help(*command, session.language));
    return done;
  }
  return command->run(arguments, session);
}

}  // namespace

int run(const std::vector<std::string>& words, Session session) {
  session.language = choose_language(words, session);
  const auto language = session.language;
  const auto complain = [&](const words::Message& wrong) {
    session.err << words::fold(say(language, {"message.error", {say(language, wrong)}}), session.columns) << "\n";
  };
  const auto refuse = [&](const UsageError& error) {
    complain(error.wrong);
    if (!error.mend.id.empty())
      session.err << words::fold("  " + say(language, as_listed(error.mend, language)), session.columns) << "\n";
    return bad_usage;
  };
  try {
    errno = 0;
    const int status = dispatch(words, session);
    session.out.flush();
    if (session.out || errno == EPIPE) return status;  // whoever closed the pipe has read enough
    throw FileError({"bulk.cannot_write", {say(language, "bulk.stdout"), std::strerror(errno)}});
  } catch (const text::Error& error) {
    session.err << describe(error, language, session.columns) << "\n";
    return bad_usage;
  } catch (const UsageError& error) {
    return refuse(error);
  } catch (const exact::Unproved& error) {
    return refuse({{"usage.unproved", {error.what()}}, {"usage.unproved_mend", {}}});
  } catch (const FileError& error) {
    complain(error.wrong);
    return file_trouble;
  }
}

}  // namespace normtrace::cli
