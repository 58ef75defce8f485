#include "norm/presets.h"

#include <set>
#include <string>

#include "catch.h"

using namespace normtrace;

TEST_CASE("every preset is of a known framework and norm, once, with a source", "[presets]") {
  std::set<std::string> seen;
  for (const norm::Preset& preset : norm::presets()) {
    INFO(preset.framework << " " << preset.norm);
    CHECK(norm::find_framework(preset.framework) != nullptr);
    CHECK(norm::find(preset.norm) != nullptr);
    CHECK(!preset.source.empty());
    CHECK(seen.insert(std::string(preset.framework) + " " + std::string(preset.norm)).second);
  }
}

TEST_CASE("every framework has a norm, and is found by its id, name and aliases", "[presets]") {
  for (const norm::Framework& framework : norm::frameworks()) {
    INFO(framework.id);
    CHECK(!norm::norms_of(framework).empty());
    CHECK(norm::find_framework(framework.id) == &framework);
    CHECK(norm::find_framework(framework.name) == &framework);
    for (const std::string_view alias : framework.aliases)
      if (!alias.empty()) CHECK(norm::find_framework(alias) == &framework);
  }
  CHECK(norm::find_framework("LLAMA_2")->id == "llama2");
  CHECK(norm::find_framework("") == nullptr);
  CHECK(norm::find_framework("no such thing") == nullptr);
}

TEST_CASE("the default ε of PyTorch's RMSNorm is that of float32, also for half types, and that of float64",
          "[presets]") {
  const norm::Preset& preset = *norm::find_preset(*norm::find_framework("pytorch"), *norm::find("rms"));
  const auto two_to_minus = [](int k) {
    exact::Rational power = 1;
    for (; k > 0; --k) power = power / 2;
    return power;
  };
  CHECK(norm::eps_of(preset, nullptr) == two_to_minus(23));
  CHECK(norm::eps_of(preset, &exact::float32) == two_to_minus(23));
  CHECK(norm::eps_of(preset, &exact::float16) == two_to_minus(23));
  CHECK(norm::eps_of(preset, &exact::bfloat16) == two_to_minus(23));
  CHECK(norm::eps_of(preset, &exact::float64) == two_to_minus(52));
}

TEST_CASE("a preset sets ε, its place and the divisor, and leaves γ and β alone", "[presets]") {
  norm::Convention convention;
  convention.gamma = {2};
  norm::apply(*norm::find_preset(*norm::find_framework("annotated-transformer"), *norm::find("ln")), convention);
  CHECK(convention.like == "Annotated Transformer");
  CHECK(convention.eps == exact::power_of_ten(-6));
  CHECK(convention.eps_place == norm::EpsPlace::added_to_root);
  CHECK(convention.divisor == norm::Divisor::n_minus_one);
  CHECK(convention.gamma == std::vector<exact::Rational>{2});
}

TEST_CASE("momentum is the share of the new batch, whichever way a framework writes it", "[presets]") {
  const auto running = [](std::string_view framework) {
    norm::Convention convention;
    norm::apply(*norm::find_preset(*norm::find_framework(framework), *norm::find("bn")), convention);
    return std::pair{*convention.momentum, convention.running_divisor};
  };
  CHECK(running("pytorch") == std::pair{exact::Rational(1, 10), norm::Divisor::n_minus_one});
  CHECK(running("keras") == std::pair{exact::Rational(1, 100), norm::Divisor::n});  // writes 0.99
  CHECK(running("tensorflow") == std::pair{exact::Rational(1, 100), norm::Divisor::n_minus_one});
  CHECK(running("mxnet") == std::pair{exact::Rational(1, 10), norm::Divisor::n});  // writes 0.9
}

TEST_CASE("Gemma's factor is 1 + γ", "[presets]") {
  norm::Convention convention;
  norm::apply(*norm::find_preset(*norm::find_framework("gemma"), *norm::find("rms")), convention);
  CHECK(convention.gamma_form == norm::GammaForm::one_plus);
}

TEST_CASE("rms_scaling of Keras is not RMSNorm: x over the standard deviation", "[presets]") {
  const norm::Preset& preset = *norm::find_preset(*norm::find_framework("keras rms_scaling"), *norm::find("rms"));
  CHECK(norm::computed_by(preset).formula == norm::Formula::divide_by_std);
  CHECK(norm::computed_by(*norm::find_preset(*norm::find_framework("keras"), *norm::find("rms"))).id == "rmsnorm");
}
