#include <algorithm>

#include "cli/around_commands.h"
#include "cli/bulk_commands.h"
#include "cli/claim_commands.h"
#include "cli/command.h"
#include "cli/convention_commands.h"
#include "cli/explain_command.h"
#include "cli/norm_commands.h"

namespace normtrace::cli {

std::span<const Option> options() {
  static constexpr Option table[] = {
      {"--file", "FILE", "option.file", "-f"},
      {"--like", "NAME", "option.like"},
      {"--eps", "E", "option.eps", {}, {}, "1e-5"},
      {"--gamma", "V", "option.gamma", {}, {}, "1,2,0.5"},
      {"--beta", "V", "option.beta", {}, {}, "0,0.5,-1"},
      {"--gamma", "V", "option.gamma_in_bulk", {}, "apply", "1,2,0.5"},
      {"--beta", "V", "option.beta_in_bulk", {}, "apply", "0,0.5,-1"},
      {"--divisor", "n|n-1", "option.divisor"},
      {"--eps-place", "inside_root|added_to_root", "option.eps_place"},
      {"--variance", "two-pass|one-pass", "option.variance"},
      {"--dtype", "float64|float32|bfloat16|float16", "option.dtype"},
      {"--accumulate", "float64|float32|bfloat16|float16", "option.accumulate"},
      {"--accumulate", "float64|float32|float16", "option.accumulate_in_bulk", {}, "apply"},
      {"--cast-order", "none|llama|gemma", "option.cast_order"},
      {"--input-dtype", "float64|float32|bfloat16|float16", "option.input_dtype"},
      {"--gamma-form", "plain|one-plus", "option.gamma_form"},
      {"--residual", "V", "option.residual", {}, {}, "0.5,0,-1"},
      {"--axes", "K", "option.axes", {}, {}, "2"},
      {"--groups", "G", "option.groups", {}, {}, "2"},
      {"--channels", "first|last", "option.channels"},
      {"--partial", "P", "option.partial", {}, {}, "0.5"},
      {"--alpha", "A", "option.alpha", {}, {}, "0.5"},
      {"--running", "", "option.running"},
      {"--momentum", "M", "option.momentum", {}, {}, "0.1"},
      {"--running-divisor", "n|n-1", "option.running_divisor"},
      {"--running-mean", "V", "option.running_mean", {}, {}, "0.5,1,2"},
      {"--running-var", "V", "option.running_var", {}, {}, "1,4,2.25"},
      {"--eval", "", "option.eval"},
      {"--by-token", "", "option.by_token"},
      {"--by-feature", "", "option.by_feature"},
      {"--norms", "LIST", "option.norms"},
      {"--list", "", "option.list"},
      {"--scale", "A", "option.scale", {}, {}, "2"},
      {"--shift", "B", "option.shift", {}, {}, "-0.5"},
      {"--set", "ROW,COL=VALUE", "option.set", {}, {}, "1,2=0.5"},
      {"--input", "FILE", "option.explain_input", {}, "explain"},
      {"--output", "FILE", "option.explain_output", {}, "explain"},
      {"--norm", "bn|ln|rms", "option.explain_norm", {}, "explain"},
      {"--mean", "V", "option.explain_stored_mean", {}, "explain", "2.5"},
      {"--std", "V", "option.explain_stored_std", {}, "explain", "1.5"},
      {"--variance", "V", "option.explain_stored_variance", {}, "explain", "2.25"},
      {"--running-mean", "V", "option.explain_running_mean", {}, "explain", "0.5,1,2"},
      {"--running-var", "V", "option.explain_running_var", {}, "explain", "1,4,2.25"},
      {"--times", "K", "option.times", {}, {}, "2"},
      {"--qk", "Q", "option.qk", {}, {}, "1,0,-1"},
      {"--q-bias", "V", "option.q_bias", {}, {}, "0.5,0,1"},
      {"--k-bias", "V", "option.k_bias", {}, {}, "0.5,0,1"},
      {"--j-norm", "A", "option.j_norm", {}, {}, "0.5"},
      {"--j-branch", "B", "option.j_branch", {}, {}, "0.25"},
      {"--layers", "N", "option.layers", {}, {}, "24"},
      {"--layers", "N", "option.layers_residual", {}, "residual", "24"},
      {"--width", "D", "option.model_width", {}, "params", "768"},
      {"--family", "gpt2|llama", "option.family"},
      {"--vocabulary", "V", "option.vocabulary", {}, {}, "50257"},
      {"--context", "C", "option.context", {}, {}, "1024"},
      {"--inner", "D", "option.inner", {}, {}, "3072"},
      {"--multiple-of", "M", "option.multiple_of", {}, {}, "256"},
      {"--upstream", "V", "option.upstream", {}, {}, "1,0,0"},
      {"--digits", "N", "option.digits"},
      {"--digits", "N", "option.digits_3", {}, "softmax|residual|geometry|gradient"},
      {"--digits", "N", "option.digits_4", {}, "claim"},
      {"--digits", "N", "option.digits_5", {}, "params"},
      {"--digits", "N", "option.digits_in_bulk", {}, "apply"},
      {"--format", "text|markdown|tensor|json|csv", "option.format"},
      {"--format",
       "text|markdown|json|csv",
       "option.format",
       {},
       "softmax|residual|params|geometry|gradient|claims|claim|table|bench"},
      {"--steps", "full|article|brief|none", "option.steps"},
      {"--output", "FILE", "option.output", "-o"},
      {"--as", "csv|tsv|text|npy|f32|f64", "option.as"},
      {"--width", "N", "option.width"},
      {"--significant", "N", "option.significant"},
      {"--stats", "FILE", "option.stats"},
      {"--merge", "", "option.merge"},
      {"--sizes", "LIST", "option.sizes"},
      {"--batches", "LIST", "option.batches"},
      {"--repetitions", "N", "option.repetitions"},
      {"--plot", "FILE", "option.plot"},
      {"--header", "auto|yes|no", "option.header"},
      {"--names", "auto|yes|no", "option.names"},
      {"--threads", "N", "option.threads"},
      {"--on-error", "stop|skip", "option.on_error"},
      {"--progress", "auto|always|never", "option.progress"},
      {"--lang", "zh|en", "option.lang"},
      {"--color", "auto|always|never", "option.color"},
      {"--help", "", "option.help", "-h"},
  };
  return table;
}

namespace {

using Names = std::vector<std::string_view>;

Names operator+(Names first, const Names& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const Names input_options = {"--file"};
const Names convention_options = {"--like", "--eps", "--gamma", "--beta", "--gamma-form", "--divisor", "--eps-place"};
const Names machine_options = {"--dtype", "--accumulate", "--cast-order", "--input-dtype"};
const Names token_options = {"--residual"};
const Names channel_options = {"--channels"};
const Names running_options = {"--momentum", "--running-divisor", "--running-mean", "--running-var", "--eval"};
const Names view_options = {"--digits", "--format", "--steps"};
const Names common_options = {"--lang", "--color", "--help"};
const Names bulk_options = {"--output", "--as",      "--width",    "--header",
                            "--names",  "--threads", "--on-error", "--progress"};
const Names report_options = {"--digits", "--format"};
const Names axis_options = {"--by-token", "--by-feature"};

}  // namespace

std::span<const Command> commands() {
  static const std::vector<Command> table = {
      {{"bn", "batchnorm"},
       "[VECTORS…] [OPTIONS]",
       "command.bn",
       input_options + convention_options + Names{"--variance"} + running_options + channel_options + machine_options +
           axis_options + view_options + common_options,
       trace_batchnorm},
      {{"ln", "layernorm"},
       "[VECTORS…] [OPTIONS]",
       "command.ln",
       input_options + convention_options + Names{"--variance", "--axes"} + token_options + machine_options +
           view_options + common_options,
       trace_layernorm},
      {{"rms", "rmsnorm"},
       "[VECTORS…] [OPTIONS]",
       "command.rms",
       input_options + convention_options + Names{"--partial", "--running", "--momentum"} + token_options +
           machine_options + view_options + common_options,
       trace_rmsnorm},
      {{"gn", "groupnorm"},
       "[VECTORS…] --groups G [OPTIONS]",
       "command.gn",
       input_options + convention_options + Names{"--groups"} + channel_options + machine_options + view_options +
           common_options,
       trace_groupnorm},
      {{"in", "instancenorm"},
       "[VECTORS…] [OPTIONS]",
       "command.in",
       input_options + convention_options + channel_options + machine_options + view_options + common_options,
       trace_instancenorm},
      {{"hybrid", "hybridnorm"},
       "[VECTORS…] [OPTIONS]",
       "command.hybrid",
       input_options + convention_options + Names{"--alpha"} + token_options + machine_options + view_options +
           common_options,
       trace_hybridnorm},
      {{"adaptive", "adaptivermsnorm"},
       "[VECTORS…] [OPTIONS]",
       "command.adaptive",
       input_options + convention_options + Names{"--alpha"} + token_options + machine_options + view_options +
           common_options,
       trace_adaptive},
      {{"compare"},
       "[VECTORS…] [OPTIONS]",
       "command.compare",
       input_options + Names{"--norms", "--groups", "--channels", "--alpha"} + convention_options + view_options +
           common_options,
       compare},
      {{"conventions"},
       "[VECTORS…] [OPTIONS]",
       "command.conventions",
       input_options + Names{"--list", "--gamma", "--beta", "--digits", "--format"} + common_options,
       conventions},
      {{"change"},
       "NORM [VECTORS…] [OPTIONS]",
       "command.change",
       input_options +
           Names{"--scale", "--shift", "--set", "--groups", "--channels", "--axes", "--partial", "--alpha"} +
           convention_options + axis_options + view_options + common_options,
       change},
      {{"explain"},
       "INPUT OUTPUT [OPTIONS]",
       "command.explain",
       Names{"--input", "--output", "--norm", "--eps", "--gamma", "--beta", "--running-mean", "--running-var", "--mean",
             "--std", "--variance", "--file", "--format"} +
           common_options,
       explain},
      {{"softmax"},
       "SCORES|KEYS… [OPTIONS]",
       "command.softmax",
       input_options + Names{"--times", "--qk", "--q-bias", "--k-bias"} + report_options + common_options,
       softmax},
      {{"residual"},
       "--j-norm A --j-branch B [OPTIONS]",
       "command.residual",
       Names{"--j-norm", "--j-branch", "--layers"} + report_options + common_options,
       residual},
      {{"params"},
       "[MODEL] [OPTIONS]",
       "command.params",
       Names{"--width", "--layers", "--family", "--vocabulary", "--context", "--inner", "--multiple-of"} +
           report_options + common_options,
       params},
      {{"geometry"},
       "[VECTORS…] [OPTIONS]",
       "command.geometry",
       input_options + report_options + common_options,
       geometry},
      {{"gradient"},
       "NORM [VECTORS…] [OPTIONS]",
       "command.gradient",
       input_options + Names{"--upstream"} + convention_options + axis_options + report_options + common_options,
       gradient},
      {{"claims"}, "[OPTIONS]", "command.claims", Names{"--format"} + common_options, claims},
      {{"claim"}, "ID [OPTIONS]", "command.claim", report_options + common_options, claim},
      {{"table"}, "[NAME] [OPTIONS]", "command.table", Names{"--format"} + common_options, show_table},
      {{"example"}, "[NAME] [OPTIONS]", "command.example", Names{"--digits"} + common_options, example},
      {{"apply"},
       "NORM [FILE] [OPTIONS]",
       "command.apply",
       bulk_options + Names{"--stats", "--accumulate", "--digits", "--significant"} + convention_options +
           common_options,
       apply},
      {{"stats"}, "[FILE…] [OPTIONS]", "command.stats", bulk_options + Names{"--merge"} + common_options, stats},
      {{"bench"},
       "[OPTIONS]",
       "command.bench",
       Names{"--sizes", "--batches", "--repetitions", "--format", "--plot"} + common_options,
       bench},
  };
  return table;
}

const Command* find_command(std::string_view name) {
  for (const Command& command : commands())
    for (const std::string_view spelled : command.names)
      if (spelled == name) return &command;
  return nullptr;
}

bool Option::is_of(std::string_view name_of_command) const {
  for (std::string_view rest = command; !rest.empty();) {
    const std::size_t end = std::min(rest.find('|'), rest.size());
    if (rest.substr(0, end) == name_of_command) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

const Option* find_option(std::string_view name, std::string_view command) {
  const Option* found = nullptr;
  for (const Option& option : options()) {
    if (option.name != name && (option.letter.empty() || option.letter != name)) continue;
    if (!option.command.empty() && option.is_of(command)) return &option;
    if (option.command.empty() && !found) found = &option;
  }
  return found;
}

}  // namespace normtrace::cli
