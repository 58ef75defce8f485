#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "trace/comparison.h"
#include "trace/gradient.h"
#include "trace/residual.h"
#include "trace/softmax.h"

// Sentences about numbers, tried on numbers that were not chosen for them: plain double arithmetic, written here once more,
// says whether each is true.

namespace {

using namespace normtrace;
using exact::Rational;
using exact::Value;
using Doubles = std::vector<double>;

struct Vectors {
  std::mt19937 random{7};

  Rational number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }
  std::vector<Rational> of(std::size_t n, int low, int high) {
    std::vector<Rational> x;
    while (x.size() < n) x.push_back(number(low, high));
    return x;
  }
};

Doubles doubles(const std::vector<Rational>& x) {
  Doubles result;
  for (const Rational& x_i : x) result.push_back(*nearest_double(Value(x_i)));
  return result;
}

double dot(const Doubles& x, const Doubles& y) { return std::inner_product(x.begin(), x.end(), y.begin(), 0.0); }
double mean(const Doubles& x) { return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size()); }

Doubles normalized(Doubles x, bool centred) {
  const double shift = centred ? mean(x) : 0;
  for (double& x_i : x) x_i -= shift;
  const double divisor = std::sqrt(dot(x, x) / static_cast<double>(x.size()));
  for (double& x_i : x) x_i /= divisor;
  return x;
}

Doubles affine(Doubles x, const Doubles& gamma, const Doubles& beta) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] * gamma[i] + beta[i];
  return x;
}

// The number of "≈ 1.826", "= -2" and "≈ 4.2×10⁻⁵" (told apart no further: it is small).
double said(const std::string& text) {
  if (text.find("×") != std::string::npos) return 0;
  return std::stod(text.substr(text.find(' ') + 1));
}
bool near(double x, double y) { return std::abs(x - y) < 2e-5; }

trace::Request request(const char* norm, const std::vector<Rational>& x) {
  trace::Request result;
  result.norm = norm::find(norm);
  result.input = {{x.size()}, x, {"x"}, true};
  return result;
}

bool all_zero(const Doubles& x) {
  return std::ranges::all_of(x, [](double x_i) { return x_i == 0; });
}

}  // namespace

TEST_CASE("compare: what is said of outputs holds of outputs, with γ and β too") {
  Vectors vectors;
  std::size_t with_sphere = 0;
  for (int round = 0; round < 300; ++round) {
    const std::vector<Rational> x = vectors.of(4, -4, 4);
    const bool plain = round % 3 == 0;
    const std::vector<Rational> gamma = vectors.of(4, plain ? 1 : -1, plain ? 1 : 2);
    const std::vector<Rational> beta = vectors.of(4, round % 2 == 0 ? 0 : -1, round % 2 == 0 ? 0 : 1);
    const Doubles in = doubles(x);
    if (normalized(in, true)[0] != normalized(in, true)[0]) continue;  // constant
    std::vector<trace::Request> requests = {request("layernorm", x), request("rmsnorm", x)};
    for (trace::Request& one : requests) {
      one.convention.gamma = gamma;
      one.convention.beta = beta;
    }
    const Doubles layer = affine(normalized(in, true), doubles(gamma), doubles(beta));
    const Doubles rms = affine(normalized(in, false), doubles(gamma), doubles(beta));
    const double cosine = dot(layer, rms) / std::sqrt(dot(layer, layer) * dot(rms, rms));
    const auto on_sphere = [](const Doubles& y) { return near(dot(y, y), 4); };
    bool said_sphere = false;
    for (const trace::Conclusion& one : trace::compare(requests, 6).conclusions) {
      const std::string& id = one.message.id;
      const auto& arguments = one.message.arguments;
      INFO(id << " round " << round);
      const std::size_t zero =
          static_cast<std::size_t>(std::ranges::find(in, 0.0) - in.begin());  // the first is spoken of
      if (id == "conclusion.equal_mean_zero") {
        for (std::size_t i = 0; i < 4; ++i) CHECK(near(layer[i], rms[i]));
      } else if (id == "conclusion.zeros_moved") {
        CHECK(near(said(arguments[0]), layer[zero]));
        CHECK(rms[zero] == 0);
      } else if (id == "conclusion.zeros_moved_by_beta") {
        CHECK(near(said(arguments[0]), layer[zero]));
        CHECK(near(said(arguments[1]), rms[zero]));
      } else if (id == "conclusion.shift" || id == "conclusion.shift_of_output") {
        CHECK(near(said(arguments[0]), mean(in)));
        CHECK(near(said(arguments[1]), mean(rms)));
      } else if (id == "conclusion.angle" || id == "conclusion.angle_of_outputs") {
        CHECK(near(said(arguments[0]), cosine));
      } else if (id == "conclusion.all_norms") {
        said_sphere = true;
      }
    }
    CHECK(said_sphere == (on_sphere(layer) && on_sphere(rms)));
    with_sphere += said_sphere ? 1 : 0;
  }
  CHECK(with_sphere > 20);
}

TEST_CASE("softmax: sharper and flatter are said of the largest weight, whatever the sign of the factor") {
  Vectors vectors;
  const auto weights = [](const Doubles& scores) {
    Doubles p;
    for (const double s : scores) p.push_back(std::exp(s));
    const double total = std::accumulate(p.begin(), p.end(), 0.0);
    for (double& p_i : p) p_i /= total;
    return p;
  };
  for (int round = 0; round < 300; ++round) {
    const std::vector<Rational> scores = vectors.of(2 + round % 4, -2, 2);
    const Rational times = vectors.number(-8, 8) / Rational(4);
    Doubles before = doubles(scores);
    Doubles after = before;
    for (double& s : after) s *= *nearest_double(Value(times));
    const Doubles p = weights(before);
    const Doubles q = weights(after);
    const double was = *std::ranges::max_element(p);
    const double is = *std::ranges::max_element(q);
    const trace::Remark remark = trace::softmax_report({scores.begin(), scores.end()}, times).remarks.front();
    INFO(remark.id << " round " << round);
    if (remark.id == "softmax.uniform" || remark.id == "softmax.same" || remark.id == "softmax.exchanged")
      CHECK(near(was, is));
    else
      CHECK(remark.id.starts_with(is > was ? "softmax.sharper" : "softmax.flatter"));
    const bool elsewhere = remark.id.ends_with("_elsewhere") || remark.id == "softmax.exchanged";
    if (elsewhere) CHECK(times.sign() < 0);
  }
}

TEST_CASE("residual: the sign of (1-A)(1+A+2AB) says which factor is larger in size") {
  for (int a = -12; a <= 12; ++a)
    for (int b = -12; b <= 12; ++b) {
      const trace::Residual r{Rational(a, 4), Rational(b, 4), 3};
      const double pre = std::abs(1 + a * b / 16.0);
      const double post = std::abs(a / 4.0 * (1 + b / 4.0));
      const std::vector<trace::Remark> remarks = residual_report(r).remarks;
      const std::string expected = post < pre    ? "residual.post_weaker"
                                   : post == pre ? "residual.post_equal"
                                                 : "residual.post_stronger";
      CHECK(remarks[1].id == "residual.squares");
      CHECK(std::get<Value>(remarks[1].arguments[0]).sign() == (pre > post) - (pre < post));
      CHECK(remarks[2].id == expected);
    }
}

TEST_CASE("gradient: a dx of 0 is said to be one for every x only where it is") {
  Vectors vectors;
  std::size_t everywhere = 0;
  std::size_t here = 0;
  for (int round = 0; round < 400; ++round) {
    const bool centred = round % 2 == 0;
    const std::size_t n = 3 + static_cast<std::size_t>(round % 3);
    const std::vector<Rational> x = vectors.of(n, -3, 3);
    const Rational along = vectors.number(-2, 2);
    const Rational ones = centred ? vectors.number(-2, 2) : Rational(0);
    std::vector<Value> upstream;
    Doubles g;
    for (const Rational& x_i : x) {
      upstream.emplace_back(along * x_i + ones);
      g.push_back(*nearest_double(upstream.back()));
    }
    const trace::Trace forward = trace::run(request(centred ? "layernorm" : "rmsnorm", x));
    if (forward.groups.front().divisor().is_zero()) continue;
    const trace::Gradient gradient = trace::backward(forward, upstream);
    REQUIRE(std::ranges::all_of(gradient.input, &Value::is_zero));
    const std::vector<trace::Remark> remarks =
        trace::gradient_report(gradient, std::string(forward.request.norm->name)).sections.front().remarks;
    REQUIRE(remarks.size() == 1);
    INFO(remarks.front().id);
    // One other x may have the same loss by chance, three have not.
    const double loss = dot(g, normalized(doubles(x), centred));
    bool same = true;
    for (int k = 1; k <= 3; ++k) {
      Doubles other = doubles(x);
      for (std::size_t i = 0; i < n; ++i)
        other[i] += static_cast<double>((i * i + 1) % 4) + 0.5 * k * static_cast<double>(i);
      same = same && near(loss, dot(g, normalized(other, centred)));
    }
    if (remarks.front().id == "gradient.zero_everywhere" || remarks.front().id == "gradient.zero_upstream") {
      CHECK(same);
      CHECK((all_zero(g) || centred));
      ++everywhere;
    } else {
      CHECK_FALSE(same);
      ++here;
    }
  }
  CHECK(everywhere > 30);
  CHECK(here > 100);
}

TEST_CASE(
    "gradient: equal numbers with an ε added to the root have the gradient dx̂/ε, less its mean where that is "
    "subtracted") {
  for (const char* const norm : {"layernorm", "batchnorm", "rmsnorm"}) {
    trace::Request asked = request(norm, std::vector<Rational>(3, norm == std::string("rmsnorm") ? 0 : 3));
    if (asked.norm->axis == tensor::Axis::feature) asked.input = {{3, 1}, asked.input.values, {"a", "b", "c"}, true};
    asked.convention.eps = Rational(1, 10);
    asked.convention.eps_place = norm::EpsPlace::added_to_root;
    const bool centred = asked.norm->formula == norm::Formula::standardize;
    const trace::Gradient gradient = trace::backward(trace::run(asked), {1, 2, 6});
    const std::vector<Value> expected =
        centred ? std::vector<Value>{-20, -10, 30} : std::vector<Value>{10, 20, 60};  // (g - 3)/0.1, g/0.1
    for (std::size_t i = 0; i < 3; ++i) CHECK(proved_equal(gradient.input[i], expected[i]));
    const trace::Report report = trace::gradient_report(gradient, std::string(asked.norm->name));
    CHECK(report.sections.front().remarks.front().id == (centred ? "gradient.kink_centred" : "gradient.kink"));
  }
}

TEST_CASE("gradient: a step of h that makes two numbers equal leaves no witness, and no crash") {
  const trace::Gradient gradient =
      trace::backward(trace::run(request("layernorm", {1, Rational(10001, 10000)})), {1, 0});
  const std::vector<trace::Remark> remarks = trace::gradient_report(gradient, "LayerNorm").sections.front().remarks;
  CHECK(remarks.front().id == "gradient.undefined_beside");
  CHECK(remarks.back().id == "gradient.zero_signs");
}
