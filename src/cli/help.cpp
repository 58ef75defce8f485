#include "cli/help.h"

#include <algorithm>

#include "words/width.h"

namespace normtrace::cli {

using words::say;

namespace {

constexpr std::string_view version = NORMTRACE_VERSION;

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > words::display_width(text) ? width - words::display_width(text) : 0, ' ');
}

std::string spelling(const Option& option) {
  std::string text = option.letter.empty() ? std::string() : std::string(option.letter) + ", ";
  text += option.name;
  if (!option.placeholder.empty()) text += " " + std::string(option.placeholder);
  return text;
}

std::string names_of(const Command& command) {
  std::string text;
  for (const std::string_view name : command.names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

// A column of names and one of sentences.
struct Entry {
  std::string name;
  std::string sentence;
};

std::string listed(const std::vector<Entry>& entries) {
  std::size_t widest = 0;
  for (const Entry& entry : entries) widest = std::max(widest, words::display_width(entry.name));
  std::string text;
  for (const Entry& entry : entries) text += "  " + padded(entry.name, widest + 2) + entry.sentence + "\n";
  return text;
}

std::vector<Entry> command_entries(words::Language language) {
  std::vector<Entry> entries;
  for (const Command& command : commands()) entries.push_back({names_of(command), say(language, command.help)});
  return entries;
}

std::vector<Entry> option_entries(const Command& command, words::Language language) {
  std::vector<Entry> entries;
  for (const std::string_view name : command.options) {
    const Option& option = *find_option(name, command.names.front());
    entries.push_back({spelling(option), say(language, option.help)});
  }
  return entries;
}

// What roff would take for a command or an escape.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == '-') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::string version_line() { return "normtrace " + std::string(version); }

std::string general_help(words::Language language) {
  return say(language, "help.paste") + "\n\n" + say(language, "help.what") + "\n\n" + say(language, "help.usage") +
         "\n\n" + say(language, "help.commands") + "\n" + listed(command_entries(language)) + "\n" +
         say(language, "help.vectors") + "\n\n" + say(language, "help.more") + "\n";
}

std::string command_help(const Command& command, words::Language language) {
  return say(language,
             {"help.command_usage", {std::string(command.names.front()) + " " + std::string(command.synopsis)}}) +
         "\n\n" + say(language, command.help) + "\n\n" + listed(option_entries(command, language));
}

std::string man_page() {
  const auto en = words::Language::en;
  std::string page = ".TH NORMTRACE 1 \"\" \"" + version_line() + "\"\n";
  page += ".SH NAME\nnormtrace \\- " + roff(say(en, "help.name")) + "\n";
  page += ".SH SYNOPSIS\n.B normtrace\n" + roff(say(en, "help.synopsis")) + "\n";
  page += ".SH DESCRIPTION\n" + roff(say(en, "help.what")) + "\n.PP\n" + roff(say(en, "help.vectors")) + "\n";
  page += ".SH COMMANDS\n";
  for (const Command& command : commands()) {
    page +=
        ".SS \"" + roff(names_of(command)) + " " + roff(command.synopsis) + "\"\n" + roff(say(en, command.help)) + "\n";
    std::string list;
    for (const std::string_view option : command.options) list += (list.empty() ? "" : ", ") + roff(option);
    page += ".PP\n" + list + "\n";
  }
  page += ".SH OPTIONS\n";
  for (const Option& option : options()) {
    std::string of(option.command);
    std::ranges::replace(of, '|', ' ');
    if (!of.empty()) of = " (" + of + ")";
    page += ".TP\n.B " + roff(spelling(option)) + roff(of) + "\n" + roff(say(en, option.help)) + "\n";
  }
  page += ".SH EXIT STATUS\n";
  for (const char* const status : {"0", "1", "2", "3"})
    page += ".TP\n.B " + std::string(status) + "\n" + roff(say(en, std::string("exit.") + status)) + "\n";
  page += ".SH ENVIRONMENT\n" + roff(say(en, "help.environment")) + "\n";
  return page;
}

std::string bash_completion() {
  std::string names;
  std::string cases;
  for (const Command& command : commands()) {
    std::string pattern;
    std::string list;
    for (const std::string_view name : command.names) {
      names += (names.empty() ? "" : " ") + std::string(name);
      pattern += (pattern.empty() ? "" : "|") + std::string(name);
    }
    for (const std::string_view option : command.options) list += (list.empty() ? "" : " ") + std::string(option);
    cases += "    " + pattern + ") words='" + list + "' ;;\n";
  }
  std::string values;
  for (const Option& option : options()) {
    if (option.placeholder.find('|') == std::string_view::npos) continue;
    std::string list(option.placeholder);
    std::ranges::replace(list, '|', ' ');
    values += "    " + std::string(option.name) + ") words='" + list + "' ;;\n";
  }
  return "_normtrace() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=''\n"
         "  case ${COMP_WORDS[1]} in\n" +
         cases + "    *) words='" + names +
         "' ;;\n"
         "  esac\n"
         "  ((COMP_CWORD == 1)) && words='" +
         names +
         " --help --version'\n"
         "  [[ ${COMP_WORDS[1]} == example && COMP_CWORD -eq 2 ]] &&\n"
         "    words=$(normtrace example 2>/dev/null | awk '{print $1}')\n"
         "  case $before in\n" +
         values +
         "    -f|--file) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n"
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o default -F _normtrace normtrace\n";
}

}  // namespace normtrace::cli
