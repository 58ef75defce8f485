#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace normtrace::cli {

// The words behind the command's name. Throws UsageError for an option that the command does not have, a value that is
// missing, or one that is not among those it takes.
Arguments parse(const Command& command, const std::vector<std::string>& words);

}  // namespace normtrace::cli
