#include "render/lines.h"

#include <array>
#include <utility>

#include "render/chain.h"
#include "render/machine_view.h"
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
    ArticleStep{StepKind::output, false, false},       ArticleStep{StepKind::residual_sum, true, false},
    ArticleStep{StepKind::partial_count, true, true},  ArticleStep{StepKind::rms_normalized, false, false},
    ArticleStep{StepKind::sample_std, true, false},    ArticleStep{StepKind::layer_normalized, false, false},
    ArticleStep{StepKind::factor, true, true},         ArticleStep{StepKind::stored_variance, true, true},
    ArticleStep{StepKind::running_mean, true, true},   ArticleStep{StepKind::running_var, true, true},
    ArticleStep{StepKind::running_rms, true, true},
};

bool has_affine(const Trace& trace) {
  return !trace.request.convention.gamma.empty() || !trace.request.convention.beta.empty();
}

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

bool keeps_statistics(const trace::Request& request) {
  return request.mode == trace::Mode::training || request.mode == trace::Mode::watched;
}

bool has_channels(const trace::Request& request) {
  const tensor::Axis axis = request.norm->axis;
  return axis != tensor::Axis::token && request.input.shape.size() > 2;
}

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
  if (input.shape.size() > 2) {
    std::string extents;
    for (const std::size_t extent : input.shape) extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
    return say(style.language, {"trace.shape", {extents}}) + say(style.language, "title.colon") +
           join(rows, say(style.language, "list.separator"), eliding);
  }
  return counted("token", input.rows()) + " × " + counted("feature", input.width()) +
         say(style.language, "title.colon") + join(rows, say(style.language, "list.separator"), eliding);
}

std::string title(const trace::Request& request, const Style& style) {
  const norm::Convention& convention = request.convention;
  const norm::Options& options = request.options;
  const bool centred = request.norm->formula == norm::Formula::standardize ||
                       request.norm->formula == norm::Formula::mix ||
                       request.norm->formula == norm::Formula::divide_by_std;
  std::vector<std::string> parts;
  const auto add = [&](const std::string& id, std::vector<std::string> arguments = {}) {
    parts.push_back(say(style.language, {"convention." + id, std::move(arguments)}));
  };
  if (!convention.like.empty()) add("like", {std::string(convention.like)});
  if (request.mode != trace::Mode::plain) add(std::string(trace::id(request.mode)));
  if (keeps_statistics(request)) {
    if (convention.momentum)
      add("momentum", {show_input(*convention.momentum, style)});
    else
      add("cumulative");
    if (request.mode == trace::Mode::training)
      add(convention.running_divisor == norm::Divisor::n ? "kept_n" : "kept_n1");
  }
  if (request.norm->axis == tensor::Axis::group) add("groups", {std::to_string(options.groups)});
  if (options.axes > 1) add("axes", {std::to_string(options.axes)});
  if (has_channels(request)) add("channels_" + std::string(tensor::id(options.channels)));
  if (!options.partial.is_one()) parts.push_back("p = " + show_input(options.partial, style));
  if (!request.norm->alpha.empty()) parts.push_back("α = " + show_input(options.alpha, style));
  if (!options.residual.empty()) parts.emplace_back("h = x+v");
  if (!convention.eps.is_zero())
    parts.push_back(say(style.language, {"convention." + std::string(norm::id(convention.eps_place)),
                                         {show_eps(convention.eps, style)}}));
  const bool divides = centred && request.mode != trace::Mode::inference;
  if (divides && convention.divisor != norm::Divisor::n) parts.push_back(say(style.language, "convention.n_minus_one"));
  if (centred && convention.variance == norm::VarianceMethod::one_pass)
    parts.push_back(say(style.language, "convention.one_pass"));
  if (!convention.gamma.empty()) {
    if (convention.gamma_form == norm::GammaForm::one_plus) add("one_plus");
    parts.push_back("γ = " + show_input(convention.gamma, style));
  }
  if (!convention.beta.empty()) parts.push_back("β = " + show_input(convention.beta, style));
  if (convention.machine.dtype) parts.push_back(machine_title(convention.machine, style));
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
    if (const trace::Step* const output = group.find(StepKind::output)) {
      chain.add(show(output->values, style));
      lines.push_back({say(style.language, "step.result"), chain.take()});
    }
    for (const trace::Step& step : group.steps)
      if (norm::is_running(step.kind))
        lines.push_back(article_line(trace, group, step, {step.kind, true, false}, style));
    return lines;
  }
  bool checked = false;
  for (const trace::Step& step : group.steps) {
    if (step.kind == StepKind::output && !has_affine(trace)) continue;
    // What is kept for later batches comes after all that belongs to this one.
    if (step.kind == StepKind::stored_variance) {
      lines.push_back(check_line(trace, group, style));
      checked = true;
    }
    if (style.steps == Steps::full) {
      lines.push_back(full_line(trace, group, step, style));
      continue;
    }
    for (const ArticleStep& wanted : article_steps)
      if (wanted.kind == step.kind) lines.push_back(article_line(trace, group, step, wanted, style));
  }
  if (!checked && group.find(StepKind::normalized)) lines.push_back(check_line(trace, group, style));
  return lines;
}

std::string watch_heading(const GroupTrace& watch, const Style& style) {
  return say(style.language, {"passes.watch", {std::to_string(watch.x.size())}});
}

std::string pass_heading(const trace::Passes& passes, std::size_t index, const Style& style) {
  const bool again = passes.evaluated() && index + 1 == passes.traces.size();
  const std::string mode(trace::id(passes.traces[index].request.mode));
  return say(style.language, {again ? "passes.again" : "passes.batch", {std::to_string(index + 1)}}) +
         say(style.language, "title.colon") + say(style.language, "passes." + mode);
}

Line check_line(const Trace& trace, const GroupTrace& group, const Style& style) {
  const trace::Check& check = group.check;
  const std::string letter = count_letter(trace, group);
  const std::string target = letter + " = " + std::to_string(check.target);
  Line line{say(style.language, "check.head"), {}};
  if (check.status == CheckStatus::undefined) {
    line.body = say(style.language, check.reason);
    return line;
  }
  Chain root;
  const Value norm = sqrt(check.norm_squared);
  if (const std::string exact = show_exact(norm, style); !exact.empty()) root.add({exact, false});
  root.add(show(norm, style));
  line.body = say(style.language,
                  {"check." + std::string(trace::id(check.status)),
                   {against_target(check.norm_squared, check.target, style), target, root.take(), letter,
                    std::to_string(check.target), check.reason.empty() ? "" : say(style.language, check.reason)}});
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
