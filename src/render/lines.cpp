#include "render/lines.h"

#include <array>
#include <utility>

#include "render/phrase.h"

namespace normtrace::render {

using exact::Value;
using norm::StepKind;
using trace::CheckStatus;
using trace::GroupTrace;
using trace::Trace;
using words::say;

namespace {

// Which parts of a step an article writes down; steps without a row it passes over.
struct ArticleStep {
  StepKind kind;
  bool symbol;
  bool substitution;
};
constexpr std::array article_steps = {
    ArticleStep{StepKind::mean, true, true},           ArticleStep{StepKind::deviations, false, false},
    ArticleStep{StepKind::variance, true, true},       ArticleStep{StepKind::std, false, false},
    ArticleStep{StepKind::std_eps, true, true},        ArticleStep{StepKind::mean_square, false, true},
    ArticleStep{StepKind::square_of_mean, true, true}, ArticleStep{StepKind::rms, false, true},
    ArticleStep{StepKind::rms_eps, true, true},        ArticleStep{StepKind::normalized, false, false},
    ArticleStep{StepKind::output, false, false},
};

bool has_affine(const Trace& trace) {
  return !trace.request.convention.gamma.empty() || !trace.request.convention.beta.empty();
}

// = a = b ≈ c, leaving out what would only be said twice. Once something was rounded, no further = may follow.
class Chain {
 public:
  void add(const Shown& link) {
    if (link.text.empty() || link.text == last_) return;
    rounded_ |= link.rounded;
    text_ += (text_.empty() ? "" : " ") + std::string(rounded_ ? "≈ " : "= ") + link.text;
    last_ = link.text;
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::string last_;
  bool rounded_ = false;
};

Line full_line(const Trace& trace, const GroupTrace& group, const trace::Step& step, const Style& style) {
  const Phrase phrase = render::phrase(trace, group, step, style);
  Chain chain;
  if (phrase.formula != phrase.symbol) chain.add({phrase.formula, false});
  chain.add(phrase.substitution);
  chain.add({exact_form(step, style), false});
  chain.add(result(step, style));
  const std::string label = phrase.label == phrase.symbol ? phrase.label : phrase.label + " " + phrase.symbol;
  return {label, chain.take() + (trace.request.input.shape.size() > 1 ? "  " + phrase.shape : "")};
}

Line article_line(const Trace& trace, const GroupTrace& group, const trace::Step& step, const ArticleStep& wanted,
                  const Style& style) {
  const Phrase words = phrase(trace, group, step, style);
  // With ε inside, σ is no longer the root of what stands one line above: say of what.
  const bool with_eps = step.kind == StepKind::std && group.find(StepKind::variance_eps);
  Chain chain;
  if (wanted.substitution || with_eps) chain.add(words.substitution);
  if (norm::is_statistic(step.kind) && step.values.front().rational()) chain.add({exact_form(step, style), false});
  chain.add(result(step, style));
  std::string head = words.label;
  if (step.kind == StepKind::normalized && !has_affine(trace)) head = say(style.language, "step.result");
  if ((wanted.symbol || with_eps) && words.symbol != words.label) head += " " + words.symbol;
  return {head, chain.take()};
}

// A value close to a whole number, told apart from it: 4 - 3.200×10⁻⁵.
std::string against_target(const Value& value, std::size_t target, const Style& style) {
  const Shown plain = show(value, style);
  const Value whole(static_cast<std::int64_t>(target));
  if (!plain.rounded) return "= " + plain.text;
  if (to_fixed(value, style.digits) != to_fixed(whole, style.digits)) return "≈ " + plain.text;
  const Value difference = value - whole;
  const Shown small = show(abs(difference), style);
  return std::string(small.relation()) + " " + std::to_string(target) + (difference.sign() < 0 ? " - " : " + ") +
         small.text;
}

}  // namespace

std::string echo(const tensor::Tensor& input, const Style& style) {
  std::vector<std::string> rows;
  for (std::size_t row = 0; row < input.rows(); ++row) {
    const auto begin = input.values.begin() + static_cast<std::ptrdiff_t>(row * input.width());
    rows.push_back(input.tokens[row] + " = " +
                   show_input({begin, begin + static_cast<std::ptrdiff_t>(input.width())}, style));
  }
  Style eliding = style;
  eliding.elide = true;
  const auto counted = [&](std::string_view noun, std::size_t count) {
    return say(style.language, {"count." + std::string(noun) + (count == 1 ? "" : "s"), {std::to_string(count)}});
  };
  return counted("token", input.rows()) + " × " + counted("feature", input.width()) +
         say(style.language, "title.colon") + join(rows, say(style.language, "list.separator"), eliding);
}

std::string title(const trace::Request& request, const Style& style) {
  const norm::Convention& convention = request.convention;
  const bool centred = request.norm->formula == norm::Formula::standardize;
  std::vector<std::string> parts;
  if (!convention.eps.is_zero())
    parts.push_back(say(style.language, {"convention." + std::string(norm::id(convention.eps_place)),
                                         {show_input(convention.eps, style)}}));
  if (centred && convention.divisor != norm::Divisor::n) parts.push_back(say(style.language, "convention.n_minus_one"));
  if (centred && convention.variance == norm::VarianceMethod::one_pass)
    parts.push_back(say(style.language, "convention.one_pass"));
  if (!convention.gamma.empty()) parts.push_back("γ = " + show_input(convention.gamma, style));
  if (!convention.beta.empty()) parts.push_back("β = " + show_input(convention.beta, style));
  std::string text(request.norm->name);
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? say(style.language, "title.colon") : say(style.language, "list.separator")) + parts[i];
  return text;
}

Line group_line(const Trace& trace, const GroupTrace& group, const Style& style) {
  std::vector<exact::Rational> values;
  values.reserve(group.group.members.size());
  for (const std::size_t member : group.group.members) values.push_back(trace.request.input.values[member]);
  return {group.group.name, "= " + show_input(values, style)};
}

std::vector<Line> step_lines(const Trace& trace, const GroupTrace& group, const Style& style) {
  std::vector<Line> lines;
  if (style.steps == Steps::none) return lines;
  if (style.steps == Steps::brief) {
    Chain chain;
    chain.add(show(group.find(StepKind::output)->values, style));
    return {{say(style.language, "step.result"), chain.take()}};
  }
  for (const trace::Step& step : group.steps) {
    if (step.kind == StepKind::output && !has_affine(trace)) continue;
    if (style.steps == Steps::full) {
      lines.push_back(full_line(trace, group, step, style));
      continue;
    }
    for (const ArticleStep& wanted : article_steps)
      if (wanted.kind == step.kind) lines.push_back(article_line(trace, group, step, wanted, style));
  }
  lines.push_back(check_line(trace, group, style));
  return lines;
}

Line check_line(const Trace& trace, const GroupTrace& group, const Style& style) {
  const trace::Check& check = group.check;
  const std::string letter = trace.request.norm->axis == tensor::Axis::feature ? "m" : "d";
  const std::string target = letter + " = " + std::to_string(check.target);
  Line line{say(style.language, "check.head"), {}};
  if (check.status == CheckStatus::undefined) {
    line.body = say(style.language, "check.undefined");
    return line;
  }
  Chain root;
  const Value norm = sqrt(check.norm_squared);
  if (const std::string exact = show_exact(norm, style); !exact.empty()) root.add({exact, false});
  root.add(show(norm, style));
  line.body = say(style.language, {"check." + std::string(trace::id(check.status)),
                                   {against_target(check.norm_squared, check.target, style), target, root.take(),
                                    letter, std::to_string(check.target)}});
  return line;
}

Line output_line(const Trace& trace, std::size_t row, const Style& style) {
  const std::size_t width = trace.request.input.width();
  const auto begin = trace.output.begin() + static_cast<std::ptrdiff_t>(row * width);
  Chain chain;
  chain.add(show(std::vector<Value>(begin, begin + static_cast<std::ptrdiff_t>(width)), style));
  return {trace.request.input.tokens[row], chain.take()};
}

}  // namespace normtrace::render
