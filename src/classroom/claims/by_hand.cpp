#include <algorithm>

#include "classroom/claims/evidence.h"
#include "exact/decimal.h"
#include "trace/geometry.h"
#include "trace/parameters.h"

// The first article: RMSNorm by hand.
namespace normtrace::classroom {

namespace {

using norm::Convention;

struct Token {
  const char* name;
  const Numbers& x;
};

std::vector<Token> tokens() { return {{"猫", cat()}, {"吃", eats()}, {"鱼", fish()}}; }

std::string of(const char* norm, const std::string& argument) { return std::string(norm) + "(" + argument + ")"; }

std::string printed(const Values& y, unsigned places) {
  std::string text;
  for (const Value& value : y)
    text += (text.empty() ? "" : " ") + to_decimal(value, places, exact::PowerOfTen::superscript).text;
  return text;
}

std::string fixed(const Values& y, unsigned places) {
  std::string text;
  for (const Value& value : y) text += (text.empty() ? "" : " ") + to_fixed(value, places);
  return text;
}

// Each number as it stands in print.
Values as_printed(const Values& y, unsigned places) {
  Values result;
  for (const Value& value : y) {
    const Rational size(rounded_scaled(value, places), exact::Integer::power_of_ten(places));
    result.emplace_back(value.sign() < 0 ? -size : size);
  }
  return result;
}

Value degrees_between_norms(const Numbers& x) {
  return degrees_of_cosine(trace::cosine(output("layernorm", x), output("rmsnorm", x)));
}

}  // namespace

Evidences hand_worked_digits() {
  struct Row {
    const char* norm;
    const char* id;
    const char* token;
    const Numbers& x;
    const char* in_print;
  };
  const Row rows[] = {
      {"LN", "layernorm", "猫", cat(), "-1.342 -0.447 0.447 1.342"},
      {"LN", "layernorm", "吃", eats(), "0.447 -0.447 -1.342 1.342"},
      {"LN", "layernorm", "鱼", fish(), "-1 1 -1 1"},
      {"RMSNorm", "rmsnorm", "猫", cat(), "0.365 0.730 1.095 1.461"},
      {"RMSNorm", "rmsnorm", "吃", eats(), "0.816 0 -0.816 1.633"},
      {"RMSNorm", "rmsnorm", "鱼", fish(), "-1 1 -1 1"},
  };
  Evidences result;
  for (const Row& row : rows) {
    const Values y = output(row.id, row.x);
    result.push_back(weigh(printed(y, 3) == row.in_print, of(row.norm, row.token), y));
  }
  return result;
}

Evidences zero_moves() {
  const Value moved = output("layernorm", eats())[1];
  const Value kept = output("rmsnorm", eats())[1];
  return {weigh(!moved.is_zero(), "LN(吃)₂", {moved}), weigh(kept.is_zero(), "RMSNorm(吃)₂", {kept})};
}

Evidences pytorch_print() {
  Evidences result;
  for (const Token& token : tokens()) {
    const Values with = output("rmsnorm", token.x, with_eps(exact::power_of_ten(-5)));
    result.push_back(weigh(fixed(with, 4) == fixed(output("rmsnorm", token.x), 4),
                           of("RMSNorm", std::string(token.name) + ", ε = 1e-5"), with));
  }
  return result;
}

Evidences projection_then_sphere() {
  Evidences result;
  for (const Token& token : tokens()) {
    const trace::Geometry g = trace::geometry({token.x.begin(), token.x.end()});
    result.push_back(weigh(equal(g.layernorm, g.rmsnorm_of_projection),
                           of("LN", token.name) + " - RMSNorm(" + token.name + "-μ)",
                           {largest_gap(g.layernorm, g.rmsnorm_of_projection)}));
    const Value radius = trace::length(g.rmsnorm);
    result.push_back(
        weigh(proved_equal(radius, sqrt(Value(4))), "‖RMSNorm(" + std::string(token.name) + ")‖", {radius}));
  }
  return result;
}

Evidences parameters_saved() {
  const trace::Model& gpt2 = *trace::find_model("gpt2");
  const std::int64_t saved = gpt2.norms() * gpt2.width;
  const Value share = Rational(100 * saved, gpt2.parameters());
  return {weigh(gpt2.norms() == 25, "2·12+1", {gpt2.norms()}), weigh(saved / 1000 == 19, "25·768", {saved}),
          weigh(compare(share, Rational(1, 10)) < 0, "100·19200/124439808 (%)", {share})};
}

Evidences same_norm() {
  Evidences result;
  for (const Token& token : tokens())
    for (const auto& [name, id] : {std::pair{"LN", "layernorm"}, {"RMSNorm", "rmsnorm"}}) {
      const Value squares = sum_of_squares(output(id, token.x));
      result.push_back(weigh(proved_equal(squares, 4), "‖" + of(name, token.name) + "‖²", {squares}));
    }
  const auto outside = [&](std::string what, const Value& squares) {
    result.push_back(weigh(!squares.is_undefined() && proved_equal(squares, 4), std::move(what), {squares}, false));
  };
  const Convention eps = with_eps(exact::power_of_ten(-5));
  outside("‖LN(猫), ε = 1e-5‖² - 4", sum_of_squares(output("layernorm", cat(), eps)) - Value(4));
  outside("‖RMSNorm(猫), ε = 1e-5‖² - 4", sum_of_squares(output("rmsnorm", cat(), eps)) - Value(4));
  for (const unsigned places : {3U, 2U}) {
    const std::string digits = ", " + std::to_string(places) + ")‖²";
    outside("‖round(LN(猫)" + digits, sum_of_squares(as_printed(output("layernorm", cat()), places)));
    outside("‖round(RMSNorm(猫)" + digits, sum_of_squares(as_printed(output("rmsnorm", cat()), places)));
    outside("‖round(RMSNorm(吃)" + digits, sum_of_squares(as_printed(output("rmsnorm", eats()), places)));
  }
  Convention gamma;
  gamma.gamma = {2, 1, 1, Rational(1, 2)};
  outside("‖RMSNorm(猫), γ = [2, 1, 1, 0.5]‖²", sum_of_squares(output("rmsnorm", cat(), gamma)));
  outside("‖LN([3, 3, 3, 3])‖²", sum_of_squares(output("layernorm", {3, 3, 3, 3})));
  outside("‖LN([3, 3, 3, 3]), ε = 1e-5‖²", sum_of_squares(output("layernorm", {3, 3, 3, 3}, eps)));
  const auto beside = [&](std::string what, Values values) {
    result.push_back({std::move(what), std::move(values), Side::neither, true});
  };
  beside("‖RMSNorm([3, 3, 3, 3])‖²", {sum_of_squares(output("rmsnorm", {3, 3, 3, 3}))});
  beside("LN([7])", output("layernorm", {7}));
  beside("LN([7]), ε = 1e-5", output("layernorm", {7}, eps));
  beside("LN([2, 9])", output("layernorm", {2, 9}));
  return result;
}

Evidences mean_near_zero() {
  const auto look = [](const std::string& name, const Numbers& x, bool within, Evidences& result) {
    const Values layernorm = output("layernorm", x);
    const Values rmsnorm = output("rmsnorm", x);
    const trace::Geometry g = trace::geometry({x.begin(), x.end()});
    const Value relative = sum(std::span<const Value>(rmsnorm)) / Value(static_cast<std::int64_t>(x.size()));
    const Value gap = largest_gap(layernorm, rmsnorm);
    result.push_back({"μ(" + name + "), μ/RMS", {g.mean, relative}, Side::neither, within});
    result.push_back(weigh(compare(gap, Rational(1, 10)) < 0, "max |LN-RMSNorm|, " + name, {gap}, within));
  };
  Evidences result;
  look("鱼", fish(), true, result);
  look("[-1, 1, -1, 1.01]", {-1, 1, -1, Rational(101, 100)}, true, result);
  look("0.001·猫", scaled(cat(), Rational(1, 1000)), false, result);
  return result;
}

Evidences shift_matters_little() {
  Evidences result;
  for (const Token& token : tokens()) {
    const Value degrees = degrees_between_norms(token.x);
    result.push_back(weigh(compare(degrees, 10) < 0, "∠(LN, RMSNorm)°, " + std::string(token.name), {degrees}));
  }
  return result;
}

Evidences replace_every_norm() {
  const Numbers centred = scaled(cat(), 1, Rational(-5, 2));
  const Value same = largest_gap(output("layernorm", centred), output("rmsnorm", centred));
  const Value other = largest_gap(output("layernorm", cat()), output("rmsnorm", cat()));
  const std::int64_t left_over = trace::find_model("gpt2")->norms();
  return {weigh(same.is_zero(), "max |LN-RMSNorm|, 猫-μ", {same}),
          weigh(other.is_zero(), "max |LN-RMSNorm|, 猫", {other}, false),
          weigh(left_over == 0, "label.biases", {left_over}, false, "evidence.left_over_bias")};
}

Evidences relative_structure() {
  Evidences result;
  for (const Token& token : {tokens()[0], tokens()[2]}) {
    const Values after = ratios(output("rmsnorm", token.x));
    result.push_back(weigh(equal(after, ratios({token.x.begin(), token.x.end()})),
                           "RMSNorm(" + std::string(token.name) + ")ᵢ/RMSNorm(" + token.name + ")₁", after));
  }
  Convention gamma;
  gamma.gamma = {2, 1, 1, Rational(1, 2)};
  const Values after = ratios(output("rmsnorm", cat(), gamma));
  result.push_back(
      weigh(equal(after, ratios({cat().begin(), cat().end()})), "yᵢ/y₁, 猫, γ = [2, 1, 1, 0.5]", after, false));
  return result;
}

Evidences fish_is_the_same() {
  const auto gap = [](const Rational& layer_eps, const Rational& rms_eps) {
    return largest_gap(output("layernorm", fish(), with_eps(layer_eps)), output("rmsnorm", fish(), with_eps(rms_eps)));
  };
  const Rational pytorch_layernorm = exact::power_of_ten(-5);
  const Rational pytorch_rmsnorm = exact::exact_value(exact::float32.epsilon());
  const auto short_of_one = [](const char* norm, const Rational& eps) {
    return Value(1) - output(norm, fish(), with_eps(eps))[1];
  };
  return {weigh(gap(0, 0).is_zero(), "max |LN-RMSNorm|, 鱼, ε = 0", {gap(0, 0)}),
          weigh(gap(pytorch_layernorm, pytorch_layernorm).is_zero(), "max |LN-RMSNorm|, 鱼, ε = 1e-5",
                {gap(pytorch_layernorm, pytorch_layernorm)}),
          weigh(gap(pytorch_layernorm, pytorch_rmsnorm).is_zero(), "max |LN-RMSNorm|, 鱼, ε = 1e-5, 2⁻²³",
                {gap(pytorch_layernorm, pytorch_rmsnorm)}, false, "evidence.framework_eps"),
          {"1-LN(鱼)₂, ε = 1e-5", {short_of_one("layernorm", pytorch_layernorm)}, Side::neither, false},
          {"1-RMSNorm(鱼)₂, ε = 2⁻²³", {short_of_one("rmsnorm", pytorch_rmsnorm)}, Side::neither, false}};
}

}  // namespace normtrace::classroom
