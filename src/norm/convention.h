#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "exact/machine.h"
#include "exact/rational.h"
#include "tensor/partition.h"

namespace normtrace::norm {

// What Σ(x − μ)² is divided by.
enum class Divisor { n, n_minus_one };
// √(σ² + ε), or σ + ε.
enum class EpsPlace { inside_root, added_to_root };
// γ·x̂, or (1 + γ)·x̂ with γ kept near 0, as Gemma does.
enum class GammaForm { plain, one_plus };

// Σ(x − μ)²/n once μ is known, or mean(x²) − μ² from one pass over the numbers: the same on paper, not on a machine.
enum class VarianceMethod { two_pass, one_pass };
// What a model in a half type does about the weight. none: every operation is in the type. Otherwise x is widened to float32
// and normalized there; then llama rounds x̂ to the type and multiplies by the weight in it, gemma multiplies in float32 and
// rounds once (HuggingFace's LlamaRMSNorm and GemmaRMSNorm).
enum class CastOrder { none, llama, gemma };

std::string_view id(Divisor divisor);          // "n", "n-1"
std::string_view id(EpsPlace place);           // "inside_root", "added_to_root"
std::string_view id(GammaForm form);           // "plain", "one_plus"
std::string_view id(VarianceMethod variance);  // "two-pass", "one-pass"
std::string_view id(CastOrder cast);           // "none", "llama", "gemma"

// The machine whose numbers are to stand beside the exact ones.
struct Machine {
  const exact::Format* dtype = nullptr;       // of every number; null for no machine
  const exact::Format* accumulate = nullptr;  // of sums and the divisions that make means of them; null for the default
  CastOrder cast = CastOrder::none;

  // What numbers are stored in, and what x̂ is computed in. Require a dtype.
  [[nodiscard]] exact::Arithmetic stored() const;
  [[nodiscard]] exact::Arithmetic computed() const;

  friend bool operator==(const Machine&, const Machine&) = default;
};

// What PyTorch's mean and sum add up in: float32 for the half types, the type itself for the others.
const exact::Format& default_accumulator(const exact::Format& dtype);

// The choices that textbooks and frameworks make differently; the defaults are the articles'.
struct Convention {
  std::string_view like;  // the framework or model whose choices these are, as titles call it; empty for none
  Divisor divisor = Divisor::n;
  exact::Rational eps = 0;
  EpsPlace eps_place = EpsPlace::inside_root;
  std::vector<exact::Rational> gamma;  // one a feature; empty means 1 as a factor, whatever its form
  std::vector<exact::Rational> beta;   // one a feature; empty means 0
  VarianceMethod variance = VarianceMethod::two_pass;
  Machine machine;
  GammaForm gamma_form = GammaForm::plain;
  // The share that a new batch has in a running statistic (PyTorch's meaning); none: 1/k in the k-th batch, a plain average.
  std::optional<exact::Rational> momentum = exact::Rational(1, 10);
  Divisor running_divisor = Divisor::n_minus_one;  // of the variance that is kept

  friend bool operator==(const Convention&, const Convention&) = default;
};

// What only some norms are told.
struct Options {
  std::size_t axes = 1;    // LayerNorm: how many of the last axes share a statistic
  std::size_t groups = 1;  // GroupNorm: into how many the channels are cut
  tensor::Channels channels = tensor::Channels::last;
  exact::Rational partial = 1;  // RMSNorm: the share of the numbers, from the first, that the mean square is taken of
  exact::Rational alpha;        // HybridNorm, AdaptiveRMSNorm
  std::vector<exact::Rational> residual;  // added to the input, one a number of it; empty means 0

  friend bool operator==(const Options&, const Options&) = default;
};

}  // namespace normtrace::norm
