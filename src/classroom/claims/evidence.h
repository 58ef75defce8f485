#pragma once

#include <string>
#include <vector>

#include "classroom/claims/claims.h"
#include "norm/convention.h"
#include "trace/trace.h"

// What the functions that put claims to numbers have in common, and those functions, article by article.
namespace normtrace::classroom {

using exact::Rational;
using exact::Value;
using Numbers = std::vector<Rational>;
using Values = std::vector<Value>;

// The three tokens of the first article.
const Numbers& cat();   // 猫
const Numbers& eats();  // 吃
const Numbers& fish();  // 鱼

// The trace of one token; for BatchNorm of one feature over the batch.
trace::Trace traced(std::string_view norm, const Numbers& x, const norm::Convention& convention = {});
Values output(std::string_view norm, const Numbers& x, const norm::Convention& convention = {});
// As the machine of the convention has it; what is not finite is undefined.
Values machine_output(std::string_view norm, const Numbers& x, const norm::Convention& convention);
// ε inside the root.
norm::Convention with_eps(const Rational& eps);

Numbers scaled(const Numbers& x, const Rational& scale, const Rational& shift = 0);
Value sum_of_squares(const Values& x);
bool equal(const Values& x, const Values& y);
// max |xᵢ − yᵢ|
Value largest_gap(const Values& x, const Values& y);
// Each entry over the first.
Values ratios(const Values& x);
Values first_of(const Values& x);

// Speaks for nothing and against nothing.
Evidence beside(std::string what, Values values, std::string remark = {});
// The measurements that were recorded for a claim, as evidence that speaks for nothing.
std::vector<Evidence> measured(std::string_view claim);
// Supports if `true_here`, else opposes.
Evidence weigh(bool true_here, std::string what, Values values, bool within = true, std::string remark = {});

using Evidences = std::vector<Evidence>;

// S0
Evidences hand_worked_digits();
Evidences zero_moves();
Evidences pytorch_print();
Evidences projection_then_sphere();
Evidences parameters_saved();
Evidences same_norm();
Evidences mean_near_zero();
Evidences shift_matters_little();
Evidences replace_every_norm();
Evidences relative_structure();
Evidences fish_is_the_same();
// S1
Evidences scores_sharpen();
Evidences affine_restores();
Evidences batchnorm_invariance();
Evidences batch_couples();
Evidences layernorm_token();
Evidences tokens_are_independent();
Evidences rms_times_ten();
Evidences norm_parameters_are_few();
Evidences parameters_by_width();
Evidences one_rule_for_both_modes();
Evidences same_asymptotics();
Evidences model_operations();
Evidences identity_path();
Evidences stream_grows();
Evidences first_sample_changes();
Evidences scores_times_four();
Evidences layernorm_invariance();
Evidences rms_keeps_signs();
Evidences post_is_weaker();
Evidences training_and_inference();
Evidences row_of_scales();
Evidences lighter();
Evidences lost_softmax_pair();
Evidences lost_affine();
Evidences lost_four_numbers();
Evidences lost_jacobians();
Evidences lost_figures();
Evidences lost_batch();
Evidences lost_token();
// S2
Evidences manual_layernorm();
Evidences output_norms();
Evidences swiglu_rule();
Evidences weight_gradient();
Evidences no_input_gradient();
Evidences bias_variant();
Evidences proposed_by();
Evidences fewer_operations();
Evidences trouble_at_mean_zero();
Evidences keeps_distances();
Evidences suits_relu();
Evidences stable_variant();
Evidences memory_measured();
Evidences timing_loop();
Evidences stability_experiment();
Evidences llama_block();
Evidences copy_gamma();
Evidences hybrid_is_smooth();
Evidences running_rms();
Evidences adaptive_strength();
Evidences general_form();
Evidences covariate_shift();
Evidences half_precision();
Evidences llama_eps();

}  // namespace normtrace::classroom
