#include "trace/gradient.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "exact/decimal.h"
#include "trace/geometry.h"

namespace normtrace::trace {

using exact::Rational;
using norm::StepKind;

namespace {

using Values = std::vector<Value>;

// Jacobians and differences beyond these sizes are not shown: no reader would look at them. The report says so.
constexpr std::size_t largest_jacobian = 6;
constexpr std::size_t largest_singular = 64;
constexpr std::size_t most_differences = 64;
const Rational step = Rational(1, 10000);

Value total(const Values& x) { return sum(std::span<const Value>(x)); }

// What the way back needs of the way there.
struct Forward {
  Values numerators;  // a
  Value root;         // ρ
  Value divisor;      // s
  Value count;        // c
  bool centred;

  Forward(const Trace& trace, const GroupTrace& group)
      : root(group.find(group.centred() ? StepKind::std : StepKind::rms)->values.front()),
        divisor(group.divisor()),
        count(static_cast<std::int64_t>(group.x.size())),
        centred(group.centred()) {
    if (centred)
      numerators = group.find(StepKind::deviations)->values;
    else
      numerators.assign(group.x.begin(), group.x.end());
    if (centred && trace.request.convention.divisor == norm::Divisor::n_minus_one) count = count - Value(1);
  }

  // σ = 0 with an ε added to it: the root has no derivative there, but a/(σ + ε) has one, because a is 0 as well.
  [[nodiscard]] bool at_kink() const { return root.is_zero() && !divisor.is_zero(); }
};

GroupGradient way_back(const Forward& f, Values normalized) {
  GroupGradient g;
  g.normalized = std::move(normalized);
  const std::size_t n = f.numerators.size();
  g.divisor = -dot(g.normalized, f.numerators) / (f.divisor * f.divisor);
  g.statistic = g.divisor / (Value(2) * f.root);
  for (std::size_t i = 0; i < n; ++i) {
    const Value direct = g.normalized[i] / f.divisor;
    g.numerators.push_back(f.at_kink() ? direct : direct + Value(2) * f.numerators[i] * g.statistic / f.count);
  }
  g.mean = f.centred ? -total(g.numerators) : Value(0);
  const Value shared = g.mean / Value(static_cast<std::int64_t>(n));
  for (const Value& a_i : g.numerators) g.input.push_back(a_i + shared);
  return g;
}

Value factor_of(const Trace& trace, std::size_t parameter) {
  const norm::Convention& convention = trace.request.convention;
  if (convention.gamma.empty()) return 1;
  const Value gamma = convention.gamma[parameter];
  return convention.gamma_form == norm::GammaForm::one_plus ? Value(1) + gamma : gamma;
}

Values selected(const Values& all, const std::vector<std::size_t>& places) {
  Values result;
  for (const std::size_t place : places) result.push_back(all[place]);
  return result;
}

Value loss(const Gradient& gradient, const Trace& trace, const tensor::Group& group) {
  return dot(selected(gradient.upstream, group.members), selected(trace.output, group.members));
}

Value largest_difference(const Values& x, const Values& y) {
  Value largest = 0;
  double size = -1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Value difference = x[i] - y[i];
    const double here = std::abs(nearest_double(difference).value_or(0));
    if (here <= size) continue;
    size = here;
    largest = difference;
  }
  return abs(largest);
}

bool all_zero(const Values& x) { return std::ranges::all_of(x, &Value::is_zero); }

// Where dx is 0: whatever x is, as long as two numbers keep their order, or at this x alone.
std::string_view where_zero(const Forward& f, const Values& d_normalized) {
  const bool constant =
      std::ranges::all_of(d_normalized, [&](const Value& g) { return proved_equal(g, d_normalized.front()); });
  if (all_zero(d_normalized)) return "gradient.zero_upstream";
  if (f.centred && constant) return "gradient.zero_everywhere";
  if (f.numerators.size() <= (f.centred ? 2 : 1)) return "gradient.zero_signs";
  return f.centred ? "gradient.zero_here_centred" : "gradient.zero_here";
}

// The Jacobian is symmetric: its product with a vector is the way back of that vector.
void add_jacobian(Section& section, const Trace& trace, const GroupTrace& group) {
  const std::size_t n = group.x.size();
  if (n <= largest_jacobian) {
    const Matrix matrix = jacobian(trace, group);
    for (std::size_t j = 0; j < n; ++j)
      section.items.push_back({"jacobian_row", "", "", matrix[j], true, {}, {}, {std::to_string(j + 1)}});
  }
  if (n <= largest_singular) {
    const Forward f(trace, group);
    const auto product = [&](const Values& x) { return way_back(f, x).input; };
    if (!all_zero(f.numerators))
      section.numbers(f.centred ? "jacobian_deviations" : "jacobian_input", f.centred ? "J·(x-μ)" : "J·x", "",
                      product(f.numerators));
    if (f.centred) section.numbers("jacobian_ones", "J·1", "", product(Values(n, 1)));
    section.numbers("singular_values", "", "", singular_values(trace, group));
  }
  if (n > largest_singular)
    section.remarks.push_back({"gradient.no_singular_values", {std::to_string(largest_singular)}});
  else if (n > largest_jacobian)
    section.remarks.push_back({"gradient.no_jacobian", {std::to_string(largest_jacobian)}});
}

// A step of h may lead to where nothing is defined: two numbers that become equal.
void add_witness(Section& section, const GroupTrace& group, const GroupGradient& back, const Values& differences) {
  const Values here = selected(differences, group.group.members);
  section.items.push_back({"finite_differences", "", "", here, true, {}, {}, {std::get<std::string>(given(step))}});
  if (std::ranges::any_of(here, &Value::is_undefined))
    section.remarks.push_back({"gradient.undefined_beside"});
  else
    section.number("largest_difference", "", "", largest_difference(here, back.input));
}

// How a group is written down: the letters of its formulas.
struct Letters {
  std::string a;       // the numerators
  std::string root;    // σ
  std::string s;       // the divisor
  std::string v;       // what is under the root
  std::string c;       // what the squares are divided by
  std::string s_is;    // the divisor by the root and ε; empty where it is the root
  std::string factor;  // γ, 1+γ

  Letters(const norm::Convention& convention, bool centred) {
    const bool has_eps = !convention.eps.is_zero();
    a = centred ? "(x-μ)" : "x";
    root = centred ? "σ" : "RMS";
    s = has_eps ? "s" : root;
    v = centred ? "σ²" : "ms";
    c = centred && convention.divisor == norm::Divisor::n_minus_one ? "(n-1)" : "n";
    if (has_eps) s_is = added(convention) ? root + "+ε" : "√(" + v + "+ε)";
    factor = convention.gamma_form == norm::GammaForm::one_plus && !convention.gamma.empty() ? "(1+γ)" : "γ";
  }

  static bool added(const norm::Convention& convention) {
    return !convention.eps.is_zero() && convention.eps_place == norm::EpsPlace::added_to_root;
  }
};

// γ·g or (1+γ)·g with its numbers, where a γ was given.
std::vector<Expression> factors(const Gradient& gradient, const GroupTrace& group) {
  const norm::Convention& convention = gradient.forward.request.convention;
  std::vector<Expression> result;
  if (convention.gamma.empty()) return result;
  for (std::size_t i = 0; i < group.x.size(); ++i) {
    const Value gamma = convention.gamma[group.group.parameters[i]];
    const Value& g = gradient.upstream[group.group.members[i]];
    if (convention.gamma_form == norm::GammaForm::one_plus)
      result.push_back({"(1+", gamma, ")·", g});
    else
      result.push_back({gamma, "·", g});
  }
  return result;
}

Section group_section(const Gradient& gradient, std::size_t index, const Values& differences) {
  const Trace& trace = gradient.forward;
  const GroupTrace& group = trace.groups[index];
  const GroupGradient& back = gradient.groups[index];
  const norm::Convention& convention = trace.request.convention;
  const Forward f(trace, group);
  const bool centred = f.centred;
  const Letters l(convention, centred);
  const std::string direct = "dx̂/" + l.s;
  Section section{group.group.name, {"gradient.group", {group.group.name}}, {}};
  section.given("input_numbers", "x", {group.x.begin(), group.x.end()});
  section.number("divisor", l.s, l.s_is, group.divisor());
  section.numbers("normalized", "x̂", l.a + "/" + l.s, group.find(StepKind::normalized)->values);
  section.given("upstream", "g", selected(gradient.upstream, group.group.members));
  section.numbers("d_normalized", "dx̂", l.factor + "·g", back.normalized, factors(gradient, group));
  section.number("d_divisor", "d" + l.s, "-Σdx̂ᵢ·" + l.a + "ᵢ/" + l.s + "²", back.divisor);
  section.number(centred ? "d_variance" : "d_mean_square", "d" + l.v,
                 "d" + l.s + "/(2" + (Letters::added(convention) ? l.root : l.s) + ")", back.statistic);
  if (centred) {
    section.numbers("d_deviations", "d(x-μ)", f.at_kink() ? direct : direct + "+2(x-μ)·dσ²/" + l.c, back.numerators);
    section.number("d_mean", "dμ", "-Σd(x-μ)", back.mean);
    section.numbers("d_input", "dx", "d(x-μ)+dμ/n", back.input);
  } else {
    section.numbers("d_input", "dx", f.at_kink() ? direct : direct + "+2x·dms/n", back.input);
  }
  section.number("d_input_length", "‖dx‖", "", length(back.input));
  const bool defined = !group.divisor().is_zero() && !group.divisor().is_undefined();
  if (!defined) {
    section.remarks.push_back({"gradient.undefined"});
    return section;
  }
  if (f.at_kink()) section.remarks.push_back({centred ? "gradient.kink_centred" : "gradient.kink"});
  add_jacobian(section, trace, group);
  if (!differences.empty()) add_witness(section, group, back, differences);
  if (all_zero(back.input)) section.remarks.push_back({std::string(where_zero(f, back.normalized))});
  return section;
}

}  // namespace

bool has_gradient(const norm::Norm& norm) {
  return (norm.formula == norm::Formula::standardize || norm.formula == norm::Formula::divide_by_rms) &&
         norm.axis != tensor::Axis::group && norm.axis != tensor::Axis::instance;
}

bool has_gradient(const Request& request) {
  return has_gradient(*request.norm) && request.mode == Mode::plain && request.options.partial.is_one() &&
         request.options.residual.empty();
}

Gradient backward(Trace forward, Values upstream) {
  Gradient gradient{std::move(forward), std::move(upstream), {}, {}, {}, {}};
  const Trace& trace = gradient.forward;
  const std::size_t parameters = tensor::parameter_count(trace.request.input, trace.request.layout());
  gradient.input.resize(trace.output.size());
  std::vector<Values> gamma(parameters);
  std::vector<Values> beta(parameters);
  for (const GroupTrace& group : trace.groups) {
    const Values& normalized = group.find(StepKind::normalized)->values;
    Values d_normalized;
    for (std::size_t i = 0; i < group.x.size(); ++i) {
      const Value& g = gradient.upstream[group.group.members[i]];
      const std::size_t parameter = group.group.parameters[i];
      beta[parameter].push_back(g);
      gamma[parameter].push_back(g * normalized[i]);
      d_normalized.push_back(factor_of(trace, parameter) * g);
    }
    gradient.groups.push_back(way_back(Forward(trace, group), std::move(d_normalized)));
    for (std::size_t i = 0; i < group.x.size(); ++i)
      gradient.input[group.group.members[i]] = gradient.groups.back().input[i];
  }
  for (const Values& terms : gamma) gradient.gamma.push_back(total(terms));
  for (const Values& terms : beta) gradient.beta.push_back(total(terms));
  return gradient;
}

Matrix jacobian(const Trace& forward, const GroupTrace& group) {
  const Forward f(forward, group);
  Matrix rows;
  for (std::size_t j = 0; j < group.x.size(); ++j) {
    Values unit(group.x.size(), 0);
    unit[j] = 1;
    rows.push_back(way_back(f, std::move(unit)).input);
  }
  return rows;
}

Values multiply(const Matrix& matrix, const Values& x) {
  Values result;
  for (const Values& row : matrix) result.push_back(dot(row, x));
  return result;
}

Values singular_values(const Trace& forward, const GroupTrace& group) {
  const Forward f(forward, group);
  const Value squares = dot(f.numerators, f.numerators);
  const Value full = Value(1) / f.divisor;
  Values result;
  if (f.centred) result.emplace_back(0);
  if (!squares.is_zero())
    result.insert(result.begin(), abs(full * (Value(1) - squares / (f.count * f.divisor * f.root))));
  result.insert(result.begin(), group.x.size() - result.size(), full);
  return result;
}

Values finite_differences(const Gradient& gradient, const Rational& h) {
  Values result(gradient.input.size());
  for (std::size_t index = 0; index < gradient.forward.groups.size(); ++index)
    for (const std::size_t place : gradient.forward.groups[index].group.members) {
      Request above = gradient.forward.request;
      Request below = above;
      above.input.values[place] = above.input.values[place] + h;
      below.input.values[place] = below.input.values[place] - h;
      const tensor::Group& group = gradient.forward.groups[index].group;
      result[place] = (loss(gradient, run(std::move(above)), group) - loss(gradient, run(std::move(below)), group)) /
                      Value(Rational(2) * h);
    }
  return result;
}

Report gradient_report(const Gradient& gradient, const std::string& norm) {
  const Request& request = gradient.forward.request;
  const bool plain = norm == request.norm->name;
  Report report{"gradient", {plain ? "gradient.title" : "gradient.title_told", {norm}}, {}};
  const bool small = request.input.values.size() <= most_differences;
  const Values differences = small ? finite_differences(gradient, step) : Values();
  for (std::size_t index = 0; index < gradient.groups.size(); ++index)
    report.sections.push_back(group_section(gradient, index, differences));
  Section parameters{"parameters", {"gradient.parameters"}, {}};
  parameters.numbers("d_gamma", "dγ", "Σg·x̂", gradient.gamma);
  parameters.number("d_gamma_length", "‖dγ‖", "", length(gradient.gamma));
  parameters.numbers("d_beta", "dβ", "Σg", gradient.beta);
  report.sections.push_back(std::move(parameters));
  if (!small) report.remarks.push_back({"gradient.no_differences", {std::to_string(most_differences)}});
  return report;
}

}  // namespace normtrace::trace
