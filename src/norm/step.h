#pragma once

#include <string_view>

namespace normtrace::norm {

// The steps of a calculation, each the size of an idea, never of one arithmetic operation.
enum class StepKind {
  residual_sum,      // h = x + residual, of which the norm is taken
  mean,              // μ
  deviations,        // x − μ
  squares,           // of the deviations, or of x for RMSNorm
  square_of_mean,    // μ², where the variance is mean(x²) − μ²
  variance,          // σ²
  variance_eps,      // σ² + ε
  std,               // √(σ² + ε), the divisor; σ itself where ε is added to the root
  std_eps,           // σ + ε, the divisor
  partial_count,     // k, how many numbers the mean square is taken of
  mean_square,       // mean of x²
  mean_square_eps,   // mean of x² + ε
  rms,               // √(mean of x² + ε), the divisor; without ε where ε is added to the root
  rms_eps,           // RMS + ε, the divisor
  rms_normalized,    // x/RMS, where more is done to it before γ
  layer_normalized,  // (x − μ)/σ likewise
  sample_std,        // s = √(Σ(x − μ)²/(n − 1)), never with ε
  factor,            // sigmoid(α·s)
  normalized,        // x̂
  cast,              // x̂ rounded to the machine's type before γ
  output,            // γ·x̂ + β
  stored_variance,   // Σ(x − μ)² by the divisor of the variance that is kept
  running_mean,      // after this batch; in inference as given
  running_var,       // likewise
  running_rms,       // likewise, of all numbers of the input
};

// The name in JSON: "mean", "variance_eps", …
std::string_view id(StepKind kind);
// Whether a step has one value for the whole group, as opposed to one an element.
bool is_statistic(StepKind kind);

// Whether it is a statistic that is kept from batch to batch.
bool is_running(StepKind kind);

}  // namespace normtrace::norm
