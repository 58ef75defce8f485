#pragma once

#include <string>

#include "cli/command.h"

namespace normtrace::cli {

std::string version_line();
// Three lines to paste, the commands, where to read on.
std::string general_help(words::Language language);
std::string command_help(const Command& command, words::Language language);
// In roff, for man(1).
std::string man_page();
std::string bash_completion();

}  // namespace normtrace::cli
