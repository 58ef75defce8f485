#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "cli/command.h"
#include "places.h"

// What the tests against tests/agree/*.jsonl have in common: the program's JSON, and telling what differs.
namespace normtrace::agreement {

using nlohmann::json;

inline std::vector<json> read_lines(const std::string& name) {
  std::ifstream file(places::root() / "tests/agree" / name);
  std::vector<json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(json::parse(line));
  return lines;
}

inline json traced(std::vector<std::string> args, int digits = 0, const std::string& standard_input = {}) {
  if (digits > 0) args.insert(args.end(), {"--digits", std::to_string(digits)});
  args.insert(args.end(), {"--format", "json"});
  std::istringstream in(standard_input);
  std::ostringstream out, err;
  const auto no_environment = [](const char*) -> std::optional<std::string> { return std::nullopt; };
  const int status = normtrace::cli::run(args, {in, false, out, false, err, no_environment});
  INFO(json(args).dump() << " wrote: " << err.str());
  REQUIRE(status == 0);
  return json::parse(out.str());
}

/// What differs, told once a line; a test passes when nothing was told.
class Differences {
 public:
  explicit Differences(const json& args) : command_(args.dump()) {}

  void expect_equal(const std::string& where, const json& expected, const json& actual) {
    if (expected != actual) tell(where, expected, actual);
  }

  /// `exact_and_value` is [exact, value], of a number whose text is as it was typed.
  void expect_typed(const std::string& where, const json& exact_and_value, const json& actual) {
    expect_equal(where + " exact", exact_and_value[0], actual["exact"]);
    expect_double(where + " value", exact_and_value[1], actual["value"]);
    expect_equal(where + " rounded", false, actual["rounded"]);
  }

  /// `expected` is [text, exact, value, rounded] or null.
  void expect_number(const std::string& where, const json& expected, const json& actual) {
    if (expected.is_null() || actual.is_null()) return expect_equal(where, expected, actual);
    expect_equal(where + " text", expected[0], actual["text"]);
    expect_equal(where + " exact", expected[1], actual["exact"]);
    expect_double(where + " value", expected[2], actual["value"]);
    expect_equal(where + " rounded", expected[3] == 1, actual["rounded"]);
  }

  void expect_numbers(const std::string& where, const json& expected, const json& actual) {
    expect_equal(where + " count", expected.size(), actual.size());
    for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i)
      expect_number(where + "[" + std::to_string(i) + "]", expected[i], actual[i]);
  }

  void tell(const std::string& where, const json& expected, const json& actual) {
    told_ += command_ + " " + where + ": expected " + expected.dump() + ", the program says " + actual.dump() + "\n";
  }

  const std::string& told() const { return told_; }

 private:
  void expect_double(const std::string& where, const json& expected, const json& actual) {
    const bool same = expected.is_number() && actual.is_number()
                          ? expected.get<double>() == actual.get<double>() &&
                                std::signbit(expected.get<double>()) == std::signbit(actual.get<double>())
                          : expected == actual;
    if (!same) tell(where, expected, actual);
  }

  std::string command_;
  std::string told_;
};

/// Compares every line of a file with what the program says of its command; tells the first few lines that differ.
template <class Compare>
void expect_agreement(const std::string& file, std::size_t least_lines, Compare compare) {
  const std::vector<json> lines = read_lines(file);
  REQUIRE(lines.size() >= least_lines);
  int differing = 0;
  std::string told;
  for (const json& line : lines) {
    Differences differences(line.contains("args") ? line["args"] : json{line["norm"], line["input"], line["options"]});
    compare(differences, line);
    if (!differences.told().empty() && ++differing <= 10) told += differences.told().substr(0, 2000);
  }
  INFO(told);
  CHECK(differing == 0);
}

}  // namespace normtrace::agreement
