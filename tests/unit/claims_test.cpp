#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "classroom/claims/evidence.h"
#include "classroom/claims/view.h"
#include "classroom/tables.h"
#include "cli/command.h"
#include "places.h"
#include "tensor/partition.h"
#include "trace/parameters.h"
#include "words/words.h"

namespace classroom = normtrace::classroom;
using classroom::Evidence;
using classroom::Kind;
using classroom::Side;
using classroom::Verdict;

namespace {

std::map<std::string, std::string> expected_verdicts() {
  std::ifstream file(places::root() / "tests/agree/verdicts.txt");
  std::map<std::string, std::string> expected;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string id;
    words >> id >> expected[id];
  }
  return expected;
}

int status_of(std::string_view command) {
  std::vector<std::string> args;
  std::istringstream words{std::string(command)};
  for (std::string word; words >> word;) args.push_back(word);
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const auto no_environment = [](const char*) -> std::optional<std::string> { return std::nullopt; };
  return normtrace::cli::run(args, {in, false, out, false, err, no_environment});
}

Verdict judged(Kind kind, std::vector<Evidence> evidence) { return classroom::judge(kind, evidence); }
Evidence one(Side side, bool within = true) { return {"x", {}, side, within}; }

}  // namespace

TEST_CASE("claims: the numbers lead to the verdicts that were expected", "[claims]") {
  auto expected = expected_verdicts();
  for (const classroom::Claim& claim : classroom::claims()) {
    INFO(claim.id);
    const classroom::Judged judged = classroom::judged(claim);
    CHECK(expected[std::string(claim.id)] == id(judged.verdict));
    expected.erase(std::string(claim.id));
    CHECK_FALSE(judged.evidence.empty());
    if (claim.kind == Kind::conditional) CHECK(normtrace::words::knows(condition_of(claim)));
    CHECK(normtrace::words::knows(sentence_of(claim)));
    for (const Evidence& evidence : judged.evidence)
      CHECK((evidence.remark.empty() || normtrace::words::knows(evidence.remark)));
  }
  CHECK(expected.empty());
}

TEST_CASE("claims: every entry of the inventory has its claim, and every command of the list runs", "[claims]") {
  for (int i = 1; i <= 37; ++i) {
    if (i >= 15 && i <= 19) continue;  // numbers that the inventory does not use
    CHECK(classroom::find_claim("D" + std::to_string(i)) != nullptr);
  }
  CHECK(classroom::find_claim("d7") == classroom::find_claim("D7"));
  CHECK(classroom::find_claim("D15") == nullptr);
  for (const classroom::Claim& claim : classroom::claims()) {
    INFO(claim.id << ": " << claim.command);
    CHECK(status_of(claim.command) == 0);
    CHECK(status_of("claim " + std::string(claim.id)) == 0);
  }
}

TEST_CASE("claims: a verdict follows from the evidence and from nothing else", "[claims]") {
  const Evidence supports = one(Side::supports);
  const Evidence opposes = one(Side::opposes);
  const Evidence opposes_outside = one(Side::opposes, false);
  CHECK(judged(Kind::universal, {supports, supports}) == Verdict::holds);
  CHECK(judged(Kind::universal, {supports, opposes}) == Verdict::fails);
  CHECK(judged(Kind::universal, {opposes}) == Verdict::fails);
  CHECK(judged(Kind::universal, {one(Side::neither)}) == Verdict::undecidable);
  CHECK(judged(Kind::universal, {}) == Verdict::undecidable);
  CHECK(judged(Kind::universal, {supports, opposes_outside}) == Verdict::fails);
  CHECK(judged(Kind::conditional, {supports, opposes_outside}) == Verdict::conditional);
  CHECK(judged(Kind::conditional, {supports, opposes, opposes_outside}) == Verdict::fails);
  CHECK(judged(Kind::conditional, {supports}) == Verdict::holds);
  CHECK(judged(Kind::conditional, {opposes_outside}) == Verdict::fails);
  CHECK(judged(Kind::statistical, {supports, supports, opposes}) == Verdict::undecidable);
  std::vector<Evidence> many(classroom::enough_cases, supports);
  CHECK(judged(Kind::statistical, many) == Verdict::holds);
  many.push_back(opposes);
  CHECK(judged(Kind::statistical, many) == Verdict::fails);
}

// Counted once more by itertools.combinations_with_replacement and fractions.
TEST_CASE("claims: how many inputs of whole numbers would agree with the words that are left", "[claims]") {
  const auto counts = [](const char* id) {
    std::vector<std::int64_t> result;
    const std::vector<Evidence> evidence = classroom::find_claim(id)->evidence();
    for (const auto& value : evidence.front().values) result.push_back(value.rational()->numerator().to_int64());
    return result;
  };
  CHECK(counts("U3") == std::vector<std::int64_t>{2, 2, 4, 2, 6, 2, 3, 1, 1});
  CHECK(counts("U6") == std::vector<std::int64_t>{1, 0, 1, 0, 3, 0, 13, 0});
  CHECK(counts("U7") == std::vector<std::int64_t>{0, 0, 1, 0, 0, 1, 0, 0});
}

// --- the tables, cell by cell, against what the program computes

namespace {

using normtrace::exact::Rational;
using normtrace::norm::StepKind;
using normtrace::tensor::Tensor;
namespace trace = normtrace::trace;

const std::vector<std::string> norms = {"batchnorm", "layernorm", "rmsnorm"};

trace::Trace traced(const std::string& norm, std::vector<Rational> values) {
  trace::Request request;
  request.norm = normtrace::norm::find(norm);
  request.input = {{3, 4}, std::move(values), {"a", "b", "c"}, true};
  return trace::run(std::move(request));
}

std::vector<Rational> cat_eats_fish() { return {1, 2, 3, 4, 2, 0, -2, 4, -1, 1, -1, 1}; }

std::string_view yes_or_no(bool yes) { return yes ? "tables.yes" : "tables.no"; }

// Whether another token's numbers have a part in the first one's output.
bool couples(const std::string& norm) {
  std::vector<Rational> changed = cat_eats_fish();
  changed[4] = 7;
  const trace::Trace before = traced(norm, cat_eats_fish());
  const trace::Trace after = traced(norm, changed);
  for (std::size_t i = 0; i < 4; ++i)
    if (!proved_equal(before.output[i], after.output[i])) return true;
  return false;
}

// What stands under the root: the variance, or the mean square of x.
std::string_view scale(const std::string& norm) {
  const trace::GroupTrace group = traced(norm, cat_eats_fish()).groups.front();
  const StepKind kind = group.find(StepKind::variance) ? StepKind::variance : StepKind::mean_square;
  CHECK(proved_equal(group.divisor() * group.divisor(), group.statistic(kind)));
  return kind == StepKind::variance ? "σ²" : "mean(x²)";
}

// Whether inference by running statistics gives what training gave; a norm that keeps none computes alike in both.
bool same_in_inference(const std::string& norm) {
  if (norm != "batchnorm") return !couples(norm);
  trace::Request request = traced(norm, cat_eats_fish()).request;
  request.mode = trace::Mode::training;
  const Tensor batch = request.input;
  const trace::Passes passes = trace::run_batches(std::move(request), {batch}, true);
  for (std::size_t i = 0; i < 12; ++i)
    if (passes.traces[0].output[i].is_undefined() ||
        !proved_equal(passes.traces[0].output[i], passes.traces[1].output[i]))
      return false;
  return true;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace

TEST_CASE("tables: what can be checked of the three norms is", "[tables]") {
  const classroom::FactTable& table = *classroom::find_table("norms");
  REQUIRE(table.rows.size() == 10);  // the head and nine properties
  const auto cell = [&](std::string_view row, std::size_t norm) {
    const auto* const found = classroom::find_row(table, row);
    REQUIRE(found != nullptr);
    return (*found)[norm + 1];
  };
  for (std::size_t i = 0; i < norms.size(); ++i) {
    const std::string& norm = norms[i];
    INFO(norm);
    const trace::Trace trace = traced(norm, cat_eats_fish());
    const trace::GroupTrace& group = trace.groups.front();
    const bool over_batch = group.group.members == std::vector<std::size_t>{0, 4, 8};
    const bool over_token = group.group.members == std::vector<std::size_t>{0, 1, 2, 3};
    CHECK(over_batch != over_token);
    CHECK(cell("tables.over", i) == (over_batch ? "tables.batch_of_feature" : "tables.features_of_token"));
    CHECK(cell("tables.takes_mean", i) == yes_or_no(group.find(StepKind::mean) != nullptr));
    CHECK(cell("tables.scale", i) == scale(norm));
    CHECK(cell("tables.needs_batch", i) == yes_or_no(couples(norm)));
    CHECK(cell("tables.couples", i) == yes_or_no(couples(norm)));
    CHECK(cell("tables.train_infer", i) == (same_in_inference(norm) ? "tables.same" : "tables.different"));
    CHECK(cell("tables.complexity", i) == "O(N)");
  }
}

TEST_CASE("tables: LayerNorm against RMSNorm, GPT-2 against LLaMA", "[tables]") {
  const classroom::FactTable& table = *classroom::find_table("layernorm-rmsnorm");
  const classroom::FactTable& models = *classroom::find_table("gpt2-llama");
  for (std::size_t i = 1; i <= 2; ++i) {
    const trace::GroupTrace group = traced(norms[i], cat_eats_fish()).groups.front();
    CHECK((*classroom::find_row(table, "tables.subtracts_mean"))[i] == yes_or_no(group.centred()));
    CHECK((*classroom::find_row(table, "tables.statistics"))[i] ==
          (group.find(StepKind::variance) ? "tables.mean_and_variance" : "tables.mean_square"));
    CHECK((*classroom::find_row(models, "tables.does"))[i] ==
          (group.centred() ? "tables.shifts_and_scales" : "tables.scales"));
  }
  // 2d parameters in each norm of GPT-2, d in each of LLaMA: what adding a layer adds beyond its matrices and biases.
  const auto norms_of_a_layer = [](trace::Family family) {
    const trace::Model one = trace::model_of(family, 64, 1);
    const trace::Model two = trace::model_of(family, 64, 2);
    const std::int64_t biases = family == trace::Family::gpt2 ? 9 * 64 : 0;
    return (two.parameters() - one.parameters() - one.layer_weights() - biases) / (2 * 64);
  };
  CHECK(norms_of_a_layer(trace::Family::gpt2) == 2);
  CHECK(norms_of_a_layer(trace::Family::llama) == 1);
  for (const classroom::FactTable* const each : {&table, &models}) {
    CHECK((*classroom::find_row(*each, "tables.parameters"))[1] == "γ, β (2d)");
    CHECK((*classroom::find_row(*each, "tables.parameters"))[2] == "γ (d)");
  }
}

TEST_CASE("tables: shapes are those of the calculation", "[tables]") {
  const classroom::FactTable& table = *classroom::find_table("shapes");
  trace::Request request;
  request.norm = normtrace::norm::find("rmsnorm");
  request.input = {{1, 3, 4}, cat_eats_fish(), {"a", "b", "c"}, false};
  const std::string full = shape_text(request.input.shape);
  const std::string statistic = shape_text(normtrace::tensor::blocks(request.input.shape, request.layout()));
  const std::string parameters = shape_text({normtrace::tensor::parameter_count(request.input, request.layout())});
  for (const auto& [row, shape] : std::map<std::string, std::string>{{"x", full},
                                                                     {"x²", full},
                                                                     {"mean(x²)", statistic},
                                                                     {"RMS(x)", statistic},
                                                                     {"x/RMS(x)", full},
                                                                     {"γ", parameters},
                                                                     {"y", full}}) {
    INFO(row);
    CHECK((*classroom::find_row(table, row))[1] == shape);
  }
}
