#include "classroom/claims/claims.h"

#include <algorithm>

#include "classroom/claims/evidence.h"

namespace normtrace::classroom {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

}  // namespace

std::span<const Claim> claims() {
  using enum Kind;
  static const std::vector<Claim> table = {
      {"A1", "S0", universal, {"example cat-eats-fish"}, hand_worked_digits},
      {"A2", "S0", universal, {"compare 2 0 -2 4 --norms ln,rms"}, zero_moves},
      {"A3", "S0", universal, {"rms 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1 --eps 1e-5 --format tensor"}, pytorch_print},
      {"A4", "S0", universal, {"geometry 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1"}, projection_then_sphere},
      {"A5", "S0", universal, {"params gpt2"}, parameters_saved},
      {"B1",
       "S1",
       conditional,
       {"softmax 0.5 0 --times 4", "softmax 1 0 --times 4", "softmax 1.5 0 --times 4", "softmax 2 0 --times 4",
        "softmax 2 2 0 --times 4", "softmax 0.5 0 0 0 0 0 0 0 --times 4", "softmax 0 0 --times 4"},
       scores_sharpen},
      {"B2", "S1", universal, {"bn 1 3 --gamma 2 --beta 5", "bn 1 3 --gamma 0.5 --beta 1"}, affine_restores},
      {"B3",
       "S1",
       conditional,
       {"change bn 1 3 1 3 --scale 2 --shift 10", "change bn 1 3 1 3 --scale -2",
        "change bn 1 3 1 3 --scale 0.01 --eps 1e-5", "change bn 1 3 1 3 --scale 0.001 --eps 1e-5"},
       batchnorm_invariance},
      {"B4",
       "S1",
       conditional,
       {"change bn 1 3 1 3 --set 2,1=5", "change bn 1 3 0 0 1 1 --set 2,1=5", "change bn 1 3 1 1 3 3 --set 2,1=5",
        "change bn 1 3 3 3 4 4 --set 2,1=5", "change bn 0 0 3 --set 3,1=5", "change bn 1 3 --set 2,1=5"},
       batch_couples},
      {"B5", "S1", universal, {"example layernorm-affine"}, layernorm_token},
      {"B6", "S1", universal, {"change ln 猫=1,2,3,4 吃=2,0,-2,4 --set 2,1=9"}, tokens_are_independent},
      {"B7",
       "S1",
       conditional,
       {"example rmsnorm-times-ten", "geometry 1,-5,5,7 鱼=-1,1,-1,1", "change rms 1 -5 5 7 --scale 0.001 --eps 1e-5"},
       rms_times_ten},
      {"B8", "S1", universal, {"params gpt2", "params llama-7b", "params llama-65b"}, norm_parameters_are_few},
      {"B9", "S1", universal, {"table operations"}, same_asymptotics},
      {"B10", "S1", universal, {"params llama-7b", "table operations"}, model_operations},
      {"B11",
       "S1",
       universal,
       {"residual --j-norm 0.5 --j-branch 0", "residual --j-norm 0.8 --j-branch 0", "residual --j-norm 2 --j-branch 0"},
       identity_path},
      {"B12", "S1", conditional, {"residual --j-norm 1 --j-branch 0 --layers 64"}, stream_grows},
      {"B13", "S1", universal, {"table layernorm-rmsnorm", "params gpt2"}, parameters_by_width},
      {"B14",
       "S1",
       universal,
       {"table norms", "change ln 猫=1,2,3,4 吃=2,0,-2,4 --set 2,1=9", "bn 1 3 --eval"},
       one_rule_for_both_modes},
      {"E1",
       "S2",
       conditional,
       {"ln 猫=1,2,3,4 --eps 1e-5 --dtype float32", "ln 猫=1,2,3,4 --eps 1e-5 --divisor n-1", "table recorded"},
       manual_layernorm},
      {"E2", "S2", universal, {"rms 1 2 3 4 --eps 1e-5", "table recorded"}, output_norms},
      {"E3",
       "S2",
       universal,
       {"params llama-7b", "params llama-13b", "params llama-33b", "params llama-65b",
        "params --family llama --width 512 --layers 1"},
       swiglu_rule},
      {"E4", "S2", universal, {"gradient rms 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1"}, weight_gradient},
      {"E5",
       "S2",
       conditional,
       {"gradient rms 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1", "gradient ln 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1",
        "gradient ln 猫=1,2,3,4 --gamma 1,2,1,0.5", "gradient rms 2 2 2"},
       no_input_gradient},
      {"E6",
       "S2",
       universal,
       {"rms 猫=1,2,3,4 --beta 0.5", "compare 猫=1,2,3,4 --norms ln,rms --beta 0.5"},
       bias_variant},
      {"D1",
       "S0",
       conditional,
       {"compare 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1 --norms ln,rms", "ln 猫=1,2,3,4 --eps 1e-5",
        "rms 猫=1,2,3,4 --eps 1e-5",
        "geometry 0.365,0.730,1.095,1.461 0.37,0.73,1.10,1.46 -1.342,-0.447,0.447,1.342 -1.34,-0.45,0.45,1.34",
        "geometry 0.816,0,-0.816,1.633 0.82,0,-0.82,1.63", "compare 猫=1,2,3,4 --norms ln,rms --gamma 2,1,1,0.5",
        "ln 3 3 3 3 --eps 1e-5", "rms 3 3 3 3", "ln 7", "ln 2 9"},
       same_norm},
      {"D2",
       "S0",
       conditional,
       {"compare 鱼=-1,1,-1,1 -1,1,-1,1.01 0.001猫=0.001,0.002,0.003,0.004 --norms ln,rms"},
       mean_near_zero},
      {"D3", "S0", statistical, {"geometry 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1"}, shift_matters_little},
      {"D4",
       "S0",
       conditional,
       {"params gpt2", "compare 猫=1,2,3,4 -1.5,-0.5,0.5,1.5 --norms ln,rms"},
       replace_every_norm},
      {"D5",
       "S0",
       conditional,
       {"rms 猫=1,2,3,4 鱼=-1,1,-1,1", "rms 猫=1,2,3,4 --gamma 2,1,1,0.5"},
       relative_structure},
      {"D6", "S0", conditional, {"conventions 鱼=-1,1,-1,1 --digits 8"}, fish_is_the_same},
      {"D7",
       "S1",
       universal,
       {"change bn 1 3 --set 2,1=5", "change bn 1 3 --set 2,1=5 --eps 1e-5", "change bn 1 3 1 3 --set 2,1=5"},
       first_sample_changes},
      {"D8",
       "S1",
       conditional,
       {"softmax --qk 1,2 k1=1,1 k2=3,1", "softmax --qk 1,2 k1=1,1 k2=3,1 --q-bias 1,0",
        "softmax --qk 1,2 k1=1,1 k2=3,1 --q-bias 1,0 --k-bias 0,1", "softmax 0.5 0", "table recorded"},
       scores_times_four},
      {"D9",
       "S1",
       conditional,
       {"change ln 1 2 3 --scale 2 --shift 10", "change ln 1 2 3 --scale -2", "change ln 1 2 3 --scale 0.01 --eps 1e-5",
        "change ln 1 2 3 --scale 0.001 --eps 1e-5"},
       layernorm_invariance},
      {"D10",
       "S1",
       conditional,
       {"change rms 2 0 -2 4 --scale 10", "change rms 2 0 -2 4 --scale -10",
        "change rms 2 0 -2 4 --scale 0.001 --eps 1e-5", "rms 吃=2,0,-2,4 --gamma 1,1,-1,0.5",
        "rms 吃=2,0,-2,4 --gamma 0,0,0,1 --gamma-form one-plus"},
       rms_keeps_signs},
      {"D11",
       "S1",
       conditional,
       {"residual --j-norm 0.5 --j-branch 0.2", "residual --j-norm 0.5 --j-branch 0.5",
        "residual --j-norm 0.8 --j-branch 0.2", "residual --j-norm 2 --j-branch 0.5",
        "residual --j-norm 0.5 --j-branch -0.2", "residual --j-norm 0.5 --j-branch -3",
        "residual --j-norm -1.5 --j-branch 2", "residual --j-norm 0.5 --j-branch -1.5",
        "residual --j-norm 1 --j-branch 0.1 --layers 96", "gradient rms 猫=1,2,3,4", "gradient ln 猫=1,2,3,4"},
       post_is_weaker},
      {"D12", "S1", universal, {"bn 1 3 --eval", "bn 1 3 --running-mean 2 --running-var 2"}, training_and_inference},
      {"D13", "S1", universal, {"compare 猫=1,2,3,4 10猫=10,20,30,40"}, row_of_scales},
      {"D14", "S1", conditional, {"table operations", "table recorded"}, lighter},
      {"D20", "S2", universal, {"table references"}, proposed_by},
      {"D21", "S2", universal, {"params llama-7b", "table operations"}, fewer_operations},
      {"D22",
       "S2",
       universal,
       {"ln 鱼=-1,1,-1,1 --eps 1e-5 --dtype float32", "ln 3 3 3 3.001 --eps 1e-5",
        "ln 10001 10002 10003 10004 --dtype float32 --variance one-pass"},
       trouble_at_mean_zero},
      {"D23",
       "S2",
       universal,
       {"geometry a=1,2,3,4 b=2,4,6,8", "geometry 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1"},
       keeps_distances},
      {"D24", "S2", universal, {"geometry x=1,-2,3,-4 relu=1,0,3,0"}, suits_relu},
      {"D25",
       "S2",
       universal,
       {"rms 256 0 0 0 --dtype float16 --eps 1e-5", "rms 256 0 0 0 --dtype float16 --cast-order llama --eps 1e-5",
        "rms 0.0001 0 0 0 --dtype float16 --eps 1e-5", "gradient rms 0 0 0 0 --eps 1e-5"},
       stable_variant},
      {"D26", "S2", universal, {}, memory_measured},
      {"D27", "S2", universal, {"table recorded"}, timing_loop},
      {"D28", "S2", universal, {"table recorded"}, stability_experiment},
      {"D29", "S2", universal, {"rms 猫=1,2,3,4 --gamma 2,1,1,0.5", "rms 2 2 3 2 --gamma 2,1,1,0.5"}, llama_block},
      {"D30",
       "S2",
       conditional,
       {"ln 猫=1,2,3,4 --gamma 1,2,1,0.5 --beta 0.1,0.2,0.3,0.4", "rms 猫=1,2,3,4 --gamma 1,2,1,0.5",
        "rms -1.5 -0.5 0.5 1.5 --gamma 1,2,1,0.5 --beta 0.1,0.2,0.3,0.4"},
       copy_gamma},
      {"D31",
       "S2",
       conditional,
       {"hybrid 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1 --alpha 0.5", "hybrid 猫=1,2,3,4 --alpha 0",
        "hybrid 猫=1,2,3,4 --alpha 1"},
       hybrid_is_smooth},
      {"D32", "S2", conditional, {"example running-rms"}, running_rms},
      {"D33",
       "S2",
       conditional,
       {"adaptive 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1 10猫=10,20,30,40", "adaptive 3,3,3,3 5,5,5,5",
        "adaptive 猫=1,2,3,4 10猫=10,20,30,40 --alpha 0"},
       adaptive_strength},
      {"D34", "S2", universal, {"bn 猫=1,2,3,4", "compare 猫=1,2,3,4 --norms ln,rms"}, general_form},
      {"D35", "S2", universal, {"table references"}, covariate_shift},
      {"D36",
       "S2",
       conditional,
       {"rms 256 0 0 0 --dtype float16 --cast-order llama --eps 1e-5", "rms 256 0 0 0 --dtype float16 --eps 1e-5",
        "table references"},
       half_precision},
      {"D37", "S2", conditional, {"conventions 1 0 0 0 --digits 6", "conventions --list"}, llama_eps},
      {"U1", "S1", universal, {"softmax 1 0", "softmax 2 0"}, lost_softmax_pair},
      {"U2", "S1", universal, {"bn 1 3 --gamma 2 --beta 5", "bn 1 3 --gamma 0.5 --beta 1"}, lost_affine},
      {"U3", "S1", universal, {"table whole-rms", "example rmsnorm-times-ten", "rms 1 2 3 4"}, lost_four_numbers},
      {"U4",
       "S1",
       universal,
       {"residual --j-norm 0.5 --j-branch 0.2", "residual --j-norm 0.5 --j-branch 0.5",
        "residual --j-norm 0.8 --j-branch 0.2"},
       lost_jacobians},
      {"U5", "S1", universal, {"table figures"}, lost_figures},
      {"U6",
       "S1",
       universal,
       {"example batch-coupling", "bn 1 3 2 --divisor n-1", "bn 1 5 2 --divisor n-1"},
       lost_batch},
      {"U7", "S1", universal, {"example layernorm-affine"}, lost_token},
  };
  return table;
}

const Claim* find_claim(std::string_view id) {
  for (const Claim& claim : claims())
    if (lower(claim.id) == lower(id)) return &claim;
  return nullptr;
}

Verdict judge(Kind kind, std::span<const Evidence> evidence) {
  std::size_t supporting = 0;
  std::size_t opposing = 0;
  std::size_t opposing_within = 0;
  for (const Evidence& one : evidence) {
    supporting += one.side == Side::supports ? 1 : 0;
    opposing += one.side == Side::opposes ? 1 : 0;
    opposing_within += one.side == Side::opposes && (one.within || kind != Kind::conditional) ? 1 : 0;
  }
  if (supporting + opposing < (kind == Kind::statistical ? enough_cases : 1)) return Verdict::undecidable;
  if (opposing_within != 0 || supporting == 0) return Verdict::fails;
  return opposing != 0 ? Verdict::conditional : Verdict::holds;
}

std::string_view id(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "true";
    case Verdict::conditional: return "conditional";
    case Verdict::fails: return "false";
    case Verdict::undecidable: return "undecidable";
  }
  return {};
}

std::string_view id(Side side) {
  switch (side) {
    case Side::supports: return "for";
    case Side::opposes: return "against";
    case Side::neither: return "neither";
  }
  return {};
}

std::string sentence_of(const Claim& claim) { return "claim." + lower(claim.id); }
std::string condition_of(const Claim& claim) { return "claim_condition." + lower(claim.id); }
std::string alone_of(const Claim& claim) { return "claim_alone." + lower(claim.id); }

}  // namespace normtrace::classroom
