#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "trace/trace.h"

namespace normtrace::cli {

// What the command line of one norm asks for.
struct NormInput {
  trace::Request request;  // without its input
  std::vector<tensor::Tensor> batches;
  bool evaluate = false;  // the last batch again, in inference

  // Whether it is one calculation that leaves nothing behind.
  [[nodiscard]] bool single() const { return request.mode == trace::Mode::plain; }
};

// Throws text::Error or UsageError for options that do not fit the numbers. Notes on how they were understood are added.
NormInput read_norm(const norm::Norm& norm, const Arguments& arguments, const Session& session,
                    std::vector<words::Message>& notes);

// What a norm is told besides the convention. `channels` is where they stand unless the command line says so.
norm::Options read_options(const norm::Norm& norm, const Arguments& arguments, const tensor::Tensor& input,
                           tensor::Channels channels, std::vector<words::Message>& notes);

// The shape of a tensor: "2, 3, 4".
std::string extents_of(const tensor::Tensor& x);

}  // namespace normtrace::cli
