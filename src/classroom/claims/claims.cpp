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
  static constexpr Claim table[] = {
      {"A1", "S0", universal, "example cat-eats-fish", hand_worked_digits},
      {"A2", "S0", universal, "compare 2 0 -2 4 --norms ln,rms", zero_moves},
      {"A3", "S0", universal, "rms 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1 --eps 1e-5 --format tensor", pytorch_print},
      {"A4", "S0", universal, "geometry 猫=1,2,3,4", projection_then_sphere},
      {"A5", "S0", universal, "params gpt2", parameters_saved},
      {"B1", "S1", conditional, "softmax 1 0 --times 4", scores_sharpen},
      {"B2", "S1", universal, "bn 1 3 --gamma 2 --beta 5", affine_restores},
      {"B3", "S1", conditional, "change bn 1 3 1 3 --scale 2 --shift 10", batchnorm_invariance},
      {"B4", "S1", conditional, "change bn 1 3 1 3 --set 2,1=5", batch_couples},
      {"B5", "S1", universal, "example layernorm-affine", layernorm_token},
      {"B6", "S1", universal, "change ln 猫=1,2,3,4 吃=2,0,-2,4 --set 2,1=9", tokens_are_independent},
      {"B7", "S1", conditional, "example rmsnorm-times-ten", rms_times_ten},
      {"B8", "S1", universal, "params llama-7b", norm_parameters_are_few},
      {"B9", "S1", universal, "params --width 768 --layers 12", same_asymptotics},
      {"B10", "S1", universal, "params llama-7b", model_operations},
      {"B11", "S1", universal, "residual --j-norm 0.5 --j-branch 0", identity_path},
      {"B12", "S1", conditional, "residual --j-norm 1 --j-branch 0 --layers 64", stream_grows},
      {"E1", "S2", conditional, "ln 猫=1,2,3,4 --eps 1e-5 --dtype float32", manual_layernorm},
      {"E2", "S2", universal, "rms 1 2 3 4 --eps 1e-5", output_norms},
      {"E3", "S2", universal, "params --family llama --width 512 --layers 1", swiglu_rule},
      {"E4", "S2", universal, "gradient rms 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1", weight_gradient},
      {"E5", "S2", conditional, "gradient ln 猫=1,2,3,4", no_input_gradient},
      {"E6", "S2", universal, "rms 猫=1,2,3,4 --beta 0.5", bias_variant},
      {"D1", "S0", conditional, "compare 猫=1,2,3,4 --eps 1e-5", same_norm},
      {"D2", "S0", conditional, "compare 猫=1,2,3,4 0.001猫=0.001,0.002,0.003,0.004 --norms ln,rms", mean_near_zero},
      {"D3", "S0", statistical, "geometry 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1", shift_matters_little},
      {"D4", "S0", conditional, "compare 猫=1,2,3,4 --norms ln,rms", replace_every_norm},
      {"D5", "S0", conditional, "rms 猫=1,2,3,4 --gamma 2,1,1,0.5", relative_structure},
      {"D6", "S0", conditional, "conventions 鱼=-1,1,-1,1 --digits 8", fish_is_the_same},
      {"D7", "S1", universal, "change bn 1 3 --set 2,1=5", first_sample_changes},
      {"D8", "S1", conditional, "softmax --qk 1,2 k1=1,0 k2=0,1 --q-bias 1,0", scores_times_four},
      {"D9", "S1", conditional, "change ln 1 2 3 --scale 0.001 --eps 1e-5", layernorm_invariance},
      {"D10", "S1", conditional, "rms 吃=2,0,-2,4 --gamma 1,1,-1,0.5", rms_keeps_signs},
      {"D11", "S1", conditional, "residual --j-norm 2 --j-branch 0.5", post_is_weaker},
      {"D12", "S1", universal, "bn 1 3 --eval", training_and_inference},
      {"D13", "S1", universal, "change ln 1 2 3 4 --scale 10", row_of_scales},
      {"D14", "S1", conditional, "params llama-7b", lighter},
      {"D20", "S2", universal, "claim D20", proposed_by},
      {"D21", "S2", universal, "params llama-7b", fewer_operations},
      {"D22", "S2", universal, "ln 10001 10002 10003 10004 --dtype float32 --variance one-pass", trouble_at_mean_zero},
      {"D23", "S2", universal, "geometry a=1,2,3,4 b=2,4,6,8", keeps_distances},
      {"D24", "S2", universal, "compare 1 0 3 0 --norms ln,rms", suits_relu},
      {"D25", "S2", universal, "rms 256 0 0 0 --dtype float16 --eps 1e-5", stable_variant},
      {"D26", "S2", universal, "claim D26", memory_measured},
      {"D27", "S2", universal, "claim D27", timing_loop},
      {"D28", "S2", statistical, "claim D28", stability_experiment},
      {"D29", "S2", universal, "rms 猫=1,2,3,4 --gamma 2,1,1,0.5", llama_block},
      {"D30", "S2", conditional, "compare 猫=1,2,3,4 --norms ln,rms --gamma 1,2,1,0.5", copy_gamma},
      {"D31", "S2", conditional, "hybrid 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1 --alpha 0.5", hybrid_is_smooth},
      {"D32", "S2", conditional, "example running-rms", running_rms},
      {"D33", "S2", universal, "adaptive 猫=1,2,3,4 10猫=10,20,30,40", adaptive_strength},
      {"D34", "S2", universal, "compare 猫=1,2,3,4 --norms ln,rms", general_form},
      {"D35", "S2", universal, "claim D35", covariate_shift},
      {"D36", "S2", conditional, "rms 256 0 0 0 --dtype float16 --cast-order llama --eps 1e-5", half_precision},
      {"D37", "S2", conditional, "conventions 1 0 0 0 --digits 6", llama_eps},
      {"U1", "S1", universal, "softmax 1 0", lost_softmax_pair},
      {"U2", "S1", universal, "bn 1 3 --gamma 2 --beta 5", lost_affine},
      {"U3", "S1", universal, "example rmsnorm-times-ten", lost_four_numbers},
      {"U4", "S1", universal, "residual --j-norm 0.5 --j-branch 0.2", lost_jacobians},
      {"U5", "S1", universal, "table norms", lost_figures},
      {"U6", "S1", universal, "example batch-coupling", lost_batch},
      {"U7", "S1", universal, "example layernorm-affine", lost_token},
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

}  // namespace normtrace::classroom
