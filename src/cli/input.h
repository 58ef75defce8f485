#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "norm/presets.h"
#include "render/style.h"
#include "tensor/tensor.h"
#include "text/document.h"

namespace normtrace::cli {

// The value of an option as it was typed, with an example of one for whoever complains. `text`: where it is only a part of
// the value.
text::SourcePointer option_source(const Arguments& arguments, std::string_view option);
text::SourcePointer option_source(std::string_view option, std::string text);

// The vectors of a command line: its words, the files named, or standard input.
text::Document read_input(const Arguments& arguments, const Session& session);
// The contents of a file, or of standard input for "-". Throws FileError.
std::string read_file(const std::string& path, const Session& session);

// All batches, parted by lines `---`. Notes on how they were understood are added to `notes`.
std::vector<tensor::Tensor> read_batches(const Arguments& arguments, const Session& session,
                                         std::vector<words::Message>& notes);
// Throws UsageError for more than one.
void require_one_batch(const std::vector<tensor::Tensor>& batches);
// One batch of tokens. Notes on how it was understood are added to `notes`.
tensor::Tensor read_tensor(const Arguments& arguments, const Session& session, std::vector<words::Message>& notes);

// With --input-dtype: each number becomes the value that the type has for it. Throws UsageError if one is beyond its range.
void round_input(const Arguments& arguments, tensor::Tensor& input, std::vector<words::Message>& notes);

// For BatchNorm a single flat vector is one feature over the batch, unless it is said to be one sample.
tensor::Tensor as_batch(tensor::Tensor x, const Arguments& arguments, std::vector<words::Message>& notes);

// The numbers of an option, one a feature: a single number is spread over them, another count refused. Empty without it.
std::vector<exact::Rational> read_parameters(const Arguments& arguments, std::string_view option, std::size_t features,
                                             std::vector<words::Message>& notes);
// ε, γ, β, divisor, momentum of a norm: those of --like, then what was given one by one. γ and β are checked against the number of
// features and a single number is spread over them.
norm::Convention read_convention(const Arguments& arguments, const norm::Norm& norm, std::size_t features,
                                 std::vector<words::Message>& notes);

// The norm that is really computed when this one is asked for: what --like names may compute another.
const norm::Norm& computed_norm(const Arguments& arguments, const norm::Norm& norm);
// Throws UsageError for words beyond the first `most`.
void refuse_further_words(std::string_view command, const Arguments& arguments, std::size_t most);
// The norm that stands before the vectors, as the first word; it is taken away. Throws UsageError, also for one that the
// command does not offer.
const norm::Norm& take_norm(std::string_view command, Arguments& arguments,
                            bool (*offered)(const norm::Norm& norm) = nullptr);

// How to print; `otherwise` is what --steps is where it is not given.
render::Style read_style(const Arguments& arguments, const Session& session, std::string_view otherwise);

// On standard error, but for JSON, which carries its notes itself.
void say_notes(const std::vector<words::Message>& notes, std::string_view format, const Session& session);

}  // namespace normtrace::cli
