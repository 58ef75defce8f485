#pragma once

#include "cli/command.h"

namespace normtrace::cli {

int trace_batchnorm(const Arguments& arguments, const Session& session);
int trace_layernorm(const Arguments& arguments, const Session& session);
int trace_rmsnorm(const Arguments& arguments, const Session& session);
int trace_groupnorm(const Arguments& arguments, const Session& session);
int trace_instancenorm(const Arguments& arguments, const Session& session);
int trace_hybridnorm(const Arguments& arguments, const Session& session);
int trace_adaptive(const Arguments& arguments, const Session& session);
int compare(const Arguments& arguments, const Session& session);
// The worked examples of the articles; without a name, the list of them.
int example(const Arguments& arguments, const Session& session);

}  // namespace normtrace::cli
