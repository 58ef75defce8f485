#include "norm/presets.h"

#include <algorithm>
#include <string>

namespace normtrace::norm {

std::span<const Framework> frameworks() {
  static constexpr Framework table[] = {
      {"pytorch", "PyTorch", {"torch", "libtorch"}},
      {"keras", "Keras", {"keras3", "tfkeras"}},
      {"keras-rms-scaling", "Keras rms_scaling"},
      {"tensorflow", "TensorFlow fused", {"tf", "fusedbatchnorm"}},
      {"flax", "Flax", {"flaxlinen", "nnx"}},
      {"haiku", "Haiku", {"dmhaiku", "jax"}},
      {"mxnet", "MXNet"},
      {"mindspore", "MindSpore"},
      {"paddle", "Paddle", {"paddlepaddle"}},
      {"onnx", "ONNX"},
      {"mathematica", "Mathematica", {"wolfram"}},
      {"bert", "BERT"},
      {"llama1", "Llama 1", {"llama"}},
      {"llama2", "Llama 2"},
      {"t5", "T5"},
      {"gemma", "Gemma"},
      {"olmo1", "OLMo 1", {"olmo"}},
      {"gpt-neox", "GPT-NeoX", {"neox"}},
      {"annotated-transformer", "Annotated Transformer", {"harvardnlp"}},
      {"ai-by-hand", "AI by Hand"},
  };
  return table;
}

namespace {

constexpr PresetEps ten_to(int power) { return {power, false}; }
constexpr PresetEps of_type{0, true};
constexpr auto n = Divisor::n;
constexpr auto n_minus_one = Divisor::n_minus_one;
constexpr auto inside = EpsPlace::inside_root;
constexpr auto added = EpsPlace::added_to_root;
constexpr auto plain = GammaForm::plain;

}  // namespace

std::span<const Preset> presets() {
  static constexpr Preset table[] = {
      {"pytorch", "batchnorm", ten_to(-5), "pytorch/pytorch: torch/nn/modules/batchnorm.py", true, n, inside,
       PresetRunning{10, n_minus_one}},
      {"pytorch", "layernorm", ten_to(-5), "pytorch/pytorch: torch/nn/modules/normalization.py"},
      {"pytorch", "groupnorm", ten_to(-5), "pytorch/pytorch: torch/nn/modules/normalization.py"},
      {"pytorch", "instancenorm", ten_to(-5), "pytorch/pytorch: torch/nn/modules/instancenorm.py", false},
      {"pytorch", "rmsnorm", of_type, "pytorch/pytorch pull request 173039"},
      {"keras", "batchnorm", ten_to(-3), "keras-team/keras: keras/src/layers/normalization/batch_normalization.py",
       true, n, inside, PresetRunning{1, n}},
      {"keras", "layernorm", ten_to(-3), "keras-team/keras: keras/src/layers/normalization/layer_normalization.py"},
      {"keras", "groupnorm", ten_to(-3), "keras-team/keras: keras/src/layers/normalization/group_normalization.py",
       false},
      {"keras", "rmsnorm", ten_to(-6), "keras-team/keras: keras/src/layers/normalization/rms_normalization.py"},
      {"keras-rms-scaling", "rmsnorm", ten_to(-3),
       "keras-team/keras: keras/src/layers/normalization/layer_normalization.py", true, n, inside, PresetRunning{},
       plain, CastOrder::none, "rmsscaling"},
      {"tensorflow", "batchnorm", ten_to(-3), "tensorflow/tensorflow issue 55545", true, n, inside,
       PresetRunning{1, n_minus_one}},
      {"flax", "batchnorm", ten_to(-5), "google/flax: flax/linen/normalization.py", true, n, inside,
       PresetRunning{1, n}},
      {"flax", "layernorm", ten_to(-6), "google/flax: flax/linen/normalization.py"},
      {"flax", "rmsnorm", ten_to(-6), "google/flax: flax/linen/normalization.py"},
      {"flax", "groupnorm", ten_to(-6), "google/flax: flax/linen/normalization.py"},
      {"flax", "instancenorm", ten_to(-6), "google/flax: flax/linen/normalization.py"},
      {"haiku", "batchnorm", ten_to(-5), "google-deepmind/dm-haiku: haiku/_src/batch_norm.py"},
      {"haiku", "layernorm", ten_to(-5), "google-deepmind/dm-haiku: haiku/_src/layer_norm.py"},
      {"haiku", "instancenorm", ten_to(-5), "google-deepmind/dm-haiku: haiku/_src/layer_norm.py"},
      {"haiku", "rmsnorm", ten_to(-5), "google-deepmind/dm-haiku: haiku/_src/rms_norm.py"},
      {"mxnet", "batchnorm", ten_to(-3), "apache/mxnet: src/operator/nn/batch_norm-inl.h", true, n, inside,
       PresetRunning{10, n}},
      {"mxnet", "instancenorm", ten_to(-3), "apache/mxnet: src/operator/instance_norm-inl.h"},
      {"mindspore", "batchnorm", ten_to(-5), "mindspore.cn: mindspore.nn.BatchNorm1d", true, n, inside,
       PresetRunning{10, n}},
      {"mindspore", "layernorm", ten_to(-7), "mindspore.cn: mindspore.nn.LayerNorm"},
      {"paddle", "batchnorm", ten_to(-5), "paddlepaddle.org.cn: paddle.nn.BatchNorm1D", true, n, inside,
       PresetRunning{10, n}},
      {"paddle", "layernorm", ten_to(-5), "paddlepaddle.org.cn: paddle.nn.LayerNorm"},
      {"onnx", "batchnorm", ten_to(-5), "onnx.ai: operators, BatchNormalization 15", true, n, inside,
       PresetRunning{10, n}},
      {"onnx", "layernorm", ten_to(-5), "onnx.ai: operators, LayerNormalization 17"},
      {"onnx", "instancenorm", ten_to(-5), "onnx.ai: operators, InstanceNormalization", false},
      {"onnx", "rmsnorm", ten_to(-5), "onnx.ai: operators, RMSNormalization 23", false},
      {"mathematica", "batchnorm", ten_to(-3), "reference.wolfram.com: BatchNormalizationLayer", true, n, inside,
       PresetRunning{10, n}},
      {"bert", "layernorm", ten_to(-12), "keras-team/keras-hub issue 642"},
      {"llama1", "rmsnorm", ten_to(-6), "nomic-ai/gpt4all pull request 1946", true, n, inside, PresetRunning{}, plain,
       CastOrder::llama},
      {"llama2", "rmsnorm", ten_to(-5), "meta-llama/llama: llama/model.py", true, n, inside, PresetRunning{}, plain,
       CastOrder::llama},
      {"t5", "rmsnorm", ten_to(-6), "huggingface/transformers: src/transformers/models/t5/configuration_t5.py", true, n,
       inside, PresetRunning{}, plain, CastOrder::llama},
      {"gemma", "rmsnorm", ten_to(-6), "google/gemma_pytorch: gemma/model.py", true, n, inside, PresetRunning{},
       GammaForm::one_plus, CastOrder::gemma},
      {"olmo1", "layernorm", ten_to(-5), "huggingface/transformers: src/transformers/models/olmo/modeling_olmo.py"},
      {"gpt-neox", "rmsnorm", ten_to(-8), "EleutherAI/gpt-neox: megatron/model/norms.py", true, n, added},
      {"annotated-transformer", "layernorm", ten_to(-6),
       "harvardnlp/annotated-transformer: the_annotated_transformer.py", true, n_minus_one, added},
      {"ai-by-hand", "layernorm", ten_to(-3), "a spreadsheet", false, n_minus_one, added},
  };
  return table;
}

namespace {

// "Llama-2" -> "llama2"
std::string folded(std::string_view word) {
  std::string result;
  for (const char c : word) {
    if (c >= 'A' && c <= 'Z')
      result += static_cast<char>(c - 'A' + 'a');
    else if (c != ' ' && c != '-' && c != '_' && c != '.')
      result += c;
  }
  return result;
}

}  // namespace

const Framework* find_framework(std::string_view word) {
  const std::string wanted = folded(word);
  if (wanted.empty()) return nullptr;
  for (const Framework& framework : frameworks())
    if (wanted == folded(framework.id) || wanted == folded(framework.name) ||
        std::ranges::find(framework.aliases, wanted) != framework.aliases.end())
      return &framework;
  return nullptr;
}

const Preset* find_preset(const Framework& framework, const Norm& norm) {
  for (const Preset& preset : presets())
    if (preset.framework == framework.id && preset.norm == norm.id) return &preset;
  return nullptr;
}

std::string norms_of(const Framework& framework) {
  std::string list;
  for (const Norm& norm : catalogue())
    if (find_preset(framework, norm)) list += (list.empty() ? "" : ", ") + std::string(norm.name);
  return list;
}

const Norm& computed_by(const Preset& preset) { return *find(preset.computes.empty() ? preset.norm : preset.computes); }

exact::Rational eps_of(const Preset& preset, const exact::Format* dtype) {
  if (!preset.eps.of_type) return exact::power_of_ten(preset.eps.power);
  const bool wide = dtype && dtype->precision > exact::float32.precision;
  return exact::exact_value((wide ? *dtype : exact::float32).epsilon());
}

void apply(const Preset& preset, Convention& convention) {
  convention.like = find_framework(preset.framework)->name;
  convention.eps = eps_of(preset, convention.machine.dtype);
  convention.divisor = preset.divisor;
  convention.eps_place = preset.eps_place;
  convention.gamma_form = preset.gamma_form;
  if (preset.running.percent == 0) return;
  convention.momentum = exact::Rational(preset.running.percent, 100);
  convention.running_divisor = preset.running.divisor;
}

}  // namespace normtrace::norm
