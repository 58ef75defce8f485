#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "cli/command.h"
#include "places.h"

// Outputs worked out by tests/agree/make_explain.py, and what the program must say of them first.

namespace {

using nlohmann::json;

struct Ran {
  int status;
  std::string out;
  std::string err;
};

Ran run(std::vector<std::string> words, const std::string& input, const std::string& language) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  words.insert(words.begin(), "explain");
  words.insert(words.end(), {"--lang", language});
  const normtrace::cli::Session session{in, false, out, false, err, [](const char*) { return std::nullopt; }};
  const int status = normtrace::cli::run(words, session);
  return {status, out.str(), err.str()};
}

// "eps.value.value" of a rule.
const json& at(const json& rule, const std::string& path) {
  const json* here = &rule;
  std::istringstream stream(path);
  for (std::string part; std::getline(stream, part, '.');) here = &here->at(part);
  return *here;
}

bool equal(const json& actual, const json& wanted) {
  if (wanted.is_number_float() && actual.is_number())
    return actual.get<double>() == Approx(wanted.get<double>()).epsilon(1e-12);
  return actual == wanted;
}

std::vector<json> cases() {
  std::ifstream file(places::root() / "tests/agree/explain.jsonl");
  std::vector<json> all;
  for (std::string line; std::getline(file, line);) all.push_back(json::parse(line));
  return all;
}

std::vector<std::string> arguments_of(const json& test) { return test.at("arguments").get<std::vector<std::string>>(); }

}  // namespace

namespace {

void check_verdict(const json& answer, const json& test, int status) {
  const auto verdict = answer.at("verdict").get<std::string>();
  INFO(verdict);
  const json& allowed = test.at("verdict");
  CHECK(std::ranges::find(allowed, json(verdict)) != allowed.end());
  CHECK(status == (verdict == "none" ? 1 : 0));
}

void check_first(const json& answer, const json& wanted) {
  REQUIRE(!answer.at("rules").empty());
  const json& rule = answer.at("rules").front();
  INFO(rule.dump());
  for (const auto& [path, value] : wanted.items()) CHECK(equal(at(rule, path), value));
}

}  // namespace

TEST_CASE("explain: questions that people asked get the right rule first", "[explain]") {
  const auto all = cases();
  REQUIRE(all.size() > 150);
  for (const json& test : all) {
    INFO(test.at("name").get<std::string>());
    std::vector<std::string> words = arguments_of(test);
    words.insert(words.end(), {"--format", "json"});
    const Ran ran = run(words, test.at("input").get<std::string>(), "en");
    const json answer = json::parse(ran.out);
    check_verdict(answer, test, ran.status);
    if (test.at("first").is_null())
      CHECK((answer.at("rules").empty() && answer.at("nearest").is_object()));
    else
      check_first(answer, test.at("first"));
  }
}

TEST_CASE("explain: the first line of the text is the sentence of the first rule, in both languages", "[explain]") {
  for (const json& test : cases()) {
    INFO(test.at("name").get<std::string>());
    for (const std::string language : {"zh", "en"}) {
      std::vector<std::string> words = arguments_of(test);
      const auto input = test.at("input").get<std::string>();
      const Ran text = run(words, input, language);
      words.insert(words.end(), {"--format", "json"});
      const json answer = json::parse(run(words, input, language).out);
      const std::string first = text.out.substr(0, text.out.find('\n'));
      if (!answer.at("rules").empty()) CHECK(first == answer.at("rules").front().at("sentence").get<std::string>());
      CHECK(first.find('{') == std::string::npos);
    }
  }
}

TEST_CASE("explain: what cannot be a question is an error", "[explain]") {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"1,2,3"},
                                             {"1,2,3", "1,2"},
                                             {"[[1,2],[3,4],[5,6]]", "[[1,2,3,4],[5,6,7,8]]"},
                                             {"1,2,x", "1,2,3"},
                                             {"1,nan,3", "1,2,3"},
                                             {"1,2,3", "1,2,3", "--format", "csv"},
                                             {"1,2,3", "1,2,3", "--norm", "ab"},
                                             {"1,2,3", "1,2,3", "--gamma", "1,2"},
                                             {"1,2,3", "1,2,3", "--eps", "-1"}}) {
    const Ran ran = run(words, "", "en");
    INFO(ran.err);
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK(ran.err.starts_with("error:"));
  }
}
