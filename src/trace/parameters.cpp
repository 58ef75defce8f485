#include "trace/parameters.h"

#include <algorithm>
#include <vector>

namespace normtrace::trace {

std::int64_t Model::layer_weights() const {
  const std::int64_t attention = 4 * width * width;  // q, k, v and output
  const std::int64_t matrices = family == Family::llama ? 3 : 2;
  return attention + matrices * width * inner;
}

std::int64_t Model::parameters() const {
  const std::int64_t embedding = vocabulary * width;
  if (family == Family::llama) return 2 * embedding + layers * layer_weights() + norms() * width;
  const std::int64_t biases = 4 * width + inner + width;
  return embedding + context * width + layers * (layer_weights() + biases) + norms() * 2 * width;
}

SwigluWidth swiglu_width(std::int64_t d, std::int64_t multiple_of) {
  const std::int64_t plain = 4 * d;
  const std::int64_t reduced = 2 * plain / 3;
  return {plain, reduced, (reduced + multiple_of - 1) / multiple_of * multiple_of};
}

std::int64_t layernorm_operations(bool affine) { return affine ? 7 : 5; }
std::int64_t rmsnorm_operations(bool affine) { return affine ? 4 : 3; }

namespace {

constexpr std::int64_t gpt2_vocabulary = 50257;
constexpr std::int64_t gpt2_context = 1024;
constexpr std::int64_t llama_vocabulary = 32000;
constexpr std::int64_t llama_multiple = 256;

Model gpt2(std::string name, std::int64_t width, std::int64_t layers) {
  return {std::move(name), Family::gpt2, width, layers, gpt2_vocabulary, gpt2_context, 4 * width};
}

Model llama(std::string name, std::int64_t width, std::int64_t layers) {
  return {
      std::move(name), Family::llama, width, layers, llama_vocabulary, 0, swiglu_width(width, llama_multiple).rounded,
      llama_multiple};
}

Value percent(std::int64_t part, std::int64_t whole) { return exact::Rational(100 * part, whole); }

std::string text(std::int64_t n) { return std::to_string(n); }

// Names as people write them: gpt2, GPT-2, gpt2-small, LLaMA-7B, llama_7b.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (c != '-' && c != '_' && c != ' ') plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return plain == "gpt2small" ? "gpt2" : plain;
}

Section norm_parameters(const Model& model) {
  const std::int64_t d = model.width;
  const std::int64_t n = model.norms();
  Section section{"norms", {"params.norms"}, {}};
  section.number("norm_count", "", "2N+1", n, {{"2·" + text(model.layers) + "+1"}});
  section.number("layernorm_parameters", "", "", 2 * d * n, {{text(n) + "·2·" + text(d)}});
  section.number("rmsnorm_parameters", "", "", d * n, {{text(n) + "·" + text(d)}});
  section.number("fewer_parameters", "", "", d * n, {{text(n) + "·" + text(d)}});
  return section;
}

Section whole_model(const Model& model) {
  const bool is_llama = model.family == Family::llama;
  const std::int64_t norms = model.norms() * model.width;
  const std::int64_t total = model.parameters();
  Section section{"model", {"params.model"}, {}};
  section.number("total_parameters", "", "", total);
  section.number(is_llama ? "norm_share" : "saved_share", "", "", percent(norms, total),
                 {{"100·" + text(norms) + "/" + text(total)}});
  section.items.back().unit = "%";
  return section;
}

// Of one token in one layer: two norms, and two operations a weight.
Section operations(const Model& model) {
  const std::int64_t d = model.width;
  const std::int64_t linear = 2 * model.layer_weights();
  const std::int64_t layernorm = 2 * layernorm_operations(true) * d;
  const std::int64_t rmsnorm = 2 * rmsnorm_operations(true) * d;
  Section section{"operations", {"params.operations"}, {}};
  section.number("linear_operations", "", "", linear, {{"2·" + text(model.layer_weights())}});
  const auto add = [&](std::string count, std::string share, std::int64_t n) {
    section.number(std::move(count), "", "", n, {{"2·" + text(n / d / 2) + "·" + text(d)}});
    section.number(std::move(share), "", "", percent(n, linear), {{"100·" + text(n) + "/" + text(linear)}});
    section.items.back().unit = "%";
  };
  add("layernorm_operations", "layernorm_share", layernorm);
  add("rmsnorm_operations", "rmsnorm_share", rmsnorm);
  const auto add_percent = [&](std::string id, const Value& value, std::string substitution) {
    section.number(std::move(id), "", "", value, {{std::move(substitution)}});
    section.items.back().unit = "%";
  };
  const std::string fewer = "(" + text(layernorm) + "-" + text(rmsnorm) + ")";
  add_percent("operations_saved", percent(layernorm - rmsnorm, layernorm), "100·(7-4)/7");
  add_percent("operations_saved_bare",
              percent(layernorm_operations(false) - rmsnorm_operations(false), layernorm_operations(false)),
              "100·(5-3)/5");
  add_percent("layer_saved", model.layer_saved_percent(),
              "100·" + fewer + "/(" + text(linear) + "+" + text(layernorm) + ")");
  section.remarks.push_back({"params.operations_counted"});
  return section;
}

Section swiglu(const Model& model) {
  const SwigluWidth width = swiglu_width(model.width, model.multiple_of);
  Section section{"swiglu", {"params.swiglu"}, {}};
  section.number("plain_width", "", "4d", width.plain, {{"4·" + text(model.width)}});
  section.number("reduced_width", "", "⌊2·4d/3⌋", width.reduced, {{"⌊2·" + text(width.plain) + "/3⌋"}});
  section.items.push_back({"rounded_width",
                           "",
                           "",
                           {width.rounded},
                           false,
                           {{text(width.rounded / model.multiple_of) + "·" + text(model.multiple_of)}},
                           {},
                           {text(model.multiple_of)}});
  if (model.inner != width.rounded) section.number("used_width", "", "", model.inner);
  return section;
}

}  // namespace

Value Model::layer_saved_percent() const {
  const std::int64_t linear = 2 * layer_weights();
  const std::int64_t layernorm = 2 * layernorm_operations(true) * width;
  const std::int64_t rmsnorm = 2 * rmsnorm_operations(true) * width;
  return percent(layernorm - rmsnorm, linear + layernorm);
}

std::span<const Model> models() {
  static const std::vector<Model> all = {
      gpt2("gpt2", 768, 12),        gpt2("gpt2-medium", 1024, 24), gpt2("gpt2-large", 1280, 36),
      gpt2("gpt2-xl", 1600, 48),    llama("llama-7b", 4096, 32),   llama("llama-13b", 5120, 40),
      llama("llama-33b", 6656, 60), llama("llama-65b", 8192, 80),
  };
  return all;
}

const Model* find_model(std::string_view name) {
  const std::string wanted = plain_name(name);
  const auto found =
      std::ranges::find_if(models(), [&](const Model& model) { return plain_name(model.name) == wanted; });
  return found == models().end() ? nullptr : &*found;
}

Model model_of(Family family, std::int64_t width, std::int64_t layers) {
  return family == Family::llama ? llama("llama", width, layers) : gpt2("gpt2", width, layers);
}

Report parameters_report(const Model& model) {
  const bool is_llama = model.family == Family::llama;
  Report report{"params",
                {is_llama ? "params.llama_title" : "params.gpt2_title",
                 {model.name, text(model.width), text(model.layers), text(model.vocabulary),
                  text(is_llama ? model.inner : model.context)}},
                {}};
  report.sections = {norm_parameters(model), whole_model(model), operations(model)};
  if (is_llama) report.sections.push_back(swiglu(model));
  return report;
}

}  // namespace normtrace::trace
