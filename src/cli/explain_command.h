#pragma once

#include "cli/command.h"

namespace normtrace::cli {

// Which rule turned this input into that output? Exit status 1 if none is known.
int explain(const Arguments& arguments, const Session& session);

}  // namespace normtrace::cli
