#include "trace/geometry.h"

#include <algorithm>

#include "norm/formulas.h"

namespace normtrace::trace {

namespace {

using Values = std::vector<Value>;

Value degrees(const Values& x, const Values& y) { return degrees_of_cosine(cosine(x, y)); }

// x/length·√d: on the sphere of radius √d.
Values on_sphere(const Values& x) {
  const Value rms = length(x) / sqrt(Value(static_cast<std::int64_t>(x.size())));
  return norm::each<Value>(x, [&](const Value& x_i) { return x_i / rms; });
}

bool all_proved_equal(const Values& x, const Values& y) { return std::ranges::equal(x, y, exact::proved_equal); }

void add_angle(Section& section, std::string id, std::string formula, const Value& degrees) {
  section.number(std::move(id), "", std::move(formula), degrees);
  section.items.back().unit = "°";
}

std::string token_name(const tensor::Tensor& tokens, std::size_t row) { return tokens.tokens[row]; }

Section token_section(const std::string& name, const Geometry& g) {
  const auto d = static_cast<std::int64_t>(g.x.size());
  const Value root_d = sqrt(Value(d));
  Section section{name, {"geometry.token", {name}}, {}};
  section.given("vector", "x", g.x);
  section.number("vector_length", "‖x‖", "", length(g.x));
  section.number("mean", "μ", "", g.mean);
  section.numbers("projection", "x-μ", "", g.projection);
  section.number("projection_length", "‖x-μ‖", "", length(g.projection));
  section.number("pythagoras", "‖x‖²", "‖x-μ‖²+d·μ²", dot(g.x, g.x),
                 {{dot(g.projection, g.projection), "+" + std::to_string(d) + "·", g.mean * g.mean}});
  section.numbers("layernorm", "", "", g.layernorm);
  section.numbers("rmsnorm", "", "", g.rmsnorm);
  section.numbers("rmsnorm_of_projection", "", "", g.rmsnorm_of_projection);
  section.number("layernorm_length", "", "", length(g.layernorm));
  section.number("rmsnorm_length", "", "", length(g.rmsnorm));
  section.number("radius", "√d", "", root_d, {{"√" + std::to_string(d)}});
  section.number("cosine", "", "σ/RMS", cosine(g.layernorm, g.rmsnorm));
  add_angle(section, "angle", "", degrees(g.layernorm, g.rmsnorm));
  add_angle(section, "angle_to_ones", "", degrees(g.x, Values(g.x.size(), 1)));
  section.number("rmsnorm_mean", "", "μ/RMS", sum(std::span<const Value>(g.rmsnorm)) / Value(d));
  section.number("largest_layernorm", "", "√(d-1)", sqrt(Value(d - 1)), {{"√(" + std::to_string(d) + "-1)"}});
  section.number("largest_rmsnorm", "", "√d", root_d, {{"√" + std::to_string(d)}});
  if (all_proved_equal(g.layernorm, g.rmsnorm_of_projection)) section.remarks.push_back({"geometry.projected"});
  if (all_proved_equal(g.layernorm, g.rmsnorm)) section.remarks.push_back({"geometry.same"});
  if (g.rmsnorm.front().is_undefined())
    section.remarks.push_back({"geometry.zero"});
  else if (g.layernorm.front().is_undefined())
    section.remarks.push_back({"geometry.constant"});
  return section;
}

Section pair_section(const tensor::Tensor& tokens, std::size_t i, std::size_t j, const Geometry& x, const Geometry& y) {
  const std::string first = token_name(tokens, i);
  const std::string second = token_name(tokens, j);
  Section section{first + " " + second, {"geometry.pair", {first, second}}, {}};
  section.number("distance", "", "", distance(x.x, y.x));
  section.number("distance_layernorm", "", "", distance(x.layernorm, y.layernorm));
  section.number("distance_rmsnorm", "", "", distance(x.rmsnorm, y.rmsnorm));
  section.number("cosine_before", "", "", cosine(x.x, y.x));
  section.number("cosine_layernorm", "", "", cosine(x.layernorm, y.layernorm));
  section.number("cosine_rmsnorm", "", "", cosine(x.rmsnorm, y.rmsnorm));
  return section;
}

}  // namespace

Value dot(const Values& x, const Values& y) {
  Values products;
  for (std::size_t i = 0; i < x.size(); ++i) products.push_back(x[i] * y[i]);
  return sum(std::span<const Value>(products));
}

Value length(const Values& x) { return sqrt(dot(x, x)); }

Value cosine(const Values& x, const Values& y) { return dot(x, y) / (length(x) * length(y)); }

Value distance(const Values& x, const Values& y) {
  // ‖x‖² + ‖y‖² − 2x·y needs one root only, however many x and y hold.
  return sqrt(dot(x, x) + dot(y, y) - Value(2) * dot(x, y));
}

Geometry geometry(const Values& x) {
  Geometry g{x, sum(std::span<const Value>(x)) / Value(static_cast<std::int64_t>(x.size())), {}, {}, {}, {}};
  norm::NoRecorder nothing;
  g.projection = norm::deviations_from(g.mean, std::span<const Value>(x), nothing);
  const norm::Setting<Value> plain;
  g.layernorm = norm::standardize(std::span<const Value>(x), plain, nothing);
  g.rmsnorm = norm::divide_by_rms(std::span<const Value>(x), plain, nothing);
  g.rmsnorm_of_projection = on_sphere(g.projection);
  return g;
}

Report geometry_report(const tensor::Tensor& tokens) {
  Report report{"geometry", {"geometry.title", {std::to_string(tokens.width())}}, {}};
  std::vector<Geometry> all;
  for (std::size_t row = 0; row < tokens.rows(); ++row) {
    Values x;
    for (std::size_t column = 0; column < tokens.width(); ++column) x.emplace_back(tokens.at(row, column));
    all.push_back(geometry(x));
    report.sections.push_back(token_section(token_name(tokens, row), all.back()));
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j)
      report.sections.push_back(pair_section(tokens, i, j, all[i], all[j]));
  if (all.size() > 1) report.remarks.push_back({"geometry.pairs"});
  report.remarks.push_back({"geometry.extremes"});
  return report;
}

}  // namespace normtrace::trace
