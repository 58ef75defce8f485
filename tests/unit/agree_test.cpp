#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "agreement.h"
#include "catch.h"

// The program's JSON against what an independent reference computes and what articles and questions print: as strings,
// digit by digit. tests/agree/make.py says what a line of random.jsonl holds.

namespace {

using namespace normtrace::agreement;

const json& repeated_or(const json& value, const json& before) { return value == "=" ? before : value; }

void compare_steps(Differences& differences, const std::string& group, const json& expected, const json& actual) {
  json expected_ids = json::array(), actual_ids = json::array();
  for (const json& step : expected) expected_ids.push_back(step[0]);
  for (const json& step : actual) actual_ids.push_back(step["id"]);
  differences.expect_equal(group + " steps", expected_ids, actual_ids);
  if (expected_ids != actual_ids) return;
  const json* before = nullptr;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    before = expected[i][1] == "=" ? before : &expected[i][1];
    differences.expect_numbers(group + " " + expected[i][0].get<std::string>(), *before, actual[i]["values"]);
  }
}

void compare_check(Differences& differences, const std::string& group, const json& expected, const json& actual) {
  const json& norm_squared = expected[1];
  const json& expected_norm = repeated_or(expected[2], norm_squared);
  differences.expect_equal(group + " check id", "norm_sqrt_d", actual["id"]);
  differences.expect_equal(group + " status", expected[0], actual["status"]);
  differences.expect_number(group + " norm_squared", norm_squared, actual["norm_squared"]);
  differences.expect_number(group + " expected", expected_norm, actual["expected"]);
  differences.expect_number(group + " target", repeated_or(expected[3], expected_norm), actual["target"]);
}

/// The numbers of the step `output` of every group, which are those of the step before where they are "=".
std::vector<json> outputs(const json& groups) {
  std::vector<json> result;
  for (const json& group : groups) {
    const json& steps = group["steps"];
    std::size_t last = steps.size() - 1;
    while (steps[last][1] == "=") --last;
    result.push_back(steps[last][1]);
  }
  return result;
}

void compare_output(Differences& differences, const json& expected, const json& actual) {
  const std::vector<json> by_group = outputs(expected["groups"]);
  const bool by_feature = expected["args"][0] == "bn";
  differences.expect_equal("tokens", expected["input"].size(), actual.size());
  for (std::size_t token = 0; token < std::min(expected["input"].size(), actual.size()); ++token) {
    json row = json::array();
    if (by_feature)
      for (const json& feature : by_group) row.push_back(feature[token]);
    else
      row = by_group[token];
    const std::string where = "output " + std::to_string(token);
    differences.expect_equal(where + " name", expected["input"][token][0], actual[token]["name"]);
    differences.expect_numbers(where, row, actual[token]["values"]);
  }
}

void compare_input(Differences& differences, const json& expected, const json& actual) {
  differences.expect_equal("tokens read", expected.size(), actual.size());
  for (std::size_t token = 0; token < std::min(expected.size(), actual.size()); ++token)
    for (std::size_t i = 0; i < expected[token][1].size(); ++i)
      differences.expect_typed("input " + std::to_string(token) + "[" + std::to_string(i) + "]", expected[token][1][i],
                               actual[token]["values"][i]);
}

void compare_case(Differences& differences, const json& expected, const json& actual) {
  compare_input(differences, expected["input"], actual["input"]);
  differences.expect_typed("eps", expected["eps"], actual["convention"]["eps"]);
  differences.expect_equal("groups", expected["groups"].size(), actual["groups"].size());
  for (std::size_t i = 0; i < std::min(expected["groups"].size(), actual["groups"].size()); ++i) {
    const json& group = expected["groups"][i];
    const std::string name = group["name"];
    differences.expect_equal("group name", group["name"], actual["groups"][i]["name"]);
    compare_steps(differences, name, group["steps"], actual["groups"][i]["steps"]);
    differences.expect_equal(name + " checks", 1, actual["groups"][i]["checks"].size());
    if (!actual["groups"][i]["checks"].empty())
      compare_check(differences, name, group["check"], actual["groups"][i]["checks"][0]);
  }
  compare_output(differences, expected, actual["output"]);
}

// ---- published numbers

/// A decimal number as its digits and a power of ten, so that 0.730, 0.73 and 7.3e-1 are equal.
struct Decimal {
  std::string digits;
  int exponent = 0;
  bool negative = false;
  bool operator==(const Decimal& other) const {
    return digits == other.digits && (digits.empty() || (exponent == other.exponent && negative == other.negative));
  }
};

Decimal read_decimal(const std::string& text) {
  Decimal number;
  const std::size_t e = text.find('e');
  if (e != std::string::npos) number.exponent = std::stoi(text.substr(e + 1));
  bool fraction = false;
  for (const char c : text.substr(0, e)) {
    if (c == '-') number.negative = true;
    if (c == '.') fraction = true;
    if (c < '0' || c > '9') continue;
    number.digits += c;
    number.exponent -= fraction;
  }
  number.digits.erase(0, std::min(number.digits.find_first_not_of('0'), number.digits.size()));
  while (!number.digits.empty() && number.digits.back() == '0') {
    number.digits.pop_back();
    ++number.exponent;
  }
  return number;
}

/// How many decimals a published number has; a whole number was published as exact, so the most there are.
int decimals_of(const std::string& published) {
  const std::size_t point = published.find('.');
  return point == std::string::npos ? 50 : static_cast<int>(published.size() - point - 1);
}

const json& named(const json& items, const char* key, std::string_view name) {
  for (const json& item : items)
    if (item[key] == name) return item;
  FAIL("there is no " << key << " " << name);
  return items;
}

/// The numbers that a line of articles.jsonl means: a step or a check of a group, or a row of the output by token.
json found(const json& trace, const std::string& group, const std::string& what) {
  if (what == "row") return named(trace["output"], "name", group)["values"];
  const json& traced_group = named(trace["groups"], "name", group);
  const json& check = traced_group["checks"][0];
  if (what == "norm") return json::array({check["norm_squared"]});
  if (check.contains(what)) return what == "status" ? check[what] : json::array({check[what]});
  return named(traced_group["steps"], "id", what == "exact" ? "output" : what)["values"];
}

bool agrees(const json& published, const json& actual, const std::string& what, bool as_printed) {
  if (published.is_null() || actual.is_null()) return published == actual;
  const std::string text = published;
  if (what == "exact") return actual["exact"] == text;
  if (what == "norm") {
    char root[64];
    std::snprintf(root, sizeof root, "%.*f", decimals_of(text), std::sqrt(actual["value"].get<double>()));
    return root == text;
  }
  return as_printed ? actual["text"] == text : read_decimal(actual["text"]) == read_decimal(text);
}

/// Runs a line's command at the precision that each published number has, and remembers the traces.
class Traces {
 public:
  explicit Traces(const json& line)
      : args_(line["args"]), standard_input_(line.value("stdin", "")), as_printed_(line.value("printed", false)) {}

  const json& at(const json& published) {
    const int digits = as_printed_ || published.is_null() ? 0 : decimals_of(published);
    if (traces_.count(digits) == 0) traces_[digits] = traced(args_, digits, standard_input_);
    return traces_[digits];
  }
  bool as_printed() const { return as_printed_; }

 private:
  std::vector<std::string> args_;
  std::string standard_input_;
  bool as_printed_;
  std::map<int, json> traces_;
};

void compare_published(Differences& differences, Traces& traces, const json& expectation) {
  const std::string group = expectation[0], what = expectation[1];
  const json& published = expectation[2];
  const auto trace_at = [&](const json& number) {
    const json& trace = traces.at(number);
    return expectation.size() > 3 ? trace["batches"][expectation[3].get<std::size_t>()] : trace;
  };
  if (what == "status") return differences.expect_equal(group + " status", published, found(trace_at({}), group, what));
  for (std::size_t i = 0; i < published.size(); ++i) {
    if (published[i] == "?") continue;
    const bool plain = what == "exact" || what == "norm";
    const json values = found(trace_at(plain ? json() : published[i]), group, what);
    if (values.size() != published.size() || !agrees(published[i], values[i], what, traces.as_printed()))
      differences.tell(group + " " + what + "[" + std::to_string(i) + "]", published[i], values);
  }
}

}  // namespace

TEST_CASE("every number of random inputs agrees with the oracle", "[agree]") {
  expect_agreement("random.jsonl", 2000, [](Differences& differences, const json& line) {
    compare_case(differences, line, traced(line["args"]));
  });
}

// A line: where the numbers are from, the command, and what was printed: [group or token, step or check, numbers] and,
// where there are several, the batch; "?" where nothing was printed. They are compared to as many decimals as were printed; as strings where "printed" says so.
TEST_CASE("the numbers that articles and questions print come out", "[agree]") {
  const auto compare = [](Differences& differences, const json& line) {
    Traces traces(line);
    for (const json& expectation : line["expect"]) compare_published(differences, traces, expectation);
  };
  expect_agreement("articles.jsonl", 150, compare);
  expect_agreement("articles_norms.jsonl", 24, compare);
}
