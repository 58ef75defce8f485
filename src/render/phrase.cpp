#include "render/phrase.h"

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace normtrace::render {

using exact::Value;
using norm::StepKind;
using trace::GroupTrace;
using trace::Trace;

namespace {

// The two divisors that a formula may have.
enum class Root { std, rms };

// Everything that the wording of a step may depend on.
struct Context {
  const Trace& trace;
  const GroupTrace& group;
  const Style& style;

  [[nodiscard]] const norm::Convention& convention() const { return trace.request.convention; }
  [[nodiscard]] std::string letter() const { return render::count_letter(trace, group); }
  [[nodiscard]] std::size_t count() const { return group.x.size(); }
  [[nodiscard]] bool centred() const { return group.centred(); }
  [[nodiscard]] bool one_pass() const {
    return group.has_deviations() && convention().variance == norm::VarianceMethod::one_pass;
  }
  // Whether the squares are those of the deviations, as opposed to those of x.
  [[nodiscard]] bool squares_deviations() const { return group.has_deviations() && !one_pass(); }
  [[nodiscard]] bool inference() const { return trace.request.mode == trace::Mode::inference; }
  // The letter of the numbers: h where a residual was added.
  [[nodiscard]] std::string x() const { return group.find(StepKind::residual_sum) ? "h" : "x"; }
  [[nodiscard]] std::string mean() const { return inference() ? "μᵣ" : "μ"; }
  [[nodiscard]] std::string variance() const { return inference() ? "σᵣ²" : "σ²"; }
  [[nodiscard]] bool eps_inside() const {
    return !convention().eps.is_zero() && convention().eps_place == norm::EpsPlace::inside_root;
  }
  [[nodiscard]] const std::vector<Value>& values(StepKind kind) const { return group.find(kind)->values; }
  [[nodiscard]] const Value& statistic(Root root) const {
    return root == Root::rms ? group.statistic(StepKind::mean_square) : group.under_root();
  }
  [[nodiscard]] std::string eps() const { return show_input(convention().eps, style); }
};

// A number that was typed, as a term: never rounded.
Shown given_term(const exact::Rational& x, const Style& style) {
  std::string text = show_input(x, style);
  return {x.sign() < 0 ? "(" + text + ")" : text, false};
}

// (t1+t2+…)/count
Shown mean_of(const std::vector<Shown>& terms, std::size_t count, const Style& style) {
  Shown shown;
  std::vector<std::string> parts;
  for (const Shown& term : terms) {
    parts.push_back(term.text);
    shown.rounded |= term.rounded;
  }
  const std::string sum = join(parts, "+", style);
  shown.text = (parts.size() == 1 ? sum : "(" + sum + ")") + "/" + std::to_string(count);
  return shown;
}

// [f(0), f(1), …]
Shown vector_of(std::size_t count, const Style& style, const std::function<Shown(std::size_t)>& f) {
  Shown shown;
  std::vector<std::string> parts;
  parts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Shown part = f(i);
    shown.rounded |= part.rounded;
    parts.push_back(std::move(part.text));
  }
  shown.text = "[" + join(parts, ", ", style) + "]";
  return shown;
}

std::vector<Shown> terms_of(const std::vector<Value>& values, const Style& style) {
  std::vector<Shown> terms;
  terms.reserve(values.size());
  for (const Value& value : values) terms.push_back(show_term(value, style));
  return terms;
}

// σ² + ε with its numbers; where nothing is added, σ² alone.
Shown under_root(const Context& c, Root root) {
  Shown v = show_term(c.statistic(root), c.style);
  if (c.eps_inside()) v.text += "+" + c.eps();
  return v;
}

bool needs_brackets(std::string_view text) {
  return text.find_first_of("+/") != std::string_view::npos || text.find("×") != std::string_view::npos;
}

Shown root(Shown inside) {
  if (needs_brackets(inside.text)) inside.text = "(" + inside.text + ")";
  inside.text = "√" + inside.text;
  return inside;
}

// What the numerators are divided by, as a factor behind "/": the root itself, never its rounded value.
Shown divisor_factor(const Context& c, Root kind) {
  const bool added = !c.convention().eps.is_zero() && !c.eps_inside();
  const Value& plain_root = c.group.statistic(kind == Root::std ? StepKind::std : StepKind::rms);
  Shown shown = plain_root.rational() ? show_term(plain_root, c.style) : root(under_root(c, kind));
  if (added) return {"(" + shown.text + "+" + c.eps() + ")", shown.rounded};
  if (plain_root.rational() && needs_brackets(shown.text)) shown.text = "(" + shown.text + ")";
  return shown;
}

// (x-μ)/σ or x/RMS of one number.
Shown quotient(const Context& c, std::size_t i, const Shown& divisor, Root kind) {
  Shown numerator;
  if (kind == Root::std && c.centred()) {
    const Value& deviation = c.values(StepKind::deviations)[i];
    numerator = show_term(deviation, c.style);
    // A leading minus cannot be misread in front of a division.
    if (!numerator.rounded && deviation.rational()->is_whole()) numerator = show(deviation, c.style);
  } else {
    numerator = {show_input(c.group.x[i], c.style), false};
  }
  if (needs_brackets(numerator.text) && !numerator.text.starts_with("(")) numerator.text = "(" + numerator.text + ")";
  return {numerator.text + "/" + divisor.text, numerator.rounded || divisor.rounded};
}

Shown product(const Shown& factor, const Shown& quotient) {
  return {factor.text + "·(" + quotient.text + ")", factor.rounded || quotient.rounded};
}

Shown bracketed(Shown shown) {
  if (needs_brackets(shown.text) && !shown.text.starts_with("(")) shown.text = "(" + shown.text + ")";
  return shown;
}

Shown alpha(const Context& c) { return bracketed(given_term(c.trace.request.options.alpha, c.style)); }

// x̂ of one number, as far as it can be written in the numbers of the steps before.
std::function<Shown(std::size_t)> normalized_of(const Context& c) {
  switch (c.trace.request.norm->formula) {
    case norm::Formula::mix:
      return [&c, by_rms = divisor_factor(c, Root::rms), by_std = divisor_factor(c, Root::std)](std::size_t i) {
        const Shown left = product(alpha(c), quotient(c, i, by_rms, Root::rms));
        const Shown right = product({"(1-" + alpha(c).text + ")", false}, quotient(c, i, by_std, Root::std));
        return Shown{left.text + "+" + right.text, left.rounded || right.rounded};
      };
    case norm::Formula::scale_by_spread:
      return [&c, divisor = divisor_factor(c, Root::rms)](std::size_t i) {
        return product(bracketed(show_term(c.group.statistic(StepKind::factor), c.style)),
                       quotient(c, i, divisor, Root::rms));
      };
    case norm::Formula::standardize:
    case norm::Formula::divide_by_rms:
    case norm::Formula::divide_by_std: break;
  }
  const Root kind = c.group.has_deviations() ? Root::std : Root::rms;
  return [&c, kind, divisor = divisor_factor(c, kind)](std::size_t i) { return quotient(c, i, divisor, kind); };
}

Shown quotients(const Context& c, Root kind) {
  const Shown divisor = divisor_factor(c, kind);
  return vector_of(c.count(), c.style, [&](std::size_t i) { return quotient(c, i, divisor, kind); });
}

Shown substitute_output(const Context& c) {
  const norm::Convention& convention = c.convention();
  if (convention.gamma.empty() && convention.beta.empty()) return {};
  const bool one_plus = convention.gamma_form == norm::GammaForm::one_plus;
  const auto normalized = normalized_of(c);
  return vector_of(c.count(), c.style, [&](std::size_t i) {
    const std::size_t parameter = c.group.group.parameters[i];
    Shown shown = normalized(i);
    if (!convention.gamma.empty()) {
      const std::string gamma = show_input(convention.gamma[parameter], c.style);
      const bool negative = convention.gamma[parameter].sign() < 0;
      shown.text = (one_plus ? "(1" + std::string(negative ? "" : "+") + gamma + ")" : gamma) + "·(" + shown.text + ")";
    }
    if (!convention.beta.empty()) shown.text += "+" + given_term(convention.beta[parameter], c.style).text;
    return shown;
  });
}

// Σ(x-μ)² over n or n-1.
Shown variance_by(const Context& c, norm::Divisor divisor) {
  const std::vector<Value> squares = norm::squares_of<Value>(c.values(StepKind::deviations));
  return mean_of(terms_of(squares, c.style), divisor == norm::Divisor::n ? c.count() : c.count() - 1, c.style);
}

// mean(x²)-μ², with divisor n-1 times n/(n-1).
Shown one_pass_variance(const Context& c) {
  const Shown mean_square = show_term(c.group.statistic(StepKind::mean_square), c.style);
  const Shown square = show_term(c.group.statistic(StepKind::square_of_mean), c.style);
  Shown shown{mean_square.text + "-" + square.text, mean_square.rounded || square.rounded};
  if (c.convention().divisor == norm::Divisor::n_minus_one)
    shown.text = "(" + shown.text + ")·" + std::to_string(c.count()) + "/" + std::to_string(c.count() - 1);
  return shown;
}

// (1-0.1)·0+0.1·2
Shown update(const Context& c, const Value& before, const Value& batch) {
  const std::string m = show_input(c.trace.request.momentum(), c.style);
  const auto factor = [&](const Value& value) {
    return value.is_undefined() ? show(value, c.style) : bracketed(show_term(value, c.style));
  };
  const Shown old = factor(before);
  const Shown fresh = factor(batch);
  return {"(1-" + m + ")·" + old.text + "+" + (needs_brackets(m) ? "(" + m + ")" : m) + "·" + fresh.text,
          old.rounded || fresh.rounded};
}

Shown substitution(const Context& c, StepKind kind) {
  const auto& before = c.trace.request.running;
  const std::size_t all = c.count();
  switch (kind) {
    case StepKind::residual_sum:
      return vector_of(all, c.style, [&](std::size_t i) -> Shown {
        const std::size_t member = c.group.group.members[i];
        return {show_input(c.trace.request.input.values[member], c.style) + "+" +
                    given_term(c.trace.request.options.residual[member], c.style).text,
                false};
      });
    case StepKind::mean: {
      std::vector<Shown> terms;
      for (const exact::Rational& x : c.group.x) terms.push_back(given_term(x, c.style));
      return mean_of(terms, all, c.style);
    }
    case StepKind::deviations: {
      const Shown mean = show_term(c.group.statistic(c.inference() ? StepKind::running_mean : StepKind::mean), c.style);
      return vector_of(all, c.style, [&](std::size_t i) -> Shown {
        return {show_input(c.group.x[i], c.style) + "-" + mean.text, mean.rounded};
      });
    }
    case StepKind::squares:
      return vector_of(c.values(kind).size(), c.style, [&](std::size_t i) {
        Shown base = bracketed(c.squares_deviations() ? show_term(c.values(StepKind::deviations)[i], c.style)
                                                      : given_term(c.group.x[i], c.style));
        base.text += "²";
        return base;
      });
    case StepKind::square_of_mean: {
      const Shown mean = bracketed(show_term(c.group.statistic(StepKind::mean), c.style));
      return {mean.text + "²", mean.rounded};
    }
    case StepKind::variance: return c.one_pass() ? one_pass_variance(c) : variance_by(c, c.convention().divisor);
    case StepKind::stored_variance: return variance_by(c, c.convention().running_divisor);
    case StepKind::partial_count:
      return {"⌈" + show_input(c.trace.request.options.partial, c.style) + "·" + std::to_string(all) + "⌉", false};
    case StepKind::mean_square: {
      const std::vector<exact::Rational>& x = c.group.x;
      const std::size_t counted = norm::counted(c.trace.request.options.partial, all);
      const std::vector<Value> first(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(counted));
      return mean_of(terms_of(norm::squares_of<Value>(first), c.style), counted, c.style);
    }
    case StepKind::variance_eps: return under_root(c, Root::std);
    case StepKind::mean_square_eps: return under_root(c, Root::rms);
    case StepKind::std: return root(under_root(c, Root::std));
    case StepKind::rms: return root(under_root(c, Root::rms));
    case StepKind::std_eps:
    case StepKind::rms_eps: {
      Shown shown = root(under_root(c, kind == StepKind::std_eps ? Root::std : Root::rms));
      shown.text += "+" + c.eps();
      return shown;
    }
    case StepKind::sample_std: {
      const std::vector<Value> x(c.group.x.begin(), c.group.x.end());
      const Value mean = sum(std::span<const Value>(x)) / Value(static_cast<std::int64_t>(all));
      const auto squares = norm::each<Value>(x, [&](const Value& x_i) { return (x_i - mean) * (x_i - mean); });
      return root(mean_of(terms_of(squares, c.style), all - 1, c.style));
    }
    case StepKind::factor: {
      const Value& s = c.group.statistic(StepKind::sample_std);
      if (s.is_undefined()) return {};
      const Shown shown = bracketed(show_term(s, c.style));
      return {"1/(1+e^(-" + alpha(c).text + "·" + shown.text + "))", shown.rounded};
    }
    case StepKind::rms_normalized: return quotients(c, Root::rms);
    case StepKind::layer_normalized: return quotients(c, Root::std);
    case StepKind::normalized: return vector_of(all, c.style, normalized_of(c));
    case StepKind::cast: return {};
    case StepKind::output: return substitute_output(c);
    case StepKind::running_mean:
      return c.inference() ? Shown{} : update(c, before.mean[c.group.index], c.group.statistic(StepKind::mean));
    case StepKind::running_var:
      return c.inference() ? Shown{}
                           : update(c, before.variance[c.group.index], c.group.statistic(StepKind::stored_variance));
    case StepKind::running_rms: return update(c, before.rms, c.group.statistic(StepKind::rms));
  }
  return {};
}

std::string symbol(const Context& c, StepKind kind) {
  const std::string x = c.x();
  switch (kind) {
    case StepKind::residual_sum: return "h";
    case StepKind::mean: return "μ";
    case StepKind::deviations: return x + "-" + c.mean();
    case StepKind::squares: return c.squares_deviations() ? "(" + x + "-μ)²" : x + "²";
    case StepKind::square_of_mean: return "μ²";
    case StepKind::variance: return "σ²";
    case StepKind::variance_eps: return c.variance() + "+ε";
    case StepKind::std: return c.eps_inside() ? "√(" + c.variance() + "+ε)" : c.inference() ? "σᵣ" : "σ";
    case StepKind::std_eps: return c.inference() ? "σᵣ+ε" : "σ+ε";
    case StepKind::partial_count: return "k";
    case StepKind::mean_square: return "mean(" + x + "²)";
    case StepKind::mean_square_eps: return "mean(" + x + "²)+ε";
    case StepKind::rms: return "RMS";
    case StepKind::rms_eps: return "RMS+ε";
    case StepKind::rms_normalized: return "x̂ʳ";
    case StepKind::layer_normalized: return "x̂ˡ";
    case StepKind::sample_std: return "s";
    case StepKind::factor: return "f";
    case StepKind::normalized:
    case StepKind::cast: return "x̂";
    case StepKind::output: return "y";
    case StepKind::stored_variance: return c.convention().running_divisor == norm::Divisor::n ? "σ²" : "s²";
    case StepKind::running_mean: return "μᵣ";
    case StepKind::running_var: return "σᵣ²";
    case StepKind::running_rms: return "RMSᵣ";
  }
  return {};
}

std::string divided_by(const std::string& sum, const std::string& count, norm::Divisor divisor) {
  return sum + "/" + (divisor == norm::Divisor::n ? count : "(" + count + "-1)");
}

std::string quotient_formula(const Context& c, Root kind) {
  const bool added = !c.convention().eps.is_zero() && !c.eps_inside();
  if (kind == Root::rms) return c.x() + (added ? "ᵢ/(RMS+ε)" : "ᵢ/RMS");
  return (c.centred() ? "(" + c.x() + "ᵢ-" + c.mean() + ")/" : c.x() + "ᵢ/") +
         (added ? "(" + symbol(c, StepKind::std_eps) + ")" : symbol(c, StepKind::std));
}

std::string formula(const Context& c, StepKind kind) {
  const std::string count = c.letter();
  const std::string x = c.x();
  switch (kind) {
    case StepKind::residual_sum: return "xᵢ+vᵢ";
    case StepKind::mean: return "Σ" + x + "ᵢ/" + count;
    case StepKind::deviations: return x + "ᵢ-" + c.mean();
    case StepKind::squares: return c.squares_deviations() ? "(" + x + "ᵢ-μ)²" : x + "ᵢ²";
    case StepKind::square_of_mean: return "μ²";
    case StepKind::variance:
      if (c.one_pass())
        return c.convention().divisor == norm::Divisor::n ? "mean(" + x + "²)-μ²"
                                                          : "(mean(" + x + "²)-μ²)·" + count + "/(" + count + "-1)";
      return divided_by("Σ(" + x + "ᵢ-μ)²", count, c.convention().divisor);
    case StepKind::stored_variance: return divided_by("Σ(" + x + "ᵢ-μ)²", count, c.convention().running_divisor);
    case StepKind::std: return c.eps_inside() ? "√(" + c.variance() + "+ε)" : "√" + c.variance();
    case StepKind::partial_count: return "⌈p·d⌉";
    case StepKind::mean_square: return "Σ" + x + "ᵢ²/" + (c.group.find(StepKind::partial_count) ? "k" : count);
    case StepKind::rms: return c.eps_inside() ? "√(mean(" + x + "²)+ε)" : "√mean(" + x + "²)";
    case StepKind::variance_eps:
    case StepKind::mean_square_eps:
    case StepKind::std_eps:
    case StepKind::rms_eps: return symbol(c, kind);
    case StepKind::rms_normalized: return quotient_formula(c, Root::rms);
    case StepKind::layer_normalized: return quotient_formula(c, Root::std);
    case StepKind::sample_std: return "√(Σ(" + x + "ᵢ-μ)²/(" + count + "-1))";
    case StepKind::factor: return "1/(1+e^(-α·s))";
    case StepKind::normalized:
      if (c.trace.request.norm->formula == norm::Formula::mix) return "α·x̂ʳᵢ+(1-α)·x̂ˡᵢ";
      if (c.trace.request.norm->formula == norm::Formula::scale_by_spread) return "f·x̂ʳᵢ";
      return quotient_formula(c, c.group.has_deviations() ? Root::std : Root::rms);
    case StepKind::cast: return "x̂ᵢ";
    case StepKind::output: {
      const bool one_plus = c.convention().gamma_form == norm::GammaForm::one_plus;
      std::string text = c.convention().gamma.empty() ? "x̂ᵢ" : one_plus ? "(1+γᵢ)·x̂ᵢ" : "γᵢ·x̂ᵢ";
      if (!c.convention().beta.empty()) text += "+βᵢ";
      return text;
    }
    case StepKind::running_mean: return c.inference() ? "μᵣ" : "(1-m)·μᵣ+m·μ";
    case StepKind::running_var: return c.inference() ? "σᵣ²" : "(1-m)·σᵣ²+m·" + symbol(c, StepKind::stored_variance);
    case StepKind::running_rms: return "(1-m)·RMSᵣ+m·RMS";
  }
  return {};
}

// Of a step over the whole input, as keepdim prints it.
std::string shape(const Context& c, const trace::Step& step) {
  const tensor::Tensor& input = c.trace.request.input;
  const bool one_a_group = norm::is_statistic(step.kind);
  std::vector<std::size_t> extents = one_a_group ? tensor::blocks(input.shape, c.trace.request.layout()) : input.shape;
  if (&c.group == (c.trace.watch ? &*c.trace.watch : nullptr)) extents.assign(extents.size(), 1);
  std::string text = "(";
  for (std::size_t i = 0; i < extents.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(extents[i]);
  return text + (extents.size() == 1 ? ",)" : ")");
}

}  // namespace

std::string count_letter(const Trace& trace, const GroupTrace& group) {
  switch (trace.watch && &*trace.watch == &group ? tensor::Axis::all : trace.request.norm->axis) {
    case tensor::Axis::token: return "d";
    case tensor::Axis::feature: return "m";
    default: return "n";
  }
}

Phrase phrase(const Trace& trace, const GroupTrace& group, const trace::Step& step, const Style& style) {
  const Context context{trace, group, style};
  Phrase result;
  result.label = words::say(style.language, "step." + std::string(norm::id(step.kind)));
  result.symbol = symbol(context, step.kind);
  result.formula = formula(context, step.kind);
  result.substitution = substitution(context, step.kind);
  result.shape = shape(context, step);
  return result;
}

Shown result(const trace::Step& step, const Style& style) {
  return norm::is_statistic(step.kind) ? show(step.values.front(), style) : show(step.values, style);
}

std::string exact_form(const trace::Step& step, const Style& style) {
  return norm::is_statistic(step.kind) ? show_exact(step.values.front(), style) : show_exact(step.values, style);
}

}  // namespace normtrace::render
