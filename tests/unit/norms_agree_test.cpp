#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "agreement.h"
#include "catch.h"
#include "exact/rational.h"
#include "text/read.h"

// The norms beyond the articles' three, and BatchNorm's two modes, against an independent reference: every number of every
// line, digit by digit. tests/agree/make_norms.py says what a line of norms.jsonl holds.

namespace {

using namespace normtrace::agreement;

// As Python's nested lists are typed: [[1, 2], [1/3, 4]].
std::string typed(const json& values) {
  if (values.is_string()) return values;
  std::string text = "[";
  for (const json& value : values) text += (text.size() > 1 ? ", " : "") + typed(value);
  return text + "]";
}

// A number is [text, exact, value, rounded] or null; how deep they are nested does not matter.
json numbers(const json& expected) {
  const bool is_number = expected.is_null() || (expected.size() == 4 && expected[0].is_string());
  if (is_number) return json::array({expected});
  json all = json::array();
  for (const json& part : expected)
    for (const json& number : numbers(part)) all.push_back(number);
  return all;
}

std::string one_minus(const std::string& number) {
  const auto cell = normtrace::text::read_number(normtrace::text::option_source("--momentum", number));
  return (normtrace::exact::Rational(1) - cell.value).to_string();
}

// ---- the command of a line

using Words = std::vector<std::string>;

const std::map<std::string, Words>& commands() {
  static const std::map<std::string, Words> all = {
      {"gn", {"gn"}},
      {"in", {"in"}},
      {"ln_axes", {"ln"}},
      {"bn_first", {"bn", "--channels", "first"}},
      {"bn_last", {"bn", "--channels", "last"}},
      {"partial", {"rms"}},
      {"one_plus", {"rms", "--gamma-form", "one-plus"}},
      {"residual", {}},
      {"hybrid", {"hybrid"}},
      {"adaptive", {"adaptive"}},
      {"monitor", {"rms", "--running"}},
      {"training", {"bn", "--eval"}},
      {"inference", {"bn"}},
  };
  return all;
}

// The option that says it; empty for what is said otherwise.
std::string option_for(const std::string& name) {
  static const std::map<std::string, std::string> all = {{"p", "--partial"},
                                                         {"running_mean", "--running-mean"},
                                                         {"running_var", "--running-var"},
                                                         {"stored", "--running-divisor"},
                                                         {"then", ""},
                                                         {"times", ""},
                                                         {"meaning", ""}};
  const auto found = all.find(name);
  return found == all.end() ? "--" + name : found->second;
}

std::string text_of(const json& option) {
  if (option.is_number()) return std::to_string(option.get<int>());
  return typed(option);
}

Words command_of(const json& line) {
  const json& options = line["options"];
  Words words = commands().at(line["norm"]);
  if (line["norm"] == "residual") words = {options["then"].get<std::string>()};
  const std::string meaning = options.value("meaning", "new");
  if (meaning == "cumulative") words.insert(words.end(), {"--momentum", "cumulative"});
  for (const auto& [name, value] : options.items()) {
    const std::string option = option_for(name);
    if (option.empty()) continue;
    const bool old_share = name == "momentum" && meaning == "old";
    words.push_back(option + "=" + (old_share ? one_minus(value) : text_of(value)));
  }
  // The reference's γ is 1 where none is given, whatever its form.
  if (line["norm"] == "one_plus" && !options.contains("gamma")) words.emplace_back("--gamma=1");
  return words;
}

std::string input_of(const json& line) {
  const json& input = line["input"];
  std::string text;
  const auto add = [&](const std::string& batch) { text += (text.empty() ? "" : "---\n") + batch + "\n"; };
  if (line["norm"] == "training") {
    for (const json& batch : input) add(typed(batch));
  } else if (line["norm"] == "monitor") {
    for (int i = 0; i < line["options"]["times"].get<int>(); ++i) add(typed(input));
  } else {
    // A flat list would be one feature over a batch, or channels without a sample.
    add(typed(input[0].is_string() ? json::array({input}) : input));
  }
  return text;
}

// ---- what comes out

// The numbers of a step, group by group.
json step_values(const json& groups, const std::string& id) {
  json all = json::array();
  for (const json& group : groups)
    for (const json& step : group["steps"])
      if (step["id"] == id)
        for (const json& value : step["values"]) all.push_back(value);
  return all;
}

json output_values(const json& trace) {
  json all = json::array();
  for (const json& row : trace["output"])
    for (const json& value : row["values"]) all.push_back(value);
  return all;
}

// The step that a name of the reference means.
std::string step_of(const std::string& norm, const std::string& name) {
  if (norm == "adaptive" && name == "std") return "sample_std";
  static const std::map<std::string, std::string> all = {
      {"sum", "residual_sum"}, {"rmsnorm", "rms_normalized"}, {"layernorm", "layer_normalized"}};
  const auto found = all.find(name);
  return found == all.end() ? name : found->second;
}

void compare_one(Differences& differences, const json& line, const std::string& name, const json& expected,
                 const json& trace) {
  const std::string norm = line["norm"];
  const json& check = trace["groups"][0]["checks"][0];
  if (name == "output") return differences.expect_numbers(name, numbers(expected), output_values(trace));
  if (name == "k") {
    // All of them are not counted.
    const json counted = step_values(trace["groups"], "partial_count");
    const std::string all = std::to_string(line["input"].size());
    return differences.expect_equal(name, std::to_string(expected.get<int>()),
                                    counted.empty() ? json(all) : counted[0]["text"]);
  }
  if (name == "norm_squared") {
    differences.expect_number(name, expected[0], check["norm_squared"]);
    return differences.expect_number("expected", expected[0], check["expected"]);
  }
  if (name == "norm") {
    const double root = std::sqrt(check["norm_squared"]["value"].get<double>());
    CHECK(std::abs(root - expected[0][2].get<double>()) < 1e-14);
    return;
  }
  // Over samples and positions the reference keeps the order of the input, a group that of its members.
  if (name == "normalized" && norm.starts_with("bn_")) return;
  differences.expect_numbers(name, numbers(expected), step_values(trace["groups"], step_of(norm, name)));
}

void compare_monitor(Differences& differences, const json& expected, const json& trace) {
  const json& batches = trace["batches"];
  differences.expect_equal("batches", expected["running"].size(), batches.size());
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const json watched = json::array({batches[i]["watch"]});
    differences.expect_numbers("rms", expected["rms"], step_values(watched, "rms"));
    differences.expect_numbers("running", json::array({expected["running"][i]}), step_values(watched, "running_rms"));
  }
}

void compare_training(Differences& differences, const json& line, const json& trace) {
  const json& expected = line["expect"];
  const json& batches = trace["batches"];
  differences.expect_equal("mode", "inference", trace["mode"]);
  differences.expect_equal("batches", expected["batches"].size() + 1, batches.size());
  for (std::size_t i = 0; i < expected["batches"].size(); ++i) {
    differences.expect_equal("mode", "training", batches[i]["mode"]);
    for (const auto& [name, values] : expected["batches"][i].items())
      compare_one(differences, line, name, values, batches[i]);
  }
  differences.expect_numbers("inference", numbers(expected["inference"]), output_values(batches.back()));
}

void compare_line(Differences& differences, const json& line) {
  const json trace = traced(command_of(line), line["digits"], input_of(line));
  if (line["norm"] == "monitor") return compare_monitor(differences, line["expect"], trace);
  if (line["norm"] == "training") return compare_training(differences, line, trace);
  for (const auto& [name, values] : line["expect"].items()) compare_one(differences, line, name, values, trace);
}

}  // namespace

TEST_CASE("the other norms and BatchNorm's modes agree with the oracle", "[agree]") {
  expect_agreement("norms.jsonl", 450, compare_line);
}
