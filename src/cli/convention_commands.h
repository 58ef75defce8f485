#pragma once

#include "cli/command.h"

namespace normtrace::cli {

int conventions(const Arguments& arguments, const Session& session);
int change(const Arguments& given, const Session& session);

}  // namespace normtrace::cli
