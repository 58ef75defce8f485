#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "cli/command.h"
#include "exact/value.h"
#include "places.h"
#include "text/read.h"
#include "trace/gradient.h"

// The commands around the norm against an independent reference; tests/agree/make_around.py says what a line of
// around.jsonl holds.

namespace {

using nlohmann::json;
using normtrace::exact::Rational;

json printed(std::vector<std::string> args) {
  args.insert(args.end(), {"--format", "json", "--digits", "50"});
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const auto no_environment = [](const char*) -> std::optional<std::string> { return std::nullopt; };
  const int status = normtrace::cli::run(args, {in, false, out, false, err, no_environment});
  INFO(json(args).dump() << " wrote: " << err.str());
  REQUIRE(status == 0);
  return json::parse(out.str());
}

json find(const json& list, const char* key, const json& wanted) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const json& item) { return item[key] == wanted; });
  REQUIRE(found != list.end());
  return *found;
}

Rational number(const std::string& text) {
  return normtrace::text::read_number(normtrace::text::option_source("number", text)).value;
}

// To 40 digits, more than any chance could give.
bool agree(const Rational& x, const Rational& y) {
  const Rational size = std::max(abs(x), abs(y));
  return abs(x - y) <= normtrace::exact::power_of_ten(-40) * std::max(size, Rational(1, 1000));
}

}  // namespace

TEST_CASE("around the norm: every number agrees with the reference to 40 digits") {
  std::ifstream file(places::root() / "tests/agree/around.jsonl");
  json args;
  json report;
  std::size_t lines = 0;
  for (std::string text; std::getline(file, text); ++lines) {
    const json expected = json::parse(text);
    if (expected["args"] != args) {
      args = expected["args"];
      report = printed(args);
    }
    const json section = find(report["sections"], "name", expected["section"]);
    const json item = find(section["items"], "id", expected["item"]);
    INFO(text);
    REQUIRE(item["values"].size() == expected["values"].size());
    for (std::size_t i = 0; i < item["values"].size(); ++i) {
      const Rational ours = number(item["values"][i]["text"]);
      INFO(i << ": the program says " << item["values"][i]["text"]);
      CHECK(agree(ours, number(expected["values"][i])));
    }
  }
  CHECK(lines > 200);
}

TEST_CASE("around the norm: the Jacobian sends its eigenvectors to their multiples, whatever the convention") {
  using namespace normtrace;
  for (const char* const command : {"ln", "rms"})
    for (const Rational& eps : {Rational(0), Rational(1, 10)})
      for (const auto place : {norm::EpsPlace::inside_root, norm::EpsPlace::added_to_root})
        for (const auto divisor : {norm::Divisor::n, norm::Divisor::n_minus_one}) {
          trace::Request request;
          request.norm = norm::find(command);
          request.convention.eps = eps;
          request.convention.eps_place = place;
          request.convention.divisor = divisor;
          request.input = {{4}, {1, 2, 3, 6}, {"t1"}, true};
          const trace::Trace forward = trace::run(request);
          const trace::GroupTrace& group = forward.groups.front();
          const trace::Matrix jacobian = trace::jacobian(forward, group);
          const std::vector<trace::Value> values = trace::singular_values(forward, group);
          REQUIRE(values.size() == 4);
          const bool centred = group.centred();
          // x − μ = [-2, -1, 0, 3], at right angles to [3, 0, 1, 2] − …; for RMSNorm [2, -1, 0, 0] to x.
          const std::vector<trace::Value> along =
              centred ? std::vector<trace::Value>{-2, -1, 0, 3} : std::vector<trace::Value>{1, 2, 3, 6};
          const std::vector<trace::Value> across =
              centred ? std::vector<trace::Value>{1, 1, -3, 1} : std::vector<trace::Value>{2, -1, 0, 0};
          const trace::Value kept = values[centred ? 2 : 3];
          const std::vector<trace::Value> image = trace::multiply(jacobian, along);
          for (std::size_t i = 0; i < 4; ++i) {
            CHECK(exact::proved_equal(abs(image[i]), kept * abs(along[i])));
            CHECK(exact::proved_equal(trace::multiply(jacobian, across)[i], values.front() * across[i]));
            if (centred) CHECK(trace::multiply(jacobian, {1, 1, 1, 1})[i].is_zero());
          }
          if (eps.is_zero()) CHECK(kept.is_zero());
        }
}

TEST_CASE("angles that are whole numbers of degrees are exact, the others proved") {
  using normtrace::exact::Surd;
  using normtrace::exact::Value;
  const auto degrees = [](const Value& cosine) { return degrees_of_cosine(cosine); };
  CHECK(proved_equal(degrees(1), 0));
  CHECK(proved_equal(degrees(-1), 180));
  CHECK(proved_equal(degrees(0), 90));
  CHECK(proved_equal(degrees(Rational(-1, 2)), 120));
  CHECK(proved_equal(degrees(-sqrt(Value(Rational(3, 4)))), 150));
  CHECK(proved_equal(degrees((Value(1) - sqrt(Value(5))) / Value(4)), 108));
  CHECK(degrees(Rational(11, 10)).is_undefined());
  // arccos(1/3) = 70.528779365509308630754000660037…°
  CHECK(floor_times(degrees(Rational(1, 3)), normtrace::exact::power_of_ten(30)).to_string() ==
        "70528779365509308630754000660037");
  // Nearly straight, nearly round.
  CHECK(compare(degrees(Rational(999999999, 1000000000)), Rational(1, 100)) < 0);
  CHECK(compare(degrees(Rational(-999999999, 1000000000)), Rational(17999, 100)) > 0);
}
