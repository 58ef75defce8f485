#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "trace/report.h"

namespace normtrace::trace {

// gpt2: learned positions, biases, MLP of width 4d, head shared with the embedding (Radford et al. 2019).
// llama: no biases, SwiGLU of three matrices, a head of its own (Touvron et al. 2023).
enum class Family { gpt2, llama };

// What the count of parameters depends on. All numbers are positive.
struct Model {
  std::string name;
  Family family = Family::gpt2;
  std::int64_t width = 0;  // d
  std::int64_t layers = 0;
  std::int64_t vocabulary = 0;
  std::int64_t context = 0;        // gpt2: learned positions
  std::int64_t inner = 0;          // of the MLP
  std::int64_t multiple_of = 256;  // llama: the inner width is a multiple of it

  [[nodiscard]] std::int64_t norms() const { return 2 * layers + 1; }
  // Multiplications by weights, each with its addition, that one token needs in one layer.
  [[nodiscard]] std::int64_t layer_weights() const;
  // How much of one layer's operations RMSNorm saves in place of LayerNorm.
  [[nodiscard]] Value layer_saved_percent() const;
  // γ and, for the gpt2 family, β are counted too.
  [[nodiscard]] std::int64_t parameters() const;
};

// The 2/3 rule: three matrices of this width hold as much as two of 4d.
struct SwigluWidth {
  std::int64_t plain;    // 4d
  std::int64_t reduced;  // ⌊2·4d/3⌋
  std::int64_t rounded;  // up to a multiple
};
SwigluWidth swiglu_width(std::int64_t d, std::int64_t multiple_of);

// Additions, multiplications, divisions and roots an element that a norm needs, those of γ and β among them if asked for.
// LayerNorm: sum, x − μ, square, sum, division, γ, β. RMSNorm: square, sum, division, γ.
std::int64_t layernorm_operations(bool affine);
std::int64_t rmsnorm_operations(bool affine);

std::span<const Model> models();
// Whatever the case, and with or without hyphens; null if there is none of that name.
const Model* find_model(std::string_view name);
// A model of a family with nothing else said: its vocabulary, context and inner width are those of the family's first.
Model model_of(Family family, std::int64_t width, std::int64_t layers);

Report parameters_report(const Model& model);

}  // namespace normtrace::trace
