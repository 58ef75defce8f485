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

// Everything that the wording of a step may depend on.
struct Context {
  const Trace& trace;
  const GroupTrace& group;
  const Style& style;

  [[nodiscard]] const norm::Convention& convention() const { return trace.request.convention; }
  [[nodiscard]] bool over_batch() const { return trace.request.norm->axis == tensor::Axis::feature; }
  // The letter of the count: d features of a token, m samples of a batch.
  [[nodiscard]] std::string count_letter() const { return over_batch() ? "m" : "d"; }
  [[nodiscard]] std::size_t count() const { return group.group.members.size(); }
  [[nodiscard]] bool centred() const { return group.find(StepKind::deviations) != nullptr; }
  [[nodiscard]] bool one_pass() const { return centred() && convention().variance == norm::VarianceMethod::one_pass; }
  // Whether the squares are those of the deviations, as opposed to those of x.
  [[nodiscard]] bool squares_deviations() const { return centred() && !one_pass(); }
  [[nodiscard]] bool eps_inside() const {
    return !convention().eps.is_zero() && convention().eps_place == norm::EpsPlace::inside_root;
  }
  [[nodiscard]] const exact::Rational& input(std::size_t i) const {
    return trace.request.input.values[group.group.members[i]];
  }
  [[nodiscard]] const std::vector<Value>& values(StepKind kind) const { return group.find(kind)->values; }
  [[nodiscard]] const Value& statistic() const {
    return group.statistic(centred() ? StepKind::variance : StepKind::mean_square);
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
Shown under_root(const Context& c) {
  Shown v = show_term(c.statistic(), c.style);
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
Shown divisor_factor(const Context& c) {
  const bool added = !c.convention().eps.is_zero() && !c.eps_inside();
  const Value& plain_root = c.group.statistic(c.centred() ? StepKind::std : StepKind::rms);
  Shown shown = plain_root.rational() ? show_term(plain_root, c.style) : root(under_root(c));
  if (added) return {"(" + shown.text + "+" + c.eps() + ")", shown.rounded};
  if (plain_root.rational() && needs_brackets(shown.text)) shown.text = "(" + shown.text + ")";
  return shown;
}

Shown quotient(const Context& c, std::size_t i, const Shown& divisor) {
  Shown numerator;
  if (c.centred()) {
    const Value& deviation = c.values(StepKind::deviations)[i];
    numerator = show_term(deviation, c.style);
    // A leading minus cannot be misread in front of a division.
    if (!numerator.rounded && deviation.rational()->is_whole()) numerator = show(deviation, c.style);
  } else {
    numerator = {show_input(c.input(i), c.style), false};
  }
  if (needs_brackets(numerator.text) && !numerator.text.starts_with("(")) numerator.text = "(" + numerator.text + ")";
  return {numerator.text + "/" + divisor.text, numerator.rounded || divisor.rounded};
}

Shown substitute_output(const Context& c) {
  const norm::Convention& convention = c.convention();
  if (convention.gamma.empty() && convention.beta.empty()) return {};
  const Shown divisor = divisor_factor(c);
  return vector_of(c.count(), c.style, [&](std::size_t i) {
    const std::size_t parameter = c.group.group.parameters[i];
    Shown shown = quotient(c, i, divisor);
    if (!convention.gamma.empty())
      shown.text = show_input(convention.gamma[parameter], c.style) + "·(" + shown.text + ")";
    if (!convention.beta.empty()) shown.text += "+" + given_term(convention.beta[parameter], c.style).text;
    return shown;
  });
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

Shown substitution(const Context& c, StepKind kind) {
  switch (kind) {
    case StepKind::mean: {
      std::vector<Shown> terms;
      for (std::size_t i = 0; i < c.count(); ++i) terms.push_back(given_term(c.input(i), c.style));
      return mean_of(terms, c.count(), c.style);
    }
    case StepKind::deviations: {
      const Shown mean = show_term(c.group.statistic(StepKind::mean), c.style);
      return vector_of(c.count(), c.style, [&](std::size_t i) -> Shown {
        return {show_input(c.input(i), c.style) + "-" + mean.text, mean.rounded};
      });
    }
    case StepKind::squares:
      return vector_of(c.count(), c.style, [&](std::size_t i) {
        Shown base = c.squares_deviations() ? show_term(c.values(StepKind::deviations)[i], c.style)
                                            : given_term(c.input(i), c.style);
        if (needs_brackets(base.text) && !base.text.starts_with("(")) base.text = "(" + base.text + ")";
        base.text += "²";
        return base;
      });
    case StepKind::square_of_mean: {
      Shown mean = show_term(c.group.statistic(StepKind::mean), c.style);
      if (needs_brackets(mean.text) && !mean.text.starts_with("(")) mean.text = "(" + mean.text + ")";
      return {mean.text + "²", mean.rounded};
    }
    case StepKind::variance: {
      if (c.one_pass()) return one_pass_variance(c);
      const std::size_t count = c.convention().divisor == norm::Divisor::n ? c.count() : c.count() - 1;
      return mean_of(terms_of(c.values(StepKind::squares), c.style), count, c.style);
    }
    case StepKind::mean_square: return mean_of(terms_of(c.values(StepKind::squares), c.style), c.count(), c.style);
    case StepKind::variance_eps:
    case StepKind::mean_square_eps: return under_root(c);
    case StepKind::std:
    case StepKind::rms: return root(under_root(c));
    case StepKind::std_eps:
    case StepKind::rms_eps: {
      Shown shown = root(under_root(c));
      shown.text += "+" + c.eps();
      return shown;
    }
    case StepKind::normalized: {
      const Shown divisor = divisor_factor(c);
      return vector_of(c.count(), c.style, [&](std::size_t i) { return quotient(c, i, divisor); });
    }
    case StepKind::cast: return {};
    case StepKind::output: return substitute_output(c);
  }
  return {};
}

std::string symbol(const Context& c, StepKind kind) {
  switch (kind) {
    case StepKind::mean: return "μ";
    case StepKind::deviations: return "x-μ";
    case StepKind::squares: return c.squares_deviations() ? "(x-μ)²" : "x²";
    case StepKind::square_of_mean: return "μ²";
    case StepKind::variance: return "σ²";
    case StepKind::variance_eps: return "σ²+ε";
    case StepKind::std: return c.eps_inside() ? "√(σ²+ε)" : "σ";
    case StepKind::std_eps: return "σ+ε";
    case StepKind::mean_square: return "mean(x²)";
    case StepKind::mean_square_eps: return "mean(x²)+ε";
    case StepKind::rms: return "RMS";
    case StepKind::rms_eps: return "RMS+ε";
    case StepKind::normalized:
    case StepKind::cast: return "x̂";
    case StepKind::output: return "y";
  }
  return {};
}

std::string formula(const Context& c, StepKind kind) {
  const std::string count = c.count_letter();
  const bool added = !c.convention().eps.is_zero() && !c.eps_inside();
  switch (kind) {
    case StepKind::mean: return "Σxᵢ/" + count;
    case StepKind::deviations: return "xᵢ-μ";
    case StepKind::squares: return c.squares_deviations() ? "(xᵢ-μ)²" : "xᵢ²";
    case StepKind::square_of_mean: return "μ²";
    case StepKind::variance:
      if (c.one_pass())
        return c.convention().divisor == norm::Divisor::n ? "mean(x²)-μ²"
                                                          : "(mean(x²)-μ²)·" + count + "/(" + count + "-1)";
      return "Σ(xᵢ-μ)²/" + (c.convention().divisor == norm::Divisor::n ? count : "(" + count + "-1)");
    case StepKind::variance_eps: return "σ²+ε";
    case StepKind::std: return c.eps_inside() ? "√(σ²+ε)" : "√σ²";
    case StepKind::std_eps: return "σ+ε";
    case StepKind::mean_square: return "Σxᵢ²/" + count;
    case StepKind::mean_square_eps: return "mean(x²)+ε";
    case StepKind::rms: return c.eps_inside() ? "√(mean(x²)+ε)" : "√mean(x²)";
    case StepKind::rms_eps: return "RMS+ε";
    case StepKind::normalized:
      if (!c.centred()) return added ? "xᵢ/(RMS+ε)" : "xᵢ/RMS";
      return added ? "(xᵢ-μ)/(σ+ε)" : c.eps_inside() ? "(xᵢ-μ)/√(σ²+ε)" : "(xᵢ-μ)/σ";
    case StepKind::cast: return "x̂ᵢ";
    case StepKind::output: {
      std::string text = c.convention().gamma.empty() ? "x̂ᵢ" : "γᵢ·x̂ᵢ";
      if (!c.convention().beta.empty()) text += "+βᵢ";
      return text;
    }
  }
  return {};
}

// Of a step over the whole input, as keepdim prints it.
std::string shape(const Context& c, const trace::Step& step) {
  std::vector<std::size_t> extents = c.trace.request.input.shape;
  if (norm::is_statistic(step.kind)) {
    if (c.over_batch())
      for (std::size_t i = 0; i + 1 < extents.size(); ++i) extents[i] = 1;
    else
      extents.back() = 1;
  }
  std::string text = "(";
  for (std::size_t i = 0; i < extents.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(extents[i]);
  return text + (extents.size() == 1 ? ",)" : ")");
}

}  // namespace

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
