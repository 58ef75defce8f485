#pragma once

#include "cli/command.h"

namespace normtrace::cli {

// Every claim of the articles with its verdict.
int claims(const Arguments& arguments, const Session& session);
// One claim with the numbers for and against it. Done whatever the verdict.
int claim(const Arguments& arguments, const Session& session);
// A table of the articles; without a name, the list.
int show_table(const Arguments& arguments, const Session& session);

}  // namespace normtrace::cli
