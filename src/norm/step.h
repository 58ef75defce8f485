#pragma once

#include <string_view>

namespace normtrace::norm {

// The steps of a calculation, each the size of an idea, never of one arithmetic operation.
enum class StepKind {
  mean,             // μ
  deviations,       // x − μ
  squares,          // of the deviations, or of x for RMSNorm
  square_of_mean,   // μ², where the variance is mean(x²) − μ²
  variance,         // σ²
  variance_eps,     // σ² + ε
  std,              // √(σ² + ε), the divisor; σ itself where ε is added to the root
  std_eps,          // σ + ε, the divisor
  mean_square,      // mean of x²
  mean_square_eps,  // mean of x² + ε
  rms,              // √(mean of x² + ε), the divisor; without ε where ε is added to the root
  rms_eps,          // RMS + ε, the divisor
  normalized,       // x̂
  cast,             // x̂ rounded to the machine's type before γ
  output,           // γ·x̂ + β
};

// The name in JSON: "mean", "variance_eps", …
std::string_view id(StepKind kind);
// Whether a step has one value for the whole group, as opposed to one an element.
bool is_statistic(StepKind kind);

}  // namespace normtrace::norm
