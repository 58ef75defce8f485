#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "places.h"
#include "text/read.h"
#include "trace/trace.h"

// Every number of tests/agree/machine.jsonl bit for bit: a reference that rounds fractions computed it (machine.py there
// says in what order), and checked its rounding against Python's struct and the processor.

namespace {

using namespace normtrace;
using nlohmann::json;

exact::Rational number(const std::string& text) { return text::read_number(text::option_source("x", text)).value; }

std::vector<exact::Rational> numbers(const json& texts) {
  std::vector<exact::Rational> result;
  for (const json& text : texts) result.push_back(number(text));
  return result;
}

norm::CastOrder cast_order(std::string_view name) {
  for (const auto cast : {norm::CastOrder::llama, norm::CastOrder::gemma})
    if (norm::id(cast) == name) return cast;
  return norm::CastOrder::none;
}

trace::Request request(const json& line) {
  trace::Request result;
  result.norm = norm::find(line["norm"].get<std::string>());
  norm::Convention& convention = result.convention;
  convention.eps = number(line.value("eps", "0"));
  convention.gamma = numbers(line.value("gamma", json::array()));
  convention.beta = numbers(line.value("beta", json::array()));
  if (line.value("unbiased", false)) convention.divisor = norm::Divisor::n_minus_one;
  if (line.value("added", false)) convention.eps_place = norm::EpsPlace::added_to_root;
  if (line.value("one_pass", false)) convention.variance = norm::VarianceMethod::one_pass;
  const std::string dtype = line["dtype"];
  // In the reference a sum is kept in the dtype where nothing else is said.
  convention.machine = {exact::find_format(dtype), exact::find_format(line.value("accumulate", dtype)),
                        cast_order(line.value("cast", ""))};
  result.input.values = numbers(line["x"]);
  result.input.shape = {1, result.input.values.size()};
  result.input.tokens = {"t1"};
  return result;
}

double as_double(const json& value) {
  return value.is_number() ? value.get<double>() : std::stod(value.get<std::string>());
}

bool same(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

std::vector<double> machine_step(const trace::Trace& trace, const std::string& name) {
  if (name == "input") return trace.machine_input;
  for (const trace::Step& step : trace.groups.front().steps)
    if (norm::id(step.kind) == name) return step.machine;
  return {};
}

// The first number that differs, or nothing.
std::string difference(const json& line, const trace::Trace& trace) {
  for (const auto& [name, expected] : line["steps"].items()) {
    const std::vector<double> actual = machine_step(trace, name);
    if (actual.size() != expected.size()) return line.dump() + " has no step " + name;
    for (std::size_t i = 0; i < actual.size(); ++i)
      if (!same(actual[i], as_double(expected[i])))
        return line.dump() + " " + name + "[" + std::to_string(i) + "] is " + json(actual[i]).dump();
  }
  return {};
}

}  // namespace

TEST_CASE("a machine's numbers are those of an independent reference", "[trace][machine]") {
  std::ifstream file(places::root() / "tests/agree/machine.jsonl");
  std::size_t lines = 0;
  for (std::string text; std::getline(file, text); ++lines) {
    const json line = json::parse(text);
    const trace::Trace trace = trace::run(request(line));
    if (const std::string told = difference(line, trace); !told.empty()) FAIL_CHECK(told);
    // No number of the program goes unlooked at, except σ² + ε where the type takes ε for 0.
    for (const trace::Step& step : trace.groups.front().steps)
      if (!line["steps"].contains(norm::id(step.kind)))
        CHECK(exact::round_to(*trace.request.convention.machine.computed().format, trace.request.convention.eps) == 0);
    CHECK(std::ranges::equal(trace.machine_output, trace.groups.front().steps.back().machine, same));
  }
  CHECK(lines > 1000);
}
