#include "norm/step.h"

namespace normtrace::norm {

std::string_view id(StepKind kind) {
  switch (kind) {
    case StepKind::residual_sum: return "residual_sum";
    case StepKind::mean: return "mean";
    case StepKind::deviations: return "deviations";
    case StepKind::squares: return "squares";
    case StepKind::square_of_mean: return "square_of_mean";
    case StepKind::variance: return "variance";
    case StepKind::variance_eps: return "variance_eps";
    case StepKind::std: return "std";
    case StepKind::std_eps: return "std_eps";
    case StepKind::partial_count: return "partial_count";
    case StepKind::mean_square: return "mean_square";
    case StepKind::mean_square_eps: return "mean_square_eps";
    case StepKind::rms: return "rms";
    case StepKind::rms_eps: return "rms_eps";
    case StepKind::rms_normalized: return "rms_normalized";
    case StepKind::layer_normalized: return "layer_normalized";
    case StepKind::sample_std: return "sample_std";
    case StepKind::factor: return "factor";
    case StepKind::normalized: return "normalized";
    case StepKind::cast: return "cast";
    case StepKind::output: return "output";
    case StepKind::stored_variance: return "stored_variance";
    case StepKind::running_mean: return "running_mean";
    case StepKind::running_var: return "running_var";
    case StepKind::running_rms: return "running_rms";
  }
  return {};
}

bool is_statistic(StepKind kind) {
  switch (kind) {
    case StepKind::residual_sum:
    case StepKind::deviations:
    case StepKind::squares:
    case StepKind::rms_normalized:
    case StepKind::layer_normalized:
    case StepKind::normalized:
    case StepKind::cast:
    case StepKind::output: return false;
    default: return true;
  }
}

bool is_running(StepKind kind) {
  return kind == StepKind::running_mean || kind == StepKind::running_var || kind == StepKind::running_rms;
}

}  // namespace normtrace::norm
