#include <algorithm>
#include <array>
#include <string_view>

#include "classroom/claims/evidence.h"
#include "exact/decimal.h"
#include "norm/presets.h"
#include "trace/geometry.h"
#include "trace/gradient.h"
#include "trace/parameters.h"

// The third article: LayerNorm against RMSNorm, with code.
namespace normtrace::classroom {

namespace {

using norm::Convention;

const Rational article_eps = Rational(1, 100000);

Convention machine(const exact::Format& dtype, norm::CastOrder cast = norm::CastOrder::none) {
  Convention convention = with_eps(article_eps);
  convention.machine.dtype = &dtype;
  convention.machine.cast = cast;
  return convention;
}

Convention weighted(Numbers gamma, Numbers beta = {}) {
  Convention convention;
  convention.gamma = std::move(gamma);
  convention.beta = std::move(beta);
  return convention;
}

trace::Gradient gradient_of_sum(const char* norm, const Numbers& x) {
  return trace::backward(traced(norm, x), Values(x.size(), 1));
}

Values hybrid(const Numbers& x, const Rational& alpha) {
  trace::Request request;
  request.norm = norm::find("hybridnorm");
  request.options.alpha = alpha;
  request.input = {{x.size()}, x, {"x"}, true};
  return trace::run(std::move(request)).output;
}

// The output of AdaptiveRMSNorm, and its factor.
struct Adaptive {
  Values output;
  Value factor;
};
Adaptive adaptive(const Numbers& x, const Rational& alpha = 1) {
  trace::Request request;
  request.norm = norm::find("adaptivermsnorm");
  request.options.alpha = alpha;
  request.input = {{x.size()}, x, {"x"}, true};
  const trace::Trace trace = trace::run(std::move(request));
  return {trace.output, trace.groups.front().statistic(norm::StepKind::factor)};
}

bool nearly(const Value& x, const Value& y, const Rational& tolerance) {
  if (x.is_undefined()) return false;
  const Value difference = x - y;  // an enclosed 0 has no sign that could be proved
  return compare(difference, tolerance) < 0 && compare(difference, -tolerance) > 0;
}

}  // namespace

Evidences manual_layernorm() {
  const Values exact = output("layernorm", cat(), with_eps(article_eps));
  const Value by_machine = largest_gap(exact, machine_output("layernorm", cat(), machine(exact::float32)));
  Convention unbiased = with_eps(article_eps);
  unbiased.divisor = norm::Divisor::n_minus_one;
  const Value by_n1 = largest_gap(exact, output("layernorm", cat(), unbiased));
  const Rational visible = exact::power_of_ten(-6);
  Evidences result = {weigh(compare(by_machine, visible) < 0, "max |float32-exact|, LN(猫), ε = 1e-5", {by_machine}),
                      weigh(compare(by_n1, visible) < 0, "max |LN(猫)-LN(猫) by n-1|, ε = 1e-5", {by_n1}, false),
                      beside("LN(猫) by n-1, ε = 1e-5", output("layernorm", cat(), unbiased))};
  std::ranges::move(measured("E1"), std::back_inserter(result));
  return result;
}

// ‖x̂‖² = d·v/(v+ε) for both, v being the variance or the mean square; of N(0, 1) both are 1.
Evidences output_norms() {
  const Value norm = sqrt(Value(512) / (Value(1) + Value(article_eps)));
  const Value root = sqrt(Value(512));
  Evidences result = {weigh(nearly(norm, root, exact::power_of_ten(-3)), "√(512/(1+1e-5)), √512", {norm, root}),
                      beside("√512-√(512/(1+1e-5))", {root - norm})};
  std::ranges::move(measured("E2"), std::back_inserter(result));
  return result;
}

Evidences swiglu_rule() {
  Evidences result;
  struct Known {
    std::int64_t width;
    std::int64_t inner;  // as the authors of LLaMA use it
  };
  for (const Known& known : {Known{4096, 11008}, Known{5120, 13824}, Known{6656, 17920}, Known{8192, 22016}}) {
    const trace::SwigluWidth width = trace::swiglu_width(known.width, 256);
    result.push_back(weigh(width.rounded == known.inner, "d = " + std::to_string(known.width) + ": 4d, ⌊8d/3⌋, ×256",
                           {width.plain, width.reduced, width.rounded}));
  }
  const trace::SwigluWidth small = trace::swiglu_width(512, 256);
  result.push_back({"d = 512: 4d, ⌊8d/3⌋, ×256", {small.plain, small.reduced, small.rounded}, Side::neither});
  return result;
}

Evidences weight_gradient() {
  Evidences result;
  const std::pair<const char*, Numbers> tokens[] = {{"猫", cat()}, {"吃", eats()}, {"鱼", fish()}};
  for (const auto& [name, x] : tokens) {
    const Values gamma = gradient_of_sum("rmsnorm", x).gamma;
    result.push_back(weigh(equal(gamma, output("rmsnorm", x)), "dγ, " + std::string(name), gamma));
  }
  return result;
}

Evidences no_input_gradient() {
  Evidences result;
  // dx is 0 where γ is a multiple of x, or for LayerNorm made of x and all ones.
  const auto look = [&](const char* norm, std::string what, const Numbers& x, const Numbers& gamma, bool within) {
    const trace::Trace forward = traced(norm, x, weighted(gamma));
    const Value length = trace::length(trace::backward(forward, Values(x.size(), 1)).input);
    result.push_back(weigh(!length.is_zero(), "‖dx‖, " + std::move(what), {length}, within));
  };
  const std::pair<std::string, Numbers> tokens[] = {{"猫", cat()}, {"吃", eats()}, {"鱼", fish()}};
  for (const auto& [name, x] : tokens) look("rmsnorm", "RMSNorm(" + name + ")", x, {}, true);
  look("layernorm", "LN(猫), γ = [1, 2, 1, 0.5]", cat(), {1, 2, 1, Rational(1, 2)}, true);
  for (const auto& [name, x] : tokens) look("layernorm", "LN(" + name + ")", x, {}, false);
  look("rmsnorm", "RMSNorm([2, 2, 2])", {2, 2, 2}, {}, false);
  return result;
}

Evidences bias_variant() {
  const Values plain = output("rmsnorm", cat());
  const Values biased = output("rmsnorm", cat(), weighted({}, Numbers(4, Rational(1, 2))));
  Values difference;
  for (std::size_t i = 0; i < 4; ++i) difference.push_back(biased[i] - plain[i]);
  return {weigh(equal(difference, Values(4, Rational(1, 2))), "RMSNorm(猫)+0.5", biased),
          {"‖RMSNorm(猫)+0.5‖", {trace::length(biased)}, Side::neither}};
}

Evidences proposed_by() {
  // Root Mean Square Layer Normalization, arXiv:1910.07467.
  constexpr std::array<std::string_view, 2> authors = {"Biao Zhang", "Rico Sennrich"};
  const bool among_them = std::ranges::find(authors, "Lei Mao") != authors.end();
  return {weigh(among_them, "arXiv:1910.07467", {}, true, "evidence.paper")};
}

// What "the computation" counts is not said, and every count has its own percentage.
Evidences fewer_operations() {
  const auto saved = [](std::int64_t before, std::int64_t after) {
    return Value(Rational(100 * (before - after), before));
  };
  const std::int64_t affine = trace::layernorm_operations(true);
  const std::int64_t bare = trace::layernorm_operations(false);
  const trace::Model& model = *trace::find_model("llama-7b");
  return {beside("100·(7-4)/7 (%)", {saved(affine, trace::rmsnorm_operations(true))}, "evidence.counted_all"),
          beside("100·(5-3)/5 (%)", {saved(bare, trace::rmsnorm_operations(false))}, "evidence.counted_bare"),
          beside("100·(7-6)/7 (%)", {saved(affine, affine - 1)}, "evidence.counted_mean"),
          beside("100·(5-4)/5 (%)", {saved(bare, bare - 1)}, "evidence.counted_mean_bare"),
          beside("100·24576/(404750336+57344) (%)", {model.layer_saved_percent()}, "evidence.counted_model")};
}

Evidences trouble_at_mean_zero() {
  const Values right = output("layernorm", fish());
  const Values by_machine = machine_output("layernorm", fish(), machine(exact::float32));
  const Value gap = largest_gap(output("layernorm", fish(), with_eps(article_eps)), by_machine);
  Convention one_pass = machine(exact::float32);
  one_pass.eps = 0;
  one_pass.variance = norm::VarianceMethod::one_pass;
  const trace::Trace large_mean = traced("layernorm", {10001, 10002, 10003, 10004}, one_pass);
  const double variance = large_mean.groups.front().find(norm::StepKind::variance)->machine.front();
  const Values close = output("layernorm", {3, 3, 3, Rational(3001, 1000)}, with_eps(article_eps));
  // Trouble would be an error beyond what float32 always has.
  return {weigh(compare(gap, exact::power_of_ten(-6)) > 0, "max |float32-exact|, LN(鱼), ε = 1e-5", {gap}),
          {"LN(鱼)", right, Side::neither},
          {"LN([3, 3, 3, 3.001]), ε = 1e-5", close, Side::neither, true, "evidence.small_variance"},
          {"mean(x²)-μ², float32, x = [10001, 10002, 10003, 10004]",
           {Value(exact::exact_value(variance))},
           Side::neither,
           true,
           "evidence.large_mean"}};
}

Evidences keeps_distances() {
  Evidences result;
  const auto look = [&](const std::string& names, const Numbers& x, const Numbers& y) {
    const Values a(x.begin(), x.end());
    const Values b(y.begin(), y.end());
    const Values after_a = output("rmsnorm", x);
    const Values after_b = output("rmsnorm", y);
    const Value before = trace::distance(a, b);
    const Value after = trace::distance(after_a, after_b);
    result.push_back(weigh(proved_equal(before, after), "d(" + names + "), d(RMSNorm)", {before, after}));
    result.push_back(
        {"cos(" + names + "), cos(RMSNorm)", {trace::cosine(a, b), trace::cosine(after_a, after_b)}, Side::neither});
  };
  look("[1, 2, 3, 4], [2, 4, 6, 8]", cat(), scaled(cat(), 2));
  look("猫, 吃", cat(), eats());
  look("猫, 鱼", cat(), fish());
  return result;
}

Evidences suits_relu() {
  const Numbers before = {1, -2, 3, -4};
  const Numbers relu = {1, 0, 3, 0};
  const auto degrees = [](const Numbers& x) {
    return degrees_of_cosine(trace::cosine(output("layernorm", x), output("rmsnorm", x)));
  };
  // Of N(0, 1): μ = 0. Of relu(N(0, 1)): μ = 1/√(2π), mean square 1/2.
  const exact::Real pi = exact::Real::rational(4) * arctan(exact::Real::rational(1));
  const Value relative_mean = Value(1) / sqrt(Value(pi));
  return {weigh(compare(degrees(relu), degrees(before)) <= 0, "∠(LN, RMSNorm)°: x, relu(x), x = [1, -2, 3, -4]",
                {degrees(before), degrees(relu)}, true, "evidence.relu_matters_more"),
          weigh(compare(relative_mean, 0) <= 0, "μ/RMS: N(0, 1), relu(N(0, 1))", {0, relative_mean}),
          beside("LN([1, 0, 3, 0])", output("layernorm", relu)),
          beside("RMSNorm([1, 0, 3, 0])", output("rmsnorm", relu)), beside("SiLU", {}, "evidence.silu")};
}

Evidences stable_variant() {
  const Numbers large = {256, 0, 0, 0};
  const Numbers small = {Rational(1, 10000), 0, 0, 0};
  const Values right = output("rmsnorm", large, with_eps(article_eps));
  const Values half = machine_output("rmsnorm", large, machine(exact::float16));
  const Values widened = machine_output("rmsnorm", large, machine(exact::float16, norm::CastOrder::llama));
  const double square = round_to(exact::float16, Rational(1, 100000000));
  const Value limit = sqrt(Value(exact::exact_value(exact::float16.largest())));
  // The factor of the gradient is at most 1/√ε, in both alike: that of x = 0.
  const trace::Trace origin = traced("rmsnorm", {0, 0, 0, 0}, with_eps(article_eps));
  const Value steepest = trace::singular_values(origin, origin.groups.front()).front();
  return {
      weigh(largest_gap(half, right).sign() == 0 || nearly(half[0], right[0], Rational(1, 100)),
            "float16: RMSNorm([256, 0, 0, 0]), ε = 1e-5", half, true, "evidence.overflow"),
      weigh(compare(steepest, 1) <= 0, "σ(J), x = 0, ε = 1e-5", {steepest}, true, "evidence.gradient_not_bounded"),
      beside("2-RMSNorm([256, 0, 0, 0])₁, ε = 1e-5", {Value(2) - right.front()}),
      beside("float32 → float16: RMSNorm([256, 0, 0, 0]), ε = 1e-5", widened),
      beside("float16: 0.0001²", {Value(exact::exact_value(square))}, "evidence.underflow"),
      beside("√65504", {limit}, "evidence.largest_x"),
      beside("float16: RMSNorm([1e-4, 0, 0, 0]), ε = 1e-5", machine_output("rmsnorm", small, machine(exact::float16)))};
}

Evidences memory_measured() {
  // What the script would divide: tensors live on the processor, so the peak of the graphics card is 0 for both.
  const Value layer_peak = 0;
  const Value rms_peak = 0;
  const Value saved = (layer_peak - rms_peak) / layer_peak;
  return {weigh(!saved.is_undefined(), "100·(0-0)/0", {saved}, true, "evidence.no_cuda_memory")};
}

Evidences timing_loop() {
  constexpr std::int64_t warm_up = 0;
  constexpr std::int64_t synchronizations = 0;
  Evidences result = {weigh(warm_up > 0, "label.warm_up", {warm_up}),
                      weigh(synchronizations > 0, "label.synchronizations", {synchronizations}, true,
                            "evidence.kernel_against_python")};
  std::ranges::move(measured("D14"), std::back_inserter(result));
  return result;
}

// Labels are noise: nothing can be learnt of them, and a model that always says 0 has a mean square error of 1.
Evidences stability_experiment() {
  Evidences result = measured("D28");
  for (Evidence& one : result) {
    if (one.what != "label.test_loss") continue;
    one.side = compare(one.values.front(), 1) < 0 ? Side::supports : Side::opposes;
    one.remark = "evidence.noise_learnt";
  }
  result.push_back(beside("label.loss_of_zero", {1}));
  return result;
}

Evidences llama_block() {
  const auto twice = [](const Numbers& gamma) {
    const Values once = output("rmsnorm", cat(), weighted(gamma));
    const Value mean_square = sum_of_squares(once) / Value(4);
    Values result;
    for (std::size_t i = 0; i < 4; ++i) result.push_back(once[i] / sqrt(mean_square) * Value(gamma[i]));
    return std::pair{once, result};
  };
  const auto [once, again] = twice({2, 1, 1, Rational(1, 2)});
  const auto [plain, plain_again] = twice({1, 1, 1, 1});
  return {weigh(nearly(largest_gap(once, again), 0, exact::power_of_ten(-6)), "RMSNorm(猫), γ = [2, 1, 1, 0.5]", once),
          {"RMSNorm(RMSNorm(猫)), γ = [2, 1, 1, 0.5]", again, Side::neither, true, "evidence.normalized_twice"},
          weigh(equal(plain, plain_again), "RMSNorm(RMSNorm(猫)), γ = 1", plain_again),
          beside("LLaMAAttention", {}, "evidence.block_slips")};
}

Evidences copy_gamma() {
  const Numbers gamma = {1, 2, 1, Rational(1, 2)};
  const Numbers beta = {Rational(1, 10), Rational(2, 10), Rational(3, 10), Rational(4, 10)};
  const Numbers centred = scaled(cat(), 1, Rational(-5, 2));
  const Values layernorm = output("layernorm", cat(), weighted(gamma, beta));
  const Values copied = output("rmsnorm", cat(), weighted(gamma));
  const Values kept = output("rmsnorm", centred, weighted(gamma, beta));
  return {{"LN(猫), γ = [1, 2, 1, 0.5], β = [0.1, 0.2, 0.3, 0.4]", layernorm, Side::neither},
          weigh(equal(layernorm, kept), "RMSNorm(猫-μ)·γ+β", kept),
          weigh(equal(layernorm, copied), "RMSNorm(猫)·γ", copied, false)};
}

Evidences hybrid_is_smooth() {
  const Values half = hybrid(cat(), Rational(1, 2));
  const Values layernorm = output("layernorm", cat());
  const Values rmsnorm = output("rmsnorm", cat());
  Values middle;
  for (std::size_t i = 0; i < half.size(); ++i) middle.push_back(half[i] - (layernorm[i] + rmsnorm[i]) / Value(2));
  const auto zero = [](const Value& x) { return nearly(x, 0, exact::power_of_ten(-6)); };
  Evidences result = {
      weigh(equal(hybrid(cat(), 0), layernorm), "α = 0: y-LN(猫)", {largest_gap(hybrid(cat(), 0), layernorm)}),
      weigh(equal(hybrid(cat(), 1), rmsnorm), "α = 1: y-RMSNorm(猫)", {largest_gap(hybrid(cat(), 1), rmsnorm)}),
      weigh(std::ranges::all_of(middle, zero), "α = 0.5: y, 猫", half, true, "evidence.halfway")};
  const auto look = [&](const std::string& name, const Numbers& x, bool within) {
    const Value length = trace::length(hybrid(x, Rational(1, 2)));
    result.push_back(
        weigh(!length.is_undefined() && proved_equal(length, 2), "α = 0.5: ‖y‖, " + name, {length}, within));
  };
  look("鱼", fish(), true);
  look("猫", cat(), false);
  look("吃", eats(), false);
  result.push_back(beside("HybridNorm", {}, "evidence.other_hybrid"));
  return result;
}

Evidences running_rms() {
  Numbers all = cat();
  for (const Numbers& x : {eats(), fish()}) all.insert(all.end(), x.begin(), x.end());
  const Value rms = sqrt(sum_of_squares({all.begin(), all.end()}) / Value(12));
  const Value momentum = Rational(1, 10);
  const auto close = [&](const Value& running) { return compare(abs(running / rms - Value(1)), Rational(1, 100)) < 0; };
  Values first;
  Value running = 1;
  std::int64_t steps = 0;
  while (!close(running)) {
    running = norm::updated<Value>(running, rms, momentum);
    if (++steps <= 5) first.push_back(running);
  }
  Evidences result = {{"RMS, 3×4", {rms}, Side::neither},
                      weigh(close(running), "RMSᵣ, k = 38", {running}),
                      beside("label.steps_to_one_percent", {steps}),
                      weigh(close(first.back()), "RMSᵣ, k = 1…5", first, false, "evidence.start_not_corrected")};
  const std::pair<const char*, Numbers> tokens[] = {{"猫", cat()}, {"吃", eats()}, {"鱼", fish()}};
  for (const auto& [name, x] : tokens) {
    const Value own = traced("rmsnorm", x).groups.front().divisor();
    result.push_back(weigh(compare(abs(running / own - Value(1)), Rational(1, 100)) < 0,
                           "RMS(" + std::string(name) + ")", {own}, false));
  }
  result.push_back(beside("eval()", {}, "evidence.updates_in_eval"));
  return result;
}

Evidences adaptive_strength() {
  const Numbers ten_cats = scaled(cat(), 10);
  const Adaptive one = adaptive(cat());
  Evidences result;
  // Whether two inputs get two strengths.
  const auto look = [&](std::string what, const Value& x, const Value& y, bool within, std::string remark = {}) {
    result.push_back(weigh(!nearly(x, y, exact::power_of_ten(-6)), std::move(what), {x, y}, within, std::move(remark)));
  };
  look("f(猫), f(吃)", one.factor, adaptive(eats()).factor, true);
  look("f(吃), f(鱼)", adaptive(eats()).factor, adaptive(fish()).factor, true);
  look("1-f(猫), 1-f(10·猫)", Value(1) - one.factor, Value(1) - adaptive(ten_cats).factor, true,
       "evidence.scale_returns");
  look("f([3, 3, 3, 3]), f([5, 5, 5, 5])", adaptive({3, 3, 3, 3}).factor, adaptive({5, 5, 5, 5}).factor, false);
  look("α = 0: f(猫), f(10·猫)", adaptive(cat(), 0).factor, adaptive(ten_cats, 0).factor, false);
  result.push_back(beside("y(猫)", one.output, "evidence.never_identity"));
  return result;
}

Evidences general_form() {
  const auto standard = [](const Numbers& x) {
    const trace::Geometry g = trace::geometry({x.begin(), x.end()});
    const Value sigma = trace::length(g.projection) / sqrt(Value(static_cast<std::int64_t>(x.size())));
    Values result;
    for (const Value& deviation : g.projection) result.push_back(deviation / sigma);
    return result;
  };
  const Values general = standard(cat());
  return {{"(x-μ)/σ, 猫", general, Side::neither},
          weigh(equal(output("batchnorm", cat()), general), "BN, 猫", output("batchnorm", cat())),
          weigh(equal(output("layernorm", cat()), general), "LN(猫)", output("layernorm", cat())),
          weigh(equal(output("rmsnorm", cat()), general), "RMSNorm(猫)", output("rmsnorm", cat()))};
}

Evidences covariate_shift() { return {beside("arXiv:1805.11604", {}, "evidence.disputed")}; }

Evidences half_precision() {
  const Numbers x = {256, 0, 0, 0};
  const Value right = output("rmsnorm", x, with_eps(article_eps)).front();
  const Value widened = machine_output("rmsnorm", x, machine(exact::float16, norm::CastOrder::llama)).front();
  const Value pure = machine_output("rmsnorm", x, machine(exact::float16)).front();
  const Rational one_percent(1, 100);
  return {
      beside("2-RMSNorm([256, 0, 0, 0])₁, ε = 1e-5", {Value(2) - right}),
      weigh(nearly(widened, right, one_percent), "float32 → float16: RMSNorm([256, 0, 0, 0])₁, ε = 1e-5", {widened}),
      weigh(nearly(pure, right, one_percent), "float16: RMSNorm([256, 0, 0, 0])₁, ε = 1e-5", {pure}, false),
      beside("PyTorch, LeetCUDA", {}, "evidence.upcast_references")};
}

Evidences llama_eps() {
  Evidences result;
  for (const auto& [name, within] : {std::pair{"llama2", true}, {"llama1", false}}) {
    const norm::Framework& model = *norm::find_framework(name);
    const Rational eps = eps_of(*norm::find_preset(model, *norm::find("rmsnorm")), nullptr);
    result.push_back(weigh(eps == article_eps, std::string(model.name) + ": ε", {Value(eps)}, within));
  }
  const Numbers x = {1, 0, 0, 0};
  Convention added = with_eps(article_eps);
  added.eps_place = norm::EpsPlace::added_to_root;
  result.push_back({"2-RMSNorm([1, 0, 0, 0])₁: ε = 0, √(ms+1e-5), RMS+1e-5",
                    {Value(2) - output("rmsnorm", x)[0], Value(2) - output("rmsnorm", x, with_eps(article_eps))[0],
                     Value(2) - output("rmsnorm", x, added)[0]},
                    Side::neither});
  return result;
}

}  // namespace normtrace::classroom
