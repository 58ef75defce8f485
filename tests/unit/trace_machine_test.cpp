#include "trace/machine_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "cli/command.h"

namespace {

using namespace normtrace;
using exact::bfloat16;
using exact::float16;
using exact::float32;
using exact::float64;
using exact::Rational;
using exact::Value;
using nlohmann::json;
using norm::StepKind;

struct Ran {
  int status;
  std::string out;
  std::string err;
};

Ran ran(const std::vector<std::string>& words) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const auto environment = [](const char*) { return std::optional<std::string>(); };
  const cli::Session session{in, false, out, false, err, environment};
  const int status = cli::run(words, session);
  return {status, out.str(), err.str()};
}

json traced(std::vector<std::string> words) {
  words.insert(words.end(), {"--format", "json"});
  const Ran result = ran(words);
  INFO(result.err);
  REQUIRE(result.status == 0);
  return json::parse(result.out);
}

std::vector<std::string> note_ids(const json& trace) {
  std::vector<std::string> ids;
  for (const json& note : trace["notes"]) ids.push_back(note["id"]);
  return ids;
}

bool notes(const json& trace, const std::string& id) {
  const auto ids = note_ids(trace);
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

json machine_of(const json& trace, const std::string& step) {
  for (const json& found : trace["groups"][0]["steps"])
    if (found["id"] == step) return found["machine"];
  return nullptr;
}

}  // namespace

TEST_CASE("an irrational number is rounded to a type once, from its exact value", "[exact][machine]") {
  // So close to the middle of 1 and its neighbour in float16 that the nearest double is the middle itself.
  const Value middle = Rational(1) + Rational(1, 2048);
  const Value tiny = sqrt(Value(2)) * Value(Rational(1, exact::Integer::power_of_two(80)));
  CHECK(round_to(float16, middle) == 1);  // ties to even
  CHECK(round_to(float16, middle + tiny) == 1 + std::ldexp(1, -10));
  CHECK(round_to(float16, middle - tiny) == 1);
  CHECK(round_to(float16, -middle - tiny) == -1 - std::ldexp(1, -10));
  CHECK(round_to(float16, Value(65520)) == std::numeric_limits<double>::infinity());
  CHECK(round_to(float16, Value(65520) - tiny) == 65504);
  CHECK(round_to(float64, sqrt(Value(2))) == std::sqrt(2.0));
}

TEST_CASE("formats say how fine they are, and which holds which", "[exact][machine]") {
  CHECK(last_place(float16, 1) == std::ldexp(1, -10));
  CHECK(last_place(float16, 0) == std::ldexp(1, -24));
  CHECK(last_place(float16, std::ldexp(1, -20)) == std::ldexp(1, -24));
  CHECK(last_place(float16, 65504) == 32);
  CHECK(float32.holds(float16));
  CHECK(float32.holds(bfloat16));
  CHECK(float64.holds(float32));
  CHECK_FALSE(float16.holds(bfloat16));  // too small a range
  CHECK_FALSE(bfloat16.holds(float16));  // too few bits
  // The digits that C's float.h (FLT_DECIMAL_DIG, DBL_DECIMAL_DIG) and IEEE 754 give.
  CHECK(float64.decimals() == 17);
  CHECK(float32.decimals() == 9);
  CHECK(float16.decimals() == 5);
  CHECK(bfloat16.decimals() == 4);
}

TEST_CASE("numbers are shown with significant digits", "[exact][decimal]") {
  const auto shown = [](const Value& x, unsigned digits) {
    return to_significant(x, digits, exact::PowerOfTen::superscript).text;
  };
  CHECK(shown(sqrt(Value(2)), 5) == "1.4142");
  CHECK(shown(Value(Rational(5, 4)), 5) == "1.25");
  CHECK(shown(-sqrt(Value(2)) * Value(Rational(1, 1000)), 3) == "-0.00141");
  CHECK(shown(Value(Rational(1, 16777216)), 5) == "5.9605×10⁻⁸");  // 2⁻²⁴
  CHECK(shown(Value(1600120003), 4) == "1600120003");
  CHECK(shown(Value(Rational(exact::Integer::power_of_ten(16) + 75, 10)), 18) == "1.0000000000000075×10¹⁵");
  CHECK(shown(Value(0), 3) == "0");
}

TEST_CASE("an error is measured against the exact value", "[trace][machine]") {
  // 0.1 in float16 is 1638·2⁻¹⁴: 0.0000244140625 too small, 0.4 of its last place 2⁻¹⁴.
  const auto error = trace::machine_error(float16, Rational(1, 10), 1638 * std::ldexp(1, -14));
  REQUIRE(error);
  CHECK(error->relative == 0.000244140625);
  CHECK(error->ulps == 0.4);
  CHECK(trace::machine_error(float16, Value(2), 2)->ulps == 0);
  CHECK(std::isinf(trace::machine_error(float16, Value(2), std::nan(""))->relative));
  CHECK(std::isinf(trace::machine_error(float16, Value(0), 1)->relative));
  CHECK_FALSE(trace::machine_error(float16, Value::undefined(), 0));
}

TEST_CASE("where the error enters, and of what kind it is", "[trace][machine]") {
  SECTION("a square over 65504 overflows, and the output is 0") {
    const json trace = traced({"rms", "256", "0", "0", "0", "--dtype", "float16"});
    CHECK(machine_of(trace, "squares") == json({"Infinity", 0, 0, 0}));
    CHECK(trace["groups"][0]["error_enters"] == json({{"step", "squares"}, {"index", 0}, {"cause", "overflow"}}));
    CHECK(trace["machine_output"][0]["values"] == json({0, 0, 0, 0}));
    CHECK(trace["output"][0]["values"][0]["text"] == "2");
    CHECK(notes(trace, "machine.square_overflow"));
    CHECK(notes(trace, "machine.divisor_infinite"));
  }
  SECTION("1e-4 squared is below half of the smallest float16") {
    const json trace = traced({"rms", "1e-4", "2e-4", "3e-4", "4e-4", "--dtype", "float16"});
    CHECK(machine_of(trace, "squares")[0] == 0);
    CHECK(trace["groups"][0]["error_enters"]["cause"] == "underflow");
    CHECK(notes(trace, "machine.square_vanishes"));
  }
  SECTION("one pass at a mean of ten thousand: variance -8, and NaN") {
    const json trace =
        traced({"ln", "10001", "10002", "10003", "10004", "--dtype", "float32", "--variance", "one-pass"});
    CHECK(machine_of(trace, "variance") == json({-8}));
    CHECK(machine_of(trace, "std") == json({"NaN"}));
    CHECK(trace["groups"][0]["error_grows"]["step"] == "variance");
    CHECK(trace["groups"][0]["error_grows"]["cause"] == "cancellation");
    CHECK(notes(trace, "machine.one_pass_cancels"));
    CHECK(notes(trace, "machine.negative_variance"));
  }
  SECTION("one pass in float32 at 40000, 80000 and 2000; in float64 at 1e8") {
    CHECK(machine_of(traced({"ln", "40000", "40001", "40002", "40003", "--dtype", "float32", "--variance", "one-pass"}),
                     "variance") == json({-128}));
    CHECK(machine_of(traced({"ln", "80000", "80001", "80002", "80003", "--dtype", "float32", "--variance", "one-pass"}),
                     "variance") == json({-512}));
    CHECK(machine_of(traced({"ln", "2000", "2000.5", "1998", "2001.5", "--dtype", "float32", "--variance", "one-pass"}),
                     "variance") == json({1.5}));
    CHECK(machine_of(traced({"ln", "100000001", "100000002", "100000003", "100000004", "--dtype", "float64",
                             "--variance", "one-pass"}),
                     "variance") == json({2}));
  }
  SECTION("two passes have no such trouble") {
    const json trace = traced({"ln", "10001", "10002", "10003", "10004", "--dtype", "float32"});
    CHECK(machine_of(trace, "variance") == json({1.25}));
    CHECK(trace["groups"][0]["error_enters"]["cause"] == "rounding");
    CHECK(trace["groups"][0]["error_grows"] == nullptr);
    CHECK(note_ids(trace).empty());
  }
  SECTION("ε may be nothing in a type, and an input infinite or another") {
    CHECK(notes(traced({"rms", "1", "2", "--eps", "1e-8", "--dtype", "float16"}), "machine.eps_lost"));
    CHECK(notes(traced({"rms", "70000", "2", "--dtype", "float16"}), "machine.input_overflow"));
    CHECK(notes(traced({"rms", "0.1", "2", "--dtype", "float16"}), "machine.input_rounded"));
    CHECK_FALSE(notes(traced({"rms", "1", "2", "--eps", "1e-8", "--dtype", "float32"}), "machine.eps_lost"));
  }
}

TEST_CASE("the order of casts and weight", "[trace][machine]") {
  const std::vector<std::string> command = {"rms", "4", "3", "0", "0", "--gamma", "1.5", "--dtype", "bfloat16"};
  const auto output = [&](const std::string& order) {
    std::vector<std::string> words = command;
    words.insert(words.end(), {"--cast-order", order});
    return traced(words)["machine_output"][0]["values"];
  };
  CHECK(output("llama") == json({2.40625, 1.8046875, 0, 0}));
  CHECK(output("gemma") == json({2.40625, 1.796875, 0, 0}));
}

TEST_CASE("sums are kept in float32 for the half types, unless asked otherwise", "[trace][machine]") {
  // 2048 + 1 + 1 + 1 + 1: each 1 is lost in float16, where the neighbours of 2048 are 2 apart.
  const std::vector<std::string> command = {"ln", "2048", "1", "1", "1", "1", "--dtype", "float16"};
  CHECK(machine_of(traced(command), "mean") == json({410.5}));  // 410.4 between neighbours 0.25 apart
  std::vector<std::string> words = command;
  words.insert(words.end(), {"--accumulate", "float16"});
  CHECK(machine_of(traced(words), "mean") == json({409.5}));  // 2048/5 = 409.6
}

TEST_CASE("inputs rounded to a type first, then exact", "[trace][machine]") {
  const auto first_output = [](int offset) {
    std::vector<std::string> words = {"ln"};
    for (int i = 0; i < 16; ++i) {
      const std::string thousandths = std::to_string(1000 + i).substr(1);
      words.push_back(std::to_string(offset) + "." + thousandths);
    }
    words.insert(words.end(), {"--eps", "1e-5", "--input-dtype", "float32", "--digits", "15"});
    return traced(words)["output"][0]["values"][0]["text"].get<std::string>();
  };
  CHECK(first_output(100) == "-1.341527711007274");
  CHECK(first_output(1000) == "-1.341507761634971");
  CHECK(first_output(10000) == "-1.331333351732216");
}

TEST_CASE("JSON, CSV and the tensor view have the machine's numbers", "[render][machine]") {
  const json trace = traced({"rms", "1", "2", "--dtype", "float32", "--accumulate", "float64"});
  CHECK(trace["convention"]["dtype"] == "float32");
  CHECK(trace["convention"]["accumulate"] == "float64");
  CHECK(trace["convention"]["cast_order"] == "none");
  CHECK(trace["machine_input"][0]["values"] == json({1, 2}));
  CHECK_FALSE(traced({"rms", "1", "2"}).contains("machine_output"));
  CHECK(ran({"rms", "256", "0", "--dtype", "float16", "--format", "csv"}).out ==
        "token,f1,f2\nt1,1.414,0\nt1 float16,0,0\n");
  CHECK(ran({"ln", "3", "3", "--dtype", "float16", "--format", "tensor"}).out == "[[nan, nan]]\n");
}

TEST_CASE("wrong options of the machine end with status 2 and say what helps", "[cli][machine]") {
  const auto refused = [](std::vector<std::string> words, const std::string& help) {
    words.insert(words.begin(), {"rms", "1", "2"});
    words.insert(words.end(), {"--lang", "en"});
    const Ran result = ran(words);
    INFO(result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(help) != std::string::npos);
  };
  refused({"--dtype", "half"}, "did you mean float16?");
  refused({"--dtype", "torch.bfloat16"}, "did you mean bfloat16?");
  refused({"--dtype", "int8"}, "choose from float64|float32|bfloat16|float16");
  refused({"--accumulate", "float32"}, "add --dtype");
  refused({"--cast-order", "llama"}, "add --dtype");
  refused({"--dtype", "float32", "--accumulate", "float16"}, "choose from float64|float32");
  refused({"--dtype", "float16", "--accumulate", "bfloat16"}, "choose from float64|float32|float16");
  refused({"--dtype", "float16", "--cast-order", "llama", "--accumulate", "float64"}, "leave out --accumulate");
  refused({"1e5", "--input-dtype", "float16"}, "choose a wider type");
  refused({"--variance", "one-pass"}, "has no option --variance");
}
