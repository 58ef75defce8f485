#include <algorithm>
#include <iterator>

#include "norm/presets.h"
#include "render/json_parts.h"
#include "render/lines.h"
#include "render/phrase.h"
#include "render/render.h"
#include "trace/machine_error.h"

namespace normtrace::render {

namespace {

using exact::Rational;
using exact::Value;

void write_machine_numbers(JsonWriter& json, std::string_view name, const std::vector<double>& values) {
  json.key(name);
  json.begin_array();
  for (const double value : values) json.machine(value);
  json.end_array();
}

void write_machine(JsonWriter& json, const norm::Machine& machine) {
  json.member("dtype", machine.dtype->name);
  json.member("accumulate", machine.computed().accumulator->name);
  json.member("cast_order", norm::id(machine.cast));
}

// "machine" beside "values", and how far each is off; null where the exact value is undefined.
void write_machine_step(JsonWriter& json, const norm::Machine& machine, const trace::Step& step) {
  const exact::Format& format = trace::format_of(machine, step.kind);
  json.member("dtype", format.name);
  write_machine_numbers(json, "machine", step.machine);
  std::vector<std::optional<trace::MachineError>> errors;
  for (std::size_t i = 0; i < step.values.size(); ++i)
    errors.push_back(trace::machine_error(format, step.values[i], step.machine[i]));
  const auto write_errors = [&](std::string_view name, double trace::MachineError::*measure) {
    json.key(name);
    json.begin_array();
    for (const auto& error : errors) {
      if (error)
        json.machine((*error).*measure);
      else
        json.null();
    }
    json.end_array();
  };
  write_errors("relative_error", &trace::MachineError::relative);
  write_errors("ulp_error", &trace::MachineError::ulps);
}

void write_fault(JsonWriter& json, std::string_view name, const std::optional<trace::FaultyStep>& fault) {
  json.key(name);
  if (!fault) return json.null();
  json.begin_object();
  json.member("step", norm::id(fault->step->kind));
  json.key("index");
  json.number(fault->element);
  json.member("cause", trace::id(fault->fault));
  json.end_object();
}

void write_faults(JsonWriter& json, const norm::Convention& convention, const trace::GroupTrace& group) {
  const trace::Faults faults = trace::faults(convention, group);
  write_fault(json, "error_enters", faults.first);
  write_fault(json, "error_grows", faults.first_grave);
}

void write_parameters(JsonWriter& json, std::string_view name, const std::vector<Rational>& parameters) {
  json.key(name);
  if (parameters.empty()) return json.null();
  json.begin_array();
  for (const Rational& parameter : parameters) json.input(parameter);
  json.end_array();
}

// What most norms have no use for is written only where it says something.
void write_options(JsonWriter& json, const trace::Request& request) {
  const norm::Convention& convention = request.convention;
  const norm::Options& options = request.options;
  if (convention.gamma_form != norm::GammaForm::plain) json.member("gamma_form", norm::id(convention.gamma_form));
  if (request.norm->axis == tensor::Axis::group) {
    json.key("groups");
    json.number(options.groups);
  }
  if (options.axes > 1) {
    json.key("axes");
    json.number(options.axes);
  }
  if (has_channels(request)) json.member("channels", tensor::id(options.channels));
  if (!options.partial.is_one()) {
    json.key("partial");
    json.input(options.partial);
  }
  if (!request.norm->alpha.empty()) {
    json.key("alpha");
    json.input(options.alpha);
  }
  if (!options.residual.empty()) write_parameters(json, "residual", options.residual);
  if (!keeps_statistics(request)) return;
  if (convention.momentum) {
    json.key("momentum");
    json.input(*convention.momentum);
  } else {
    json.member("momentum", "cumulative");
  }
  if (request.mode == trace::Mode::training) json.member("running_divisor", norm::id(convention.running_divisor));
}

void write_step(JsonWriter& json, const trace::Trace& trace, const trace::GroupTrace& group, const trace::Step& step,
                const Style& style) {
  const Phrase words = phrase(trace, group, step, style);
  json.begin_object();
  json.member("id", norm::id(step.kind));
  json.member("symbol", words.symbol);
  json.member("formula", words.formula);
  json.member("substitution", words.substitution.text);
  json.member("shape", words.shape);
  json.key("values");
  json.begin_array();
  for (const Value& value : step.values) json.value(value);
  json.end_array();
  if (const norm::Machine& machine = trace.request.convention.machine; !step.machine.empty())
    write_machine_step(json, machine, step);
  json.end_object();
}

void write_check(JsonWriter& json, const trace::Check& check) {
  json.key("checks");
  json.begin_array();
  json.begin_object();
  json.member("id", "norm_sqrt_d");
  json.member("status", trace::id(check.status));
  json.key("norm_squared");
  json.value(check.norm_squared);
  json.key("expected");
  json.value(check.expected);
  json.key("target");
  json.value(Value(static_cast<std::int64_t>(check.target)));
  json.end_object();
  json.end_array();
}

}  // namespace

void write_convention(JsonWriter& json, const trace::Request& request) {
  const norm::Convention& convention = request.convention;
  json.key("convention");
  json.begin_object();
  if (!convention.like.empty()) json.member("like", norm::find_framework(convention.like)->id);
  json.member("axis", tensor::id(request.norm->axis));
  json.member("divisor", norm::id(convention.divisor));
  json.key("eps");
  json.input(convention.eps);
  json.member("eps_place", norm::id(convention.eps_place));
  write_parameters(json, "gamma", convention.gamma);
  write_parameters(json, "beta", convention.beta);
  if (convention.variance != norm::VarianceMethod::two_pass) json.member("variance", norm::id(convention.variance));
  if (convention.machine.dtype) write_machine(json, convention.machine);
  write_options(json, request);
  json.end_object();
}

void write_messages(JsonWriter& json, const std::vector<words::Message>& notes, const Style& style) {
  json.key("notes");
  json.begin_array();
  for (const words::Message& note : notes) {
    json.begin_object();
    json.member("id", note.id);
    json.member("text", words::say(style.language, note));
    json.end_object();
  }
  json.end_array();
}

void write_conclusions(JsonWriter& json, const std::vector<trace::Conclusion>& conclusions, const Style& style) {
  json.begin_array();
  for (const trace::Conclusion& conclusion : conclusions) {
    json.begin_object();
    json.member("id", conclusion.message.id);
    json.member("token", conclusion.token);
    json.member("text", words::say(style.language, conclusion.message));
    json.end_object();
  }
  json.end_array();
}

namespace {

void write_group(JsonWriter& json, const trace::Trace& trace, const trace::GroupTrace& group, const Style& style) {
  json.begin_object();
  json.member("name", group.group.name);
  json.key("steps");
  json.begin_array();
  for (const trace::Step& step : group.steps) write_step(json, trace, group, step, style);
  json.end_array();
  if (group.find(norm::StepKind::normalized)) {
    write_check(json, group.check);
    if (trace.request.convention.machine.dtype) write_faults(json, trace.request.convention, group);
  }
  json.end_object();
}

// The members of a trace, without the braces around them.
void write_members(JsonWriter& json, const trace::Trace& trace, const std::vector<words::Message>& notes,
                   const Style& style) {
  const tensor::Tensor& input = trace.request.input;
  const auto write_machine_rows = [&](std::string_view name, const std::vector<double>& values) {
    if (!trace.request.convention.machine.dtype) return;
    json.key(name);
    write_rows(json, input, values, [&](double value) { json.machine(value); });
  };
  json.key("schema");
  json.number(1);
  json.member("command", trace.request.norm->command);
  json.member("norm", trace.request.norm->id);
  if (trace.request.mode != trace::Mode::plain) json.member("mode", trace::id(trace.request.mode));
  write_convention(json, trace.request);
  json.key("shape");
  json.begin_array();
  for (const std::size_t extent : input.shape) json.number(extent);
  json.end_array();
  json.key("input");
  write_rows(json, input, input.values, [&](const Rational& value) { json.input(value); });
  write_machine_rows("machine_input", trace.machine_input);
  json.key("groups");
  json.begin_array();
  for (const trace::GroupTrace& group : trace.groups) write_group(json, trace, group, style);
  json.end_array();
  if (trace.watch) {
    json.key("watch");
    write_group(json, trace, *trace.watch, style);
  }
  json.key("output");
  write_rows(json, input, trace.output, [&](const Value& value) { json.value(value); });
  write_machine_rows("machine_output", trace.machine_output);
  write_messages(json, notes, style);
}

}  // namespace

void write_trace(JsonWriter& json, const trace::Trace& trace, const std::vector<words::Message>& notes,
                 const Style& style) {
  json.begin_object();
  write_members(json, trace, notes, style);
  json.end_object();
}

Style for_machines(Style style) {
  style.power = exact::PowerOfTen::e_notation;
  style.elide = false;
  return style;
}

std::string json(const trace::Trace& trace, const std::vector<words::Message>& notes, const Style& style) {
  const Style plain = for_machines(style);
  JsonWriter writer(plain);
  write_trace(writer, trace, notes, plain);
  return writer.take();
}

std::string json(const trace::Comparison& comparison, const std::vector<words::Message>& notes, const Style& style) {
  const Style plain = for_machines(style);
  JsonWriter json(plain);
  json.begin_object();
  json.key("schema");
  json.number(1);
  json.member("command", "compare");
  json.key("results");
  json.begin_array();
  for (const trace::Trace& trace : comparison.traces) {
    std::vector<words::Message> all = notes;
    std::ranges::move(trace::remarks(trace, style.digits), std::back_inserter(all));
    write_trace(json, trace, all, plain);
  }
  json.end_array();
  json.key("conclusions");
  write_conclusions(json, comparison.conclusions, plain);
  json.end_object();
  return json.take();
}

// The object of the last pass, and in it all passes as "batches".
std::string json(const trace::Passes& passes, const std::vector<words::Message>& notes, const Style& style) {
  const Style plain = for_machines(style);
  JsonWriter json(plain);
  json.begin_object();
  write_members(json, passes.traces.back(), notes, plain);
  json.key("batches");
  json.begin_array();
  for (const trace::Trace& trace : passes.traces) write_trace(json, trace, trace::remarks(trace, style.digits), plain);
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace normtrace::render
