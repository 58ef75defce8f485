#pragma once

#include "cli/command.h"

namespace normtrace::cli {

// normtrace apply NORM [FILE]: files of vectors of any size.
int apply(const Arguments& arguments, const Session& session);
// normtrace stats [FILE], normtrace stats --merge FILE…: what BatchNorm has to know of a batch.
int stats(const Arguments& arguments, const Session& session);
// normtrace bench: how long the norms take here.
int bench(const Arguments& arguments, const Session& session);

}  // namespace normtrace::cli
