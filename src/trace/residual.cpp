#include "trace/residual.h"

namespace normtrace::trace {

using exact::Rational;

Rational Residual::pre() const { return Rational(1) + j_norm * j_branch; }
Rational Residual::post() const { return j_norm * (Rational(1) + j_branch); }
Value Residual::pre_power() const { return power(Value(pre()), layers); }
Value Residual::post_power() const { return power(Value(post()), layers); }
Value Residual::stream_std() const { return sqrt(Value(static_cast<std::int64_t>(layers) + 1)); }

namespace {

Section path(const std::string& name, const std::string& formula, const Rational& factor, Expression substitution,
             const Value& product, unsigned layers) {
  Section section{name, {"residual." + name}, {}};
  section.number("layer_factor", "", formula, Value(factor), {std::move(substitution)});
  const std::string n = std::to_string(layers);
  section.items.push_back({"layers_factor", "", "", {product}, false, {{Value(factor), "^" + n}}, {}, {n}});
  return section;
}

std::string_view size(const Rational& factor) {
  const Rational magnitude = abs(factor);
  return magnitude.is_one() ? "residual.keeps" : magnitude < Rational(1) ? "residual.vanishes" : "residual.explodes";
}

// The usual picture is that the gradient of Post-Norm shrinks and that of Pre-Norm does not.
void judge(const Residual& residual, std::vector<Remark>& remarks) {
  const Rational difference = residual.pre() - residual.post();
  remarks.push_back({"residual.difference", {Value(difference)}});
  const Rational pre = abs(residual.pre());
  const Rational post = abs(residual.post());
  remarks.push_back({"residual.squares", {Value(pre * pre - post * post)}});
  if (post < pre)
    remarks.push_back({"residual.post_weaker"});
  else
    remarks.push_back({post == pre ? "residual.post_equal" : "residual.post_stronger"});
  if (pre < Rational(1)) remarks.push_back({"residual.pre_shrinks"});
  if (pre > Rational(1)) remarks.push_back({"residual.pre_grows", {residual.pre_power()}});
  remarks.push_back({"residual.scalars_hide"});
}

}  // namespace

Report residual_report(const Residual& residual) {
  const Value a = residual.j_norm;
  const Value b = residual.j_branch;
  Report report{"residual",
                {"residual.title", {given(residual.j_norm), given(residual.j_branch), std::to_string(residual.layers)}},
                {}};
  report.sections.push_back(
      path("pre", "1+A·B", residual.pre(), {"1+", a, "·", b}, residual.pre_power(), residual.layers));
  report.sections.push_back(
      path("post", "A·(1+B)", residual.post(), {a, "·(1+", b, ")"}, residual.post_power(), residual.layers));
  for (Section& section : report.sections)
    section.remarks.push_back({std::string(size(section.name == "pre" ? residual.pre() : residual.post()))});
  Section stream{"stream", {"residual.stream"}, {}};
  stream.number("stream_std", "", "√(1+N)", residual.stream_std(), {{"√(1+" + std::to_string(residual.layers) + ")"}});
  report.sections.push_back(std::move(stream));
  judge(residual, report.remarks);
  return report;
}

}  // namespace normtrace::trace
