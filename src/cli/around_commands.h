#pragma once

#include "cli/command.h"

namespace normtrace::cli {

// Attention weights before and after their scores, or the hidden state they come from, are multiplied.
int softmax(const Arguments& arguments, const Session& session);
// Pre-Norm against Post-Norm with a number for every Jacobian.
int residual(const Arguments& arguments, const Session& session);
// How many parameters and operations the norms of a model have; without a model, the list.
int params(const Arguments& arguments, const Session& session);
// Projection, sphere, angles.
int geometry(const Arguments& arguments, const Session& session);
// The way back through a norm, step by step.
int gradient(const Arguments& arguments, const Session& session);

}  // namespace normtrace::cli
