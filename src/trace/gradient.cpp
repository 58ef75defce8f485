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

// Jacobians and differences beyond these sizes are not shown: no reader would look at them.
constexpr std::size_t largest_jacobian = 6;
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
};

GroupGradient way_back(const Forward& f, Values normalized) {
  GroupGradient g;
  g.normalized = std::move(normalized);
  const std::size_t n = f.numerators.size();
  g.divisor = -dot(g.normalized, f.numerators) / (f.divisor * f.divisor);
  g.statistic = g.divisor / (Value(2) * f.root);
  for (std::size_t i = 0; i < n; ++i)
    g.numerators.push_back(g.normalized[i] / f.divisor + Value(2) * f.numerators[i] * g.statistic / f.count);
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

void add_jacobian(Section& section, const Trace& trace, const GroupTrace& group) {
  const Matrix matrix = jacobian(trace, group);
  for (std::size_t j = 0; j < matrix.size(); ++j)
    section.items.push_back({"jacobian_row", "", "", matrix[j], true, {}, {}, {std::to_string(j + 1)}});
  const Forward f(trace, group);
  section.numbers(f.centred ? "jacobian_deviations" : "jacobian_input", f.centred ? "J·(x-μ)" : "J·x", "",
                  multiply(matrix, f.numerators));
  if (f.centred) section.numbers("jacobian_ones", "J·1", "", multiply(matrix, Values(matrix.size(), 1)));
  section.numbers("singular_values", "", "", singular_values(trace, group));
}

void add_witness(Section& section, const Gradient& gradient, const GroupTrace& group, const GroupGradient& back,
                 const Values& differences) {
  const Values here = selected(differences, group.group.members);
  section.items.push_back({"finite_differences", "", "", here, true, {}, {}, {std::get<std::string>(given(step))}});
  section.number("largest_difference", "", "", largest_difference(here, back.input));
  if (all_zero(back.input) && !all_zero(gradient.upstream)) section.remarks.push_back({"gradient.zero"});
}

Section group_section(const Gradient& gradient, std::size_t index, const Values& differences) {
  const GroupTrace& group = gradient.forward.groups[index];
  const GroupGradient& back = gradient.groups[index];
  const bool centred = group.centred();
  const std::string a = centred ? "(x-μ)" : "x";
  const bool has_eps = !gradient.forward.request.convention.eps.is_zero();
  const bool added = has_eps && gradient.forward.request.convention.eps_place == norm::EpsPlace::added_to_root;
  const std::string root = centred ? "σ" : "RMS";
  const std::string s = has_eps ? "s" : root;
  const std::string v = centred ? "σ²" : "ms";
  const bool unbiased = gradient.forward.request.convention.divisor == norm::Divisor::n_minus_one;
  const std::string c = centred && unbiased ? "(n-1)" : "n";
  Section section{group.group.name, {"gradient.group", {group.group.name}}, {}};
  section.numbers("input_numbers", "x", "", {group.x.begin(), group.x.end()});
  section.number("divisor", s, !has_eps ? "" : added ? root + "+ε" : "√(" + v + "+ε)", group.divisor());
  section.numbers("normalized", "x̂", a + "/" + s, group.find(StepKind::normalized)->values);
  section.numbers("upstream", "g", "", selected(gradient.upstream, group.group.members));
  section.numbers("d_normalized", "dx̂", "γ·g", back.normalized);
  section.number("d_divisor", "d" + s, "-Σdx̂ᵢ·" + a + "ᵢ/" + s + "²", back.divisor);
  section.number(centred ? "d_variance" : "d_mean_square", "d" + v,
                 "d" + s + (added ? "/(2" + root + ")" : "/(2" + s + ")"), back.statistic);
  if (centred) {
    section.numbers("d_deviations", "d(x-μ)", "dx̂/" + s + "+2(x-μ)·dσ²/" + c, back.numerators);
    section.number("d_mean", "dμ", "-Σd(x-μ)", back.mean);
    section.numbers("d_input", "dx", "d(x-μ)+dμ/n", back.input);
  } else {
    section.numbers("d_input", "dx", "dx̂/" + s + "+2x·dms/n", back.input);
  }
  section.number("d_input_length", "‖dx‖", "", length(back.input));
  const bool defined = !group.divisor().is_zero() && !group.divisor().is_undefined();
  if (!defined) {
    section.remarks.push_back({"gradient.undefined"});
    return section;
  }
  if (group.x.size() <= largest_jacobian) add_jacobian(section, gradient.forward, group);
  if (!differences.empty()) add_witness(section, gradient, group, back, differences);
  return section;
}

}  // namespace

bool has_gradient(const Request& request) {
  const norm::Formula formula = request.norm->formula;
  return (formula == norm::Formula::standardize || formula == norm::Formula::divide_by_rms) &&
         request.mode == Mode::plain && request.options.partial.is_one() && request.options.residual.empty() &&
         request.norm->axis != tensor::Axis::group && request.norm->axis != tensor::Axis::instance;
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

Report gradient_report(const Gradient& gradient) {
  const Request& request = gradient.forward.request;
  Report report{"gradient", {"gradient.title", {std::string(request.norm->name)}}, {}};
  const bool small = request.input.values.size() <= most_differences;
  const Values differences = small ? finite_differences(gradient, step) : Values();
  for (std::size_t index = 0; index < gradient.groups.size(); ++index)
    report.sections.push_back(group_section(gradient, index, differences));
  Section parameters{"parameters", {"gradient.parameters"}, {}};
  parameters.numbers("d_gamma", "dγ", "Σg·x̂", gradient.gamma);
  parameters.number("d_gamma_length", "‖dγ‖", "", length(gradient.gamma));
  parameters.numbers("d_beta", "dβ", "Σg", gradient.beta);
  report.sections.push_back(std::move(parameters));
  return report;
}

}  // namespace normtrace::trace
