#include "classroom/explain/report.h"
#include "classroom/explain/report_words.h"
#include "render/json_writer.h"

namespace normtrace::classroom::explain {

namespace {

void write_eps(render::JsonWriter& json, const Rule& rule) {
  json.key("eps");
  json.begin_object();
  json.key("value");
  json.input(rule.eps.value);
  for (const Choice<EpsPlace>& place : eps_places())
    if (place.kind == rule.eps.place) json.member("place", place.id);
  json.key("name");
  if (rule.eps.name)
    json.string(rule.eps.name->id);
  else
    json.null();
  json.end_object();
}

void write_rule(render::JsonWriter& json, const Rule& rule, const Answer& answer, const Question& question,
                const render::Style& style) {
  json.begin_object();
  json.member("id", rule.structure());
  json.member("norm", rule.norm());
  json.key("divisor");
  if (!rule.core->squared || rule.norm() == "l2")
    json.null();
  else
    json.string(rule.core->over == Core::Over::n ? "n" : "n-1");
  write_eps(json, rule);
  json.member("axis", rule.grouping->axis);
  json.key("groups");
  json.number(rule.groups);
  json.member("mode", rule.core->inference ? "inference" : "training");
  for (const Choice<AffineUse>& use : affine_uses())
    if (use.kind == rule.affine) json.member("affine", use.id);
  json.key("slips");
  json.begin_array();
  for (const std::string_view slip : rule.slips()) json.string(slip);
  json.end_array();
  json.key("cost");
  json.machine(steady(rule.cost));
  json.key("max_error");
  json.machine(rule.max_error < 1e-15L ? 0 : steady(rule.max_error, 3));
  json.member("sentence", sentence(rule, answer, question, style.language));
  json.end_object();
}

}  // namespace

std::string json(const Answer& answer, const Question& question, const std::vector<words::Message>& notes,
                 const render::Style& style) {
  return answer_json(id(answer.verdict), notes, style, [&](render::JsonWriter& json) {
    json.member("tolerance", id(answer.tolerance));
    json.key("rules");
    json.begin_array();
    for (const Rule& rule : answer.rules) write_rule(json, rule, answer, question, style);
    json.end_array();
    json.key("nearest");
    if (answer.nearest)
      write_rule(json, *answer.nearest, answer, question, style);
    else
      json.null();
  });
}

}  // namespace normtrace::classroom::explain
