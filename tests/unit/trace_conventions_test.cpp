#include "trace/conventions.h"

#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "exact/decimal.h"
#include "text/read.h"

// The numbers here come from Python's decimal module with 80 digits.

using namespace normtrace;

namespace {

tensor::Tensor read(const std::vector<std::string>& words) {
  text::Document document = text::read_words(words);
  return text::batches(document).front();
}

const trace::NormSurvey& of(const trace::Survey& survey, std::string_view norm) {
  for (const trace::NormSurvey& one : survey.norms)
    if (one.norm->command == norm) return one;
  throw std::logic_error("not surveyed");
}

const trace::ConventionResult& by(const trace::NormSurvey& survey, std::string_view framework) {
  for (const trace::ConventionResult& result : survey.results)
    for (const norm::Preset* const preset : result.presets)
      if (preset->framework == framework) return result;
  throw std::logic_error("no such preset");
}

struct Expected {
  const char* words;
  const char* norm;
  const char* framework;
  std::vector<std::string> output;
  unsigned parts_at;
};

}  // namespace

TEST_CASE("one vector under the conventions of frameworks, and where they part from ε = 0", "[conventions]") {
  const std::vector<Expected> cases = {
      {"1,2,3,4", "ln", "pytorch", {"-1.3416", "-0.4472", "0.4472", "1.3416"}, 6},
      {"1,2,3,4", "ln", "flax", {"-1.3416", "-0.4472", "0.4472", "1.3416"}, 6},
      {"1,2,3,4", "ln", "mindspore", {"-1.3416", "-0.4472", "0.4472", "1.3416"}, 7},
      {"1,2,3,4", "ln", "bert", {"-1.3416", "-0.4472", "0.4472", "1.3416"}, 12},
      {"1,2,3,4", "ln", "keras", {"-1.3411", "-0.4470", "0.4470", "1.3411"}, 3},
      {"1,2,3,4", "ln", "annotated-transformer", {"-1.1619", "-0.3873", "0.3873", "1.1619"}, 1},
      {"1,2,3,4", "ln", "ai-by-hand", {"-1.1610", "-0.3870", "0.3870", "1.1610"}, 1},
      {"1,2,3,4", "rms", "pytorch", {"0.3651", "0.7303", "1.0954", "1.4606"}, 8},
      {"1,2,3,4", "rms", "llama1", {"0.3651", "0.7303", "1.0954", "1.4606"}, 7},
      {"1,2,3,4", "rms", "llama2", {"0.3651", "0.7303", "1.0954", "1.4606"}, 5},
      {"1,2,3,4", "rms", "gpt-neox", {"0.3651", "0.7303", "1.0954", "1.4606"}, 8},
      {"1,2,3,4", "rms", "keras-rms-scaling", {"0.8941", "1.7881", "2.6822", "3.5763"}, 1},
      {"1,0,0,0", "ln", "pytorch", {"1.7320", "-0.5773", "-0.5773", "-0.5773"}, 4},
      {"1,0,0,0", "ln", "mindspore", {"1.7321", "-0.5774", "-0.5774", "-0.5774"}, 6},
      {"1,0,0,0", "ln", "annotated-transformer", {"1.5000", "-0.5000", "-0.5000", "-0.5000"}, 1},
      {"1,0,0,0", "rms", "pytorch", {"2.0000", "0.0000", "0.0000", "0.0000"}, 7},
      {"0.01,0.02,0.03,0.04", "ln", "keras", {"-0.4472", "-0.1491", "0.1491", "0.4472"}, 1},
      {"0.01,0.02,0.03,0.04", "rms", "pytorch", {"0.3651", "0.7302", "1.0954", "1.4605"}, 3},
      {"0.01,0.02,0.03,0.04", "rms", "gemma", {"0.3649", "0.7298", "1.0947", "1.4596"}, 2},
  };
  for (const Expected& expected : cases) {
    INFO(expected.words << " " << expected.norm << " " << expected.framework);
    const trace::Survey survey = trace::survey(read({expected.words}), {});
    const trace::ConventionResult& result = by(of(survey, expected.norm), expected.framework);
    std::vector<std::string> output;
    for (const exact::Value& value : row_of(result.trace, 0)) output.push_back(to_fixed(value, 4));
    CHECK(output == expected.output);
    CHECK(result.parting[0] == expected.parts_at);
  }
}

TEST_CASE("BatchNorm is surveyed over a batch, and left out where there is none", "[conventions]") {
  CHECK(trace::survey(read({"1,2,3,4"}), {}).norms.size() + 1 ==
        trace::survey(read({"1,2,3,4", "2,0,-2,4"}), {}).norms.size());
  const trace::Survey survey = trace::survey(read({"1,2,3,4", "2,0,-2,4", "-1,1,-1,1"}), {});
  const trace::ConventionResult& keras = by(of(survey, "bn"), "keras");
  std::vector<std::string> output;
  for (const exact::Value& value : row_of(keras.trace, 0)) output.push_back(to_fixed(value, 4));
  CHECK(output == std::vector<std::string>{"0.2672", "1.2238", "1.3886", "0.7069"});
  CHECK(keras.parting[0] == 3);
  CHECK(keras.parting[2] == 4);
  CHECK(by(of(survey, "bn"), "pytorch").parting[2] == 5);
}

TEST_CASE("results that show the same digits stand in one group", "[conventions]") {
  const trace::Survey survey = trace::survey(read({"1,2,3,4"}), {});
  const trace::NormSurvey& ln = of(survey, "ln");
  CHECK(grouped(ln, 0, 4).size() == 4);  // about ±1.3416, ±1.3411, ±1.1619, ±1.1610
  CHECK(grouped(ln, 0, 2).size() == 2);  // 1.34 and 1.16
  CHECK(grouped(ln, 0, 13).size() == ln.results.size());
  // 2 and 1.9999999 show the same digits at four decimals.
  CHECK(grouped(of(trace::survey(read({"1,0,0,0"}), {}), "rms"), 0, 4).front().size() == 5);  // all but rms_scaling
}

TEST_CASE("equal numbers never part", "[conventions]") {
  const trace::Survey survey = trace::survey(read({"3,3,3"}), {});
  for (const trace::ConventionResult& result : of(survey, "ln").results)
    if (!result.presets.empty()) CHECK(result.parting[0] == 1u);  // the articles' own is 0/0
  CHECK(!trace::parting_decimal({exact::Value(1)}, {exact::Value(1)}));
  CHECK(trace::parting_decimal({exact::Value(1)}, {exact::Value(2)}) == 1u);
}
