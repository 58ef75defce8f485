#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "norm/catalogue.h"
#include "norm/convention.h"

namespace normtrace::norm {

// A framework or model whose choices can be asked for by name.
struct Framework {
  std::string_view id;    // "pytorch"
  std::string_view name;  // "PyTorch"
  std::array<std::string_view, 3> aliases = {};
};

// ε as a power of ten, or the gap above 1 of the type that the numbers are in (2^-23 for float32; half types use float32's).
struct PresetEps {
  int power = 0;
  bool of_type = false;
};

// How running statistics are kept: the share of the new batch in percent (PyTorch's momentum; Keras and its kin write 1 minus
// it), and what the kept variance was divided by. A share of 0: none by default.
struct PresetRunning {
  int percent = 0;
  Divisor divisor = Divisor::n;
};

// One norm as a framework or model computes it when told nothing.
struct Preset {
  std::string_view framework;  // its id
  std::string_view norm;       // as asked for, in the catalogue: "layernorm"
  PresetEps eps;
  std::string_view source;  // repository and path, or page of the documentation
  bool confirmed = true;    // read there; otherwise on hearsay
  Divisor divisor = Divisor::n;
  EpsPlace eps_place = EpsPlace::inside_root;
  PresetRunning running = {};
  GammaForm gamma_form = GammaForm::plain;
  CastOrder cast = CastOrder::none;  // of a half type
  std::string_view computes = {};    // another norm of the catalogue, where that is what comes out
};

std::span<const Framework> frameworks();
std::span<const Preset> presets();

// By id, name or alias, whatever the case, blanks and signs; null if there is none.
const Framework* find_framework(std::string_view word);
// Null if the framework has no such norm.
const Preset* find_preset(const Framework& framework, const Norm& norm);
// The norms that a framework has, as in "LayerNorm, RMSNorm".
std::string norms_of(const Framework& framework);

// The norm that is really computed.
const Norm& computed_by(const Preset& preset);
exact::Rational eps_of(const Preset& preset, const exact::Format* dtype);
// Sets everything that the preset decides; γ, β and the machine stay as they are, and ε may depend on the machine's type.
void apply(const Preset& preset, Convention& convention);

}  // namespace normtrace::norm
