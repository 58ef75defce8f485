#include <algorithm>
#include <numeric>
#include <optional>

#include "classroom/claims/evidence.h"
#include "classroom/multisets.h"
#include "exact/decimal.h"
#include "trace/geometry.h"
#include "trace/gradient.h"
#include "trace/parameters.h"
#include "trace/residual.h"
#include "trace/softmax.h"

// The second article: from BatchNorm to RMSNorm. Its formulas and numbers are lost; what stands here are numbers that agree
// with its words.
namespace normtrace::classroom {

namespace {

using norm::Convention;

Value mean_of(const Values& y) { return sum(std::span<const Value>(y)) / Value(static_cast<std::int64_t>(y.size())); }

// The weight of the first score, and its p(1 − p).
Values weight_and_slope(const Value& difference, const Rational& times) {
  const Value p = trace::softmax({difference * Value(times), 0}).front();
  return {p, p * (Value(1) - p)};
}

Value first_output(const char* norm, const Numbers& x, const Convention& convention = {}) {
  return output(norm, x, convention).front();
}

trace::Trace pass(trace::Mode mode, trace::Running running, const Numbers& x) {
  trace::Request request;
  request.norm = norm::find("batchnorm");
  request.mode = mode;
  request.running = std::move(running);
  request.input = {{x.size(), 1}, x, std::vector<std::string>(x.size(), "x"), true};
  return trace::run(std::move(request));
}

}  // namespace

Evidences scores_sharpen() {
  Evidences result;
  // Sharper: more for the largest weight. The gradient: p(1 − p) of every score.
  const auto look = [&](std::string what, const Values& scores, bool within) {
    const auto weights_and_slopes = [&](const Rational& times) {
      const Values p = trace::softmax(norm::each<Value>(scores, [&](const Value& s) { return s * Value(times); }));
      return std::pair{p, norm::each<Value>(p, [](const Value& p_i) { return p_i * (Value(1) - p_i); })};
    };
    const auto [before, slopes] = weights_and_slopes(1);
    const auto [after, slopes_after] = weights_and_slopes(4);
    const bool all_equal = std::ranges::all_of(scores, [&](const Value& s) { return proved_equal(s, scores.front()); });
    const bool sharper = !all_equal && compare(before[0], after[0]) < 0 && compare(slopes[0], slopes_after[0]) != 0;
    result.push_back(weigh(sharper, std::move(what), {before[0], after[0], slopes[0], slopes_after[0]}, within));
  };
  const std::string symbols = ", q = softmax(4s): p₁, q₁, p₁(1-p₁), q₁(1-q₁)";
  look("s = [0.5, 0]" + symbols, {Rational(1, 2), 0}, true);
  look("s = [1, 0]" + symbols, {1, 0}, true);
  look("s = [1.5, 0]" + symbols, {Rational(3, 2), 0}, true);
  look("s = [2, 0]" + symbols, {2, 0}, true);
  look("s = [2, 2, 0]" + symbols, {2, 2, 0}, true);
  look("s = [0.5, 0, 0, 0, 0, 0, 0, 0]" + symbols, {Rational(1, 2), 0, 0, 0, 0, 0, 0, 0}, true);
  for (Evidence& one : result)
    if (compare(one.values[2], one.values[3]) < 0) one.remark = "evidence.slope_grows";
  look("s = [0, 0]" + symbols, {0, 0}, false);
  return result;
}

Evidences affine_restores() {
  Evidences result;
  for (const auto& [gamma, beta] : {std::pair{Rational(2), Rational(5)}, {Rational(1, 2), Rational(1)}}) {
    Convention convention;
    convention.gamma = {gamma};
    convention.beta = {beta};
    const Values y = output("batchnorm", {1, 3}, convention);
    const bool as_chosen = proved_equal(mean_of(y), beta) && proved_equal((y[1] - y[0]) / Value(2), gamma);
    result.push_back(weigh(as_chosen,
                           "BN([1, 3]), γ = " + to_exact_text(gamma, 3, exact::PowerOfTen::superscript) +
                               ", β = " + to_exact_text(beta, 3, exact::PowerOfTen::superscript),
                           y));
  }
  return result;
}

namespace {

// What scale and shift leave unchanged, with ε = 0 and a > 0, and what they do not.
Evidences invariance(const char* norm, const std::string& name, const std::string& vector, const Numbers& x) {
  const Values before = output(norm, x);
  const auto look = [&](std::string what, const Numbers& changed, const Convention& convention, bool within) {
    const Values after = output(norm, changed, convention);
    return weigh(equal(before, after), std::move(what), after, within);
  };
  const Convention eps = with_eps(exact::power_of_ten(-5));
  const auto of = [&](const std::string& argument) { return name + "(" + argument + ")"; };
  return {{of("x") + ", x = " + vector, before, Side::neither},
          look(of("2x+10"), scaled(x, 2, 10), {}, true),
          look(of("0.001x"), scaled(x, Rational(1, 1000)), {}, true),
          look(of("-2x"), scaled(x, -2), {}, false),
          look(of("0.01x") + ", ε = 1e-5", scaled(x, Rational(1, 100)), eps, false),
          look(of("0.001x") + ", ε = 1e-5", scaled(x, Rational(1, 1000)), eps, false)};
}

}  // namespace

Evidences batchnorm_invariance() { return invariance("batchnorm", "BN", "[1, 3, 1, 3]", {1, 3, 1, 3}); }
Evidences layernorm_invariance() { return invariance("layernorm", "LN", "[1, 2, 3]", {1, 2, 3}); }

Evidences batch_couples() {
  Evidences result;
  struct Change {
    const char* what;
    Numbers batch;
    std::size_t changed;  // which sample becomes 5
  };
  const Change changes[] = {{"[1, 3, 1, 3], x₂ = 5: x̂₁", {1, 3, 1, 3}, 1},
                            {"[1, 3, 0, 0, 1, 1], x₂ = 5: x̂₁", {1, 3, 0, 0, 1, 1}, 1},
                            {"[1, 3, 1, 1, 3, 3], x₂ = 5: x̂₁", {1, 3, 1, 1, 3, 3}, 1},
                            {"[1, 3, 3, 3, 4, 4], x₂ = 5: x̂₁", {1, 3, 3, 3, 4, 4}, 1},
                            {"[0, 0, 3], x₃ = 5: x̂₁", {0, 0, 3}, 2},
                            {"[1, 3], x₂ = 5: x̂₁", {1, 3}, 1}};
  for (const Change& change : changes) {
    Numbers after = change.batch;
    after[change.changed] = 5;
    const Values before_all = output("batchnorm", change.batch);
    const Values after_all = output("batchnorm", after);
    bool moved = false;
    bool others_equal = true;
    std::optional<Rational> other;
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (i == change.changed) continue;
      moved = moved || !proved_equal(before_all[i], after_all[i]);
      others_equal = others_equal && (!other || *other == after[i]);
      other = after[i];
    }
    result.push_back(weigh(moved, change.what, {before_all[0], after_all[0]}, !others_equal));
  }
  return result;
}

Evidences layernorm_token() {
  const Numbers x = {1, 2, 3};
  const trace::Trace small = traced("layernorm", x);
  const trace::Trace large = traced("layernorm", scaled(x, 2, 10));
  using norm::StepKind;
  const Value small_mean = small.groups.front().statistic(StepKind::mean);
  const Value large_mean = large.groups.front().statistic(StepKind::mean);
  const Value small_std = small.groups.front().divisor();
  const Value large_std = large.groups.front().divisor();
  return {weigh(proved_equal(large_mean, 14) && proved_equal(large_mean, Value(2) * small_mean + Value(10)),
                "μ(x), μ(2x+10), x = [1, 2, 3]", {small_mean, large_mean}),
          weigh(proved_equal(large_std, Value(2) * small_std), "σ(x), σ(2x+10)", {small_std, large_std}),
          weigh(equal(small.output, large.output), "LN(x)", small.output),
          weigh(equal(small.output, large.output), "LN(2x+10)", large.output)};
}

Evidences tokens_are_independent() {
  Evidences result;
  for (const char* const norm : {"layernorm", "rmsnorm"}) {
    const auto batch = [&](const Rational& other) {
      trace::Request request;
      request.norm = norm::find(norm);
      request.input = {{2, 4}, cat(), {"a", "b"}, true};
      request.input.values.insert(request.input.values.end(), {other, 0, -2, 4});
      const Values all = trace::run(std::move(request)).output;
      return Values(all.begin(), all.begin() + 4);
    };
    const Value gap = largest_gap(batch(2), batch(9));
    const Value alone = largest_gap(batch(2), output(norm, cat()));
    const std::string name(norm::find(norm)->name);
    result.push_back(weigh(gap.is_zero(), "max |Δ" + name + "(猫)|, 吃₁: 2 → 9", {gap}));
    result.push_back(weigh(alone.is_zero(), "max |Δ" + name + "(猫)|, B = 2 → 1", {alone}));
  }
  return result;
}

Evidences rms_times_ten() {
  const Numbers x = {1, -5, 5, 7};
  const trace::Trace one = traced("rmsnorm", x);
  const trace::Trace ten = traced("rmsnorm", scaled(x, 10));
  const Value mean = mean_of(one.output);
  const Value fish_mean = mean_of(output("rmsnorm", fish()));
  const Convention eps = with_eps(exact::power_of_ten(-5));
  const Numbers tiny = scaled(x, Rational(1, 1000));
  const Values with_tiny = output("rmsnorm", tiny, eps);
  return {weigh(proved_equal(ten.groups.front().divisor(), Value(10) * one.groups.front().divisor()),
                "RMS(x), RMS(10x), x = [1, -5, 5, 7]", {one.groups.front().divisor(), ten.groups.front().divisor()}),
          weigh(equal(one.output, ten.output), "RMSNorm(x)", one.output),
          weigh(equal(one.output, ten.output), "RMSNorm(10x)", ten.output),
          weigh(!mean.is_zero(), "μ(RMSNorm(x))", {mean}),
          weigh(!fish_mean.is_zero(), "μ(RMSNorm(鱼))", {fish_mean}, false),
          weigh(equal(with_tiny, one.output), "RMSNorm(0.001x), ε = 1e-5", with_tiny, false)};
}

Evidences norm_parameters_are_few() {
  Evidences result;
  for (const char* const name : {"gpt2", "llama-7b", "llama-65b"}) {
    const trace::Model& model = *trace::find_model(name);
    const std::int64_t norms = model.norms() * model.width;
    const Value share = Rational(100 * norms, model.parameters());
    result.push_back(
        weigh(compare(share, 1) < 0,
              std::string(name) + ": 100·" + std::to_string(norms) + "/" + std::to_string(model.parameters()) + " (%)",
              {share}));
  }
  return result;
}

Evidences parameters_by_width() {
  const auto parameters = [](const char* norm, bool with_beta) {
    trace::Request request = traced(norm, cat()).request;
    const auto count = static_cast<std::int64_t>(tensor::parameter_count(request.input, request.layout()));
    return Value(with_beta ? 2 * count : count);
  };
  const trace::Model& gpt2 = *trace::find_model("gpt2");
  const Value layernorm = parameters("layernorm", true);
  const Value rmsnorm = parameters("rmsnorm", false);
  return {weigh(proved_equal(layernorm, 8) && proved_equal(rmsnorm, 4), "d = 4: LN (γ, β), RMSNorm (γ)",
                {layernorm, rmsnorm}),
          beside("2·768·25, 768·25", {2 * gpt2.width * gpt2.norms(), gpt2.width * gpt2.norms()})};
}

// Training differs from inference where a batch has a part in the result; a token alone and in a batch are the test.
Evidences one_rule_for_both_modes() {
  Evidences result;
  for (const auto& [name, id] : {std::pair{"LN", "layernorm"}, {"RMSNorm", "rmsnorm"}}) {
    trace::Request request;
    request.norm = norm::find(id);
    request.input = {{2, 4}, cat(), {"a", "b"}, true};
    request.input.values.insert(request.input.values.end(), eats().begin(), eats().end());
    const Values both = trace::run(std::move(request)).output;
    const Value gap = largest_gap({both.begin(), both.begin() + 4}, output(id, cat()));
    result.push_back(weigh(gap.is_zero(), std::string("max |Δ") + name + "(猫)|, B = 2 → 1", {gap}));
  }
  const trace::Trace training = pass(trace::Mode::training, {}, {1, 3});
  result.push_back(beside("BN([1, 3])", training.output));
  result.push_back(beside("label.inference_after_one", pass(trace::Mode::inference, training.running, {1, 3}).output));
  return result;
}

Evidences same_asymptotics() {
  Evidences result;
  constexpr std::int64_t n = 1000;
  for (const auto& [name, each] : {std::pair{"BN", trace::layernorm_operations(true)},
                                   {"LN", trace::layernorm_operations(true)},
                                   {"RMSNorm", trace::rmsnorm_operations(true)}}) {
    const Value growth = Rational(each * 2 * n, each * n);
    result.push_back(weigh(proved_equal(growth, 2), std::string(name) + ": ops(2N)/ops(N)", {growth}));
  }
  return result;
}

Evidences model_operations() {
  const trace::Model& model = *trace::find_model("llama-7b");
  const std::int64_t layernorm = 2 * trace::layernorm_operations(true) * model.width;
  const std::int64_t rmsnorm = 2 * trace::rmsnorm_operations(true) * model.width;
  const Value saved = Rational(100 * (layernorm - rmsnorm), layernorm);
  const Value whole = model.layer_saved_percent();
  return {weigh(saved.sign() > 0, "100·(7d-4d)/7d (%)", {saved}),
          weigh(compare(whole, 1) < 0, "LLaMA-7B: 100·(57344-32768)/(404750336+57344) (%)", {whole})};
}

Evidences identity_path() {
  Evidences result;
  for (const Rational& a : {Rational(1, 2), Rational(4, 5), Rational(2)}) {
    const trace::Residual silent{a, 0, 24};
    const std::string text = to_exact_text(a, 3, exact::PowerOfTen::superscript);
    result.push_back(weigh(silent.pre().is_one(), "A = " + text + ", B = 0: 1+A·B", {Value(silent.pre())}));
    result.push_back(weigh(silent.post() == a, "A = " + text + ", B = 0: A·(1+B)", {Value(silent.post())}));
  }
  return result;
}

Evidences stream_grows() {
  const Value independent = trace::Residual{1, 0, 64}.stream_std();
  // A branch that takes back what the stream holds: x + (−x).
  return {weigh(compare(independent, 1) > 0, "√(1+64)", {independent}),
          weigh(false, "x+(-x)", {Value(0)}, false, "evidence.cancelling_branch")};
}

Evidences first_sample_changes() {
  const Convention eps = with_eps(exact::power_of_ten(-5));
  const Value before = first_output("batchnorm", {1, 3});
  const Value after = first_output("batchnorm", {1, 5});
  const Value four_before = first_output("batchnorm", {1, 3, 1, 3});
  const Value four_after = first_output("batchnorm", {1, 5, 1, 3});
  return {
      weigh(!proved_equal(before, after), "x̂₁: [1, 3], [1, 5]", {before, after}, true, "evidence.reconstructed_batch"),
      {"1+x̂₁, ε = 1e-5: [1, 3], [1, 5]",
       {first_output("batchnorm", {1, 3}, eps) + Value(1), first_output("batchnorm", {1, 5}, eps) + Value(1)},
       Side::neither},
      {"x̂₁: [1, 3, 1, 3], [1, 5, 1, 3]",
       {four_before, four_after},
       proved_equal(four_before, four_after) ? Side::opposes : Side::supports,
       false,
       "evidence.smallest_repair"}};
}

Evidences scores_times_four() {
  Evidences result;
  const auto look = [&](std::string what, const trace::Attention& attention, bool within) {
    const Values before = attention.scores();
    const Values after = attention.scaled(2).scores();
    Values growth;
    for (std::size_t i = 0; i < before.size(); ++i) growth.push_back(after[i] / before[i]);
    // About four: within a tenth of it.
    const bool four =
        std::ranges::all_of(growth, [](const Value& g) { return compare(abs(g - Value(4)), Rational(4, 10)) <= 0; });
    result.push_back(weigh(four, std::move(what), growth, within));
  };
  const std::string vectors = "s(2x)/s(x), q = [1, 2], k = [1, 1], [3, 1]";
  trace::Attention attention{{1, 2}, {{1, 1}, {3, 1}}};
  look(vectors, attention, true);
  attention.query_bias = {1, 0};
  look(vectors + ", b_q = [1, 0]", attention, false);
  attention.key_bias = {0, 1};
  look(vectors + ", b_q = [1, 0], b_k = [0, 1]", attention, false);
  for (Evidence& one : measured("D8")) {
    one.side = Side::opposes;
    one.within = false;
    result.push_back(std::move(one));
  }
  const Values softer = {weight_and_slope(Rational(1, 2), 1)[0], weight_and_slope(Rational(1, 2), 4)[0]};
  result.push_back(beside("s = [0.5, 0], q = softmax(4s): p₁, q₁", softer, "evidence.not_so_sharp"));
  return result;
}

Evidences rms_keeps_signs() {
  const Values x(eats().begin(), eats().end());
  const auto signs_and_ratios = [&](const Values& y) {
    return equal(ratios(y), ratios(x)) && y.front().sign() == x.front().sign();
  };
  Evidences result = {weigh(equal(output("rmsnorm", eats()), output("rmsnorm", scaled(eats(), 10))), "RMSNorm(10·吃)",
                            output("rmsnorm", scaled(eats(), 10))),
                      weigh(signs_and_ratios(output("rmsnorm", eats())), "RMSNorm(吃)ᵢ/RMSNorm(吃)₁",
                            ratios(output("rmsnorm", eats())))};
  const auto look = [&](std::string what, const Convention& convention) {
    const Values y = output("rmsnorm", eats(), convention);
    result.push_back(weigh(signs_and_ratios(y), std::move(what), y, false));
  };
  const auto scale = [&](std::string what, const Rational& a, const Convention& convention) {
    const Values y = output("rmsnorm", scaled(eats(), a), convention);
    result.push_back(weigh(equal(y, output("rmsnorm", eats())), std::move(what), y, false));
  };
  scale("RMSNorm(-10·吃)", -10, {});
  scale("RMSNorm(0.001·吃), ε = 1e-5", Rational(1, 1000), with_eps(exact::power_of_ten(-5)));
  Convention convention;
  convention.gamma = {1, 1, -1, Rational(1, 2)};
  look("RMSNorm(吃), γ = [1, 1, -1, 0.5]", convention);
  convention.gamma = {0, 0, 0, 1};
  convention.gamma_form = norm::GammaForm::one_plus;
  look("RMSNorm(吃), 1+γ = [1, 1, 1, 2]", convention);
  return result;
}

Evidences post_is_weaker() {
  Evidences result;
  // Where |A(1 + B)| < |1 + AB|: the difference of the squares is (1 − A)(1 + A + 2AB).
  const auto look = [&](const std::string& a_text, const std::string& b_text, const Rational& a, const Rational& b) {
    const trace::Residual r{a, b, 24};
    const bool within = a < Rational(1) && (Rational(1) + a + Rational(2) * a * b).sign() > 0;
    result.push_back(weigh(abs(r.post()) < abs(r.pre()),
                           "A = " + a_text + ", B = " + b_text + ": Pre, Post, Pre²⁴, Post²⁴",
                           {Value(r.pre()), Value(r.post()), r.pre_power(), r.post_power()}, within));
  };
  look("0.5", "0.2", Rational(1, 2), Rational(1, 5));
  look("0.5", "0.5", Rational(1, 2), Rational(1, 2));
  look("0.8", "0.2", Rational(4, 5), Rational(1, 5));
  look("2", "0.5", 2, Rational(1, 2));
  look("0.5", "-3", Rational(1, 2), -3);
  look("-1.5", "2", Rational(-3, 2), 2);
  look("0.5", "-1.5", Rational(1, 2), Rational(-3, 2));
  const trace::Residual negative{Rational(1, 2), Rational(-1, 5), 1};
  result.push_back(beside("A = 0.5, B = -0.2: Pre", {Value(negative.pre())}, "evidence.pre_below_one"));
  result.push_back(beside("1.1⁹⁶", {power(Value(Rational(11, 10)), 96)}, "evidence.pre_explodes"));
  for (const char* const norm : {"rmsnorm", "layernorm"}) {
    const trace::Trace forward = traced(norm, cat());
    result.push_back(beside(norm == std::string_view("rmsnorm") ? "σ(J_RMSNorm), 猫" : "σ(J_LN), 猫",
                            trace::singular_values(forward, forward.groups.front()), "evidence.null_directions"));
  }
  return result;
}

Evidences training_and_inference() {
  const trace::Trace training = pass(trace::Mode::training, {}, {1, 3});
  const Values once = pass(trace::Mode::inference, training.running, {1, 3}).output;
  trace::Running converged;
  converged.mean = {2};
  converged.variance = {2};
  const Values always = pass(trace::Mode::inference, converged, {1, 3}).output;
  return {
      {"BN([1, 3]), train", training.output, Side::neither},
      weigh(!equal(once, training.output), "BN([1, 3]), eval, m = 0.1", once, true, "evidence.after_one_step"),
      weigh(!equal(always, training.output), "BN([1, 3]), eval, μᵣ = 2, σᵣ² = 2", always, true, "evidence.converged")};
}

Evidences row_of_scales() {
  const trace::Geometry small = trace::geometry({cat().begin(), cat().end()});
  const Numbers ten = scaled(cat(), 10);
  const trace::Geometry large = trace::geometry({ten.begin(), ten.end()});
  const Value variance = sum_of_squares(large.projection) / sum_of_squares(small.projection);
  const Value rms = trace::length(large.x) / trace::length(small.x);
  return {weigh(proved_equal(variance, rms), "σ²(10x)/σ²(x), RMS(10x)/RMS(x), x = 猫", {variance, rms}, true,
                "evidence.square_and_root"),
          {"σ(10x)/σ(x), RMS(10x)/RMS(x)", {sqrt(variance), rms}, Side::neither},
          {"σ²(10x)/σ²(x), RMS²(10x)/RMS²(x)", {variance, rms * rms}, Side::neither}};
}

Evidences lighter() {
  const Value layernorm = trace::layernorm_operations(true);
  const Value rmsnorm = trace::rmsnorm_operations(true);
  Evidences result = {weigh(compare(rmsnorm, layernorm) < 0, "ops/d: LN, RMSNorm", {layernorm, rmsnorm})};
  // Times are no count of operations. A range speaks for one side only if all of it does.
  for (Evidence& one : measured("D14")) {
    if (compare(one.values.front(), 1) > 0) one.side = Side::supports;
    if (compare(one.values.back(), 1) < 0) one.side = Side::opposes;
    one.within = false;
    result.push_back(std::move(one));
  }
  return result;
}

Evidences lost_softmax_pair() {
  Evidences result;
  for (const std::int64_t d : {1, 2}) {
    Values values = weight_and_slope(d, 1);
    values.push_back(weight_and_slope(d, 4)[0]);
    result.push_back(beside("s = [" + std::to_string(d) + ", 0], q = softmax(4s): p₁, p₁(1-p₁), q₁", values,
                            "evidence.reconstruction"));
  }
  return result;
}

Evidences lost_affine() {
  Evidences result = affine_restores();
  for (Evidence& one : result) {
    one.side = Side::neither;
    one.remark = "evidence.reconstruction";
  }
  return result;
}

namespace {

// n·Σx² − (Σx)² = n²·σ²: whole, so nothing is rounded.
std::int64_t squared_deviations(const std::vector<std::int64_t>& x) {
  std::int64_t total = 0;
  std::int64_t squares = 0;
  for (const std::int64_t x_i : x) {
    total += x_i;
    squares += x_i * x_i;
  }
  return static_cast<std::int64_t>(x.size()) * squares - total * total;
}

}  // namespace

// How many batches of 2 to 9 whole numbers from −2 to 6 begin with 1 and 3 and have the standard deviation 1.
Evidences lost_batch() {
  Values counts;
  for (std::size_t m = 2; m <= 9; ++m) {
    std::int64_t found = 0;
    each_multiset({1, 3}, m - 2, -2, 6, [&](const std::vector<std::int64_t>& x) {
      found += squared_deviations(x) == static_cast<std::int64_t>(m * m) ? 1 : 0;
    });
    counts.emplace_back(found);
  }
  Convention by_n1;
  by_n1.divisor = norm::Divisor::n_minus_one;
  return {{"label.count_batches", counts, Side::neither, true, "evidence.batches"},
          {"x̂₁, n-1: [1, 3, 2], [1, 5, 2]",
           {first_output("batchnorm", {1, 3, 2}, by_n1), first_output("batchnorm", {1, 5, 2}, by_n1)},
           Side::neither}};
}

// How many tokens of 1 to 8 whole numbers from −3 to 7 have the mean 2 and the variance 2/3.
Evidences lost_token() {
  Values counts;
  for (std::int64_t d = 1; d <= 8; ++d) {
    std::int64_t found = 0;
    each_multiset({}, static_cast<std::size_t>(d), -3, 7, [&](const std::vector<std::int64_t>& x) {
      const std::int64_t total = std::accumulate(x.begin(), x.end(), std::int64_t{0});
      found += total == 2 * d && 3 * squared_deviations(x) == 2 * d * d ? 1 : 0;
    });
    counts.emplace_back(found);
  }
  const auto std_by_n1 = [](const Numbers& x) {
    Convention convention;
    convention.divisor = norm::Divisor::n_minus_one;
    return traced("layernorm", x, convention).groups.front().divisor();
  };
  return {{"label.count_tokens", counts, Side::neither, true, "evidence.tokens"},
          {"σ, n-1: [1, 2, 3], [12, 14, 16]",
           {std_by_n1({1, 2, 3}), std_by_n1({12, 14, 16})},
           Side::neither,
           true,
           "evidence.divides_by_n"}};
}

Evidences lost_four_numbers() {
  Values counts;
  for (std::int64_t rms = 1; rms <= 9; ++rms) counts.emplace_back(static_cast<std::int64_t>(sets_with_rms(rms).size()));
  Evidences result = {beside("label.count_sets", counts, "evidence.whole_rms")};
  const std::pair<const char*, Numbers> candidates[] = {{"RMS([1, 1, 3, 5])", {1, 1, 3, 5}},
                                                        {"RMS([1, -5, 5, 7])", {1, -5, 5, 7}},
                                                        {"RMS([2, 8, 8, 8])", {2, 8, 8, 8}},
                                                        {"RMS([1, 2, 3, 4])", cat()}};
  for (const auto& [what, x] : candidates)
    result.push_back(
        {what, {traced("rmsnorm", x).groups.front().divisor()}, Side::neither, true, "evidence.reconstruction"});
  return result;
}

Evidences lost_jacobians() {
  Evidences result;
  for (Evidence one : post_is_weaker()) {
    if (result.size() == 3) break;
    one.side = Side::neither;
    one.remark = "evidence.reconstruction";
    result.push_back(std::move(one));
  }
  return result;
}

Evidences lost_figures() { return {beside("1, 2, 3", {}, "evidence.figures")}; }

}  // namespace normtrace::classroom
