#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "classroom/claims/evidence.h"
#include "classroom/claims/view.h"
#include "classroom/tables.h"
#include "cli/command.h"
#include "exact/decimal.h"
#include "places.h"
#include "tensor/partition.h"
#include "trace/gradient.h"
#include "trace/parameters.h"
#include "trace/softmax.h"
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

// What a command writes, and how it ends.
struct Outcome {
  int status;
  std::string text;
};
Outcome outcome_of(std::string_view command) {
  std::vector<std::string> args;
  std::istringstream words{std::string(command)};
  for (std::string word; words >> word;) args.push_back(word);
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const auto no_environment = [](const char*) -> std::optional<std::string> { return std::nullopt; };
  const int status = normtrace::cli::run(args, {in, false, out, false, err, no_environment});
  return {status, out.str() + err.str()};
}
int status_of(std::string_view command) { return outcome_of(command).status; }

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
    for (const Evidence& evidence : judged.evidence) {
      INFO(evidence.what);
      CHECK((evidence.remark.empty() || normtrace::words::knows(evidence.remark)));
      CHECK((!evidence.what.starts_with("label.") || normtrace::words::knows(evidence.what)));
      CHECK((!evidence.values.empty() || !evidence.remark.empty()));
    }
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
    for (const std::string_view command : claim.commands) {
      INFO(claim.id << ": " << command);
      CHECK(status_of(command) == 0);
    }
    if (claim.commands.empty()) CHECK(normtrace::words::knows(alone_of(claim)));
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

namespace {

// The numbers of a text, each as it stands there.
std::set<std::string> numbers_in(const std::string& text) {
  static const std::regex number("-?[0-9][0-9.]*(×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?");
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), number), end; match != end; ++match)
    found.insert(match->str());
  return found;
}

// Everything that the commands of a claim print, to four decimals where they can.
std::set<std::string> shown_by(const classroom::Claim& claim) {
  std::string all;
  for (const std::string_view command : claim.commands)
    for (const char* const more : {" --digits 4 --steps full", " --digits 4", ""}) {
      const Outcome outcome = outcome_of(std::string(command) + more);
      if (outcome.status != 0) continue;
      all += outcome.text;
      break;
    }
  return numbers_in(all);
}

}  // namespace

// Some numbers follow from what is shown by one subtraction or the like; claims_derived.txt names them.
TEST_CASE("claims: the commands show the numbers", "[claims]") {
  std::ifstream file(places::root() / "tests/agree/claims_derived.txt");
  std::set<std::string> derived;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line.front() != '#') derived.insert(line);
  std::set<std::string> not_shown;
  for (const classroom::Claim& claim : classroom::claims()) {
    if (claim.commands.empty()) continue;
    const std::set<std::string> shown = shown_by(claim);
    for (const Evidence& evidence : claim.evidence()) {
      if (!evidence.recorded.empty()) continue;
      const bool all = std::ranges::all_of(evidence.values, [&](const auto& value) {
        return value.is_undefined() ||
               shown.contains(to_decimal(value, 4, normtrace::exact::PowerOfTen::superscript).text);
      });
      if (!all) not_shown.insert(std::string(claim.id) + " " + evidence.what);
    }
    for (const Evidence& evidence : claim.evidence())
      if (!evidence.recorded.empty()) {
        INFO(claim.id << ": " << evidence.what);
        CHECK(outcome_of("table recorded").text.find(evidence.recorded) != std::string::npos);
      }
  }
  CHECK(not_shown == derived);
}

namespace {

using normtrace::exact::Rational;
using normtrace::exact::Value;
using Numbers = std::vector<Rational>;

// Every vector of n whole numbers from `low` to `high`.
void each_vector(std::size_t n, int low, int high, const std::function<void(const Numbers&)>& look) {
  std::vector<int> x(n, low);
  while (true) {
    look({x.begin(), x.end()});
    std::size_t i = 0;
    while (i < n && x[i] == high) x[i++] = low;
    if (i == n) return;
    ++x[i];
  }
}

bool all_equal(const Numbers& x) { return std::ranges::count(x, x.front()) == static_cast<std::ptrdiff_t>(x.size()); }
Rational sum_of(const Numbers& x) { return std::accumulate(x.begin(), x.end(), Rational(0)); }
Rational squares_of(const Numbers& x) { return std::inner_product(x.begin(), x.end(), x.begin(), Rational(0)); }

}  // namespace

// The conditions are those under which a claim holds without exception: all small vectors are tried.
TEST_CASE("claims: no vector that meets a condition refutes its claim", "[claims]") {
  SECTION("B4: others that are not all equal do not all stay as they are") {
    each_vector(3, 0, 3, [](const Numbers& batch) {
      if (batch[0] == batch[1]) return;
      for (int changed = 0; changed <= 3; ++changed) {
        if (batch[2] == Rational(changed)) continue;
        const auto before = classroom::output("batchnorm", batch);
        const auto after = classroom::output("batchnorm", {batch[0], batch[1], changed});
        CHECK_FALSE((proved_equal(before[0], after[0]) && proved_equal(before[1], after[1])));
      }
    });
    each_vector(2, 0, 3, [](const Numbers& batch) {  // others that are equal stay, as long as the order does
      if (!(batch[0] < batch[1])) return;
      CHECK(proved_equal(classroom::output("batchnorm", {batch[0], batch[0], batch[1]})[0],
                         classroom::output("batchnorm", {batch[0], batch[0], batch[1] + Rational(5)})[0]));
    });
  }
  SECTION("B1: of scores that are not all equal the largest weight grows, and the gradients change") {
    each_vector(3, -1, 2, [](const Numbers& scores) {
      if (all_equal(scores)) return;
      const auto p = normtrace::trace::softmax({scores.begin(), scores.end()});
      std::vector<Value> four;
      for (const Rational& s : scores) four.emplace_back(Rational(4) * s);
      const auto q = normtrace::trace::softmax(four);
      const auto largest = std::ranges::max_element(scores) - scores.begin();
      CHECK(compare(q[largest], p[largest]) > 0);
      bool changed = false;
      for (std::size_t i = 0; i < p.size(); ++i)
        changed = changed || compare(q[i] * (Value(1) - q[i]), p[i] * (Value(1) - p[i])) != 0;
      CHECK(changed);
    });
  }
  SECTION("B7: the mean of RMSNorm's output is 0 where that of x is, and nowhere else") {
    each_vector(3, -2, 2, [](const Numbers& x) {
      if (squares_of(x).is_zero()) return;
      const auto y = classroom::output("rmsnorm", x);
      CHECK(sum(std::span<const Value>(y)).is_zero() == sum_of(x).is_zero());
    });
  }
  SECTION("E5: dx is 0 where γ is a multiple of x, or for LayerNorm made of x and all ones") {
    each_vector(3, -1, 2, [](const Numbers& x) {
      each_vector(3, -1, 1, [&](const Numbers& gamma) {
        const auto minor = [&](std::size_t i, std::size_t j) { return x[i] * gamma[j] - x[j] * gamma[i]; };
        const bool multiple = minor(0, 1).is_zero() && minor(0, 2).is_zero() && minor(1, 2).is_zero();
        const bool combined = (minor(0, 1) - minor(0, 2) + minor(1, 2)).is_zero();  // det(1, x, γ)
        for (const auto& [norm, zero] : {std::pair{"rmsnorm", multiple}, {"layernorm", combined}}) {
          normtrace::norm::Convention convention;
          convention.gamma = gamma;
          const auto forward = classroom::traced(norm, x, convention);
          if (forward.groups.front().divisor().is_zero()) continue;
          const auto dx = normtrace::trace::backward(forward, {1, 1, 1}).input;
          CHECK(std::ranges::all_of(dx, &Value::is_zero) == zero);
        }
      });
    });
  }
  SECTION("D10: RMSNorm removes a scale that is positive") {
    each_vector(2, -2, 2, [](const Numbers& x) {
      if (squares_of(x).is_zero()) return;
      const auto y = classroom::output("rmsnorm", x);
      CHECK(classroom::equal(y, classroom::output("rmsnorm", classroom::scaled(x, Rational(7, 3)))));
      CHECK_FALSE(classroom::equal(y, classroom::output("rmsnorm", classroom::scaled(x, -1))));
    });
  }
  SECTION("D31: the length of HybridNorm's output stays where the mean is 0, and nowhere else") {
    each_vector(3, -1, 2, [](const Numbers& x) {
      if (all_equal(x)) return;
      normtrace::trace::Request request;
      request.norm = normtrace::norm::find("hybridnorm");
      request.options.alpha = Rational(1, 3);
      request.input = {{3}, x, {"x"}, true};
      const Value squares = classroom::sum_of_squares(normtrace::trace::run(std::move(request)).output);
      if (sum_of(x).is_zero())
        CHECK(proved_equal(squares, 3));
      else
        CHECK(compare(squares, 3) < 0);
    });
  }
}

TEST_CASE("claims: what the conditions leave out is out for a reason", "[claims]") {
  // Each of these once met the condition that was stated, and refutes the claim.
  const auto refuted = [](const char* id, const std::string& what) {
    for (const Evidence& evidence : classroom::find_claim(id)->evidence())
      if (evidence.what.starts_with(what)) return evidence.side == Side::opposes && !evidence.within;
    return false;
  };
  CHECK(refuted("B4", "[0, 0, 3], x₃ = 5"));
  CHECK(refuted("B7", "μ(RMSNorm(鱼))"));
  CHECK(refuted("D10", "RMSNorm(-10·吃)"));
  CHECK(refuted("D10", "RMSNorm(0.001·吃)"));
  CHECK(refuted("D11", "A = 0.5, B = -3"));
  CHECK(refuted("D11", "A = -1.5, B = 2"));
  CHECK(refuted("D11", "A = 0.5, B = -1.5"));
  CHECK(refuted("E5", "‖dx‖, RMSNorm([2, 2, 2])"));
  const std::vector<Evidence> sharper = classroom::find_claim("B1")->evidence();
  CHECK(std::ranges::count(sharper, "evidence.slope_grows", &Evidence::remark) == 2);
}

// --- the tables, cell by cell, against what the program computes

namespace {

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

TEST_CASE("tables: shapes of LayerNorm are those of the calculation", "[tables]") {
  const classroom::FactTable& table = *classroom::find_table("layernorm-shapes");
  trace::Request request;
  request.norm = normtrace::norm::find("layernorm");
  std::vector<Rational> values = cat_eats_fish();
  values.insert(values.end(), values.begin(), values.begin() + 12);
  request.input = {{2, 3, 4}, std::move(values), std::vector<std::string>(6, "t"), false};
  const std::string full = shape_text(request.input.shape);
  const std::string statistic = shape_text(normtrace::tensor::blocks(request.input.shape, request.layout()));
  const std::string parameters = shape_text({normtrace::tensor::parameter_count(request.input, request.layout())});
  for (const auto& [row, shape] : std::map<std::string, std::string>{{"x", full},
                                                                     {"tables.one_token", "(4,)"},
                                                                     {"μ", statistic},
                                                                     {"σ²", statistic},
                                                                     {"(x-μ)/σ", full},
                                                                     {"γ, β", parameters},
                                                                     {"y", full}}) {
    INFO(row);
    CHECK((*classroom::find_row(table, row))[2] == shape);
  }
}

TEST_CASE("tables: operations are those that the counts of a model go by", "[tables]") {
  const classroom::FactTable& table = *classroom::find_table("operations");
  const std::int64_t counted[] = {trace::layernorm_operations(true), trace::layernorm_operations(true),
                                  trace::rmsnorm_operations(true)};
  for (std::size_t norm = 0; norm < 3; ++norm) {
    std::int64_t each = 0;
    for (const auto& row : table.rows) each += row[norm + 1] == "1" ? 1 : 0;
    CHECK(each == counted[norm]);
    CHECK((*classroom::find_row(table, "tables.operations_of_n"))[norm + 1] == std::to_string(each) + "N");
    CHECK((*classroom::find_row(table, "tables.operations_of_2n"))[norm + 1] == std::to_string(2 * each) + "N");
  }
}

// Written down by hand from the inventory of the articles.
TEST_CASE("tables: the sets of four whole numbers with a whole RMS", "[tables]") {
  const classroom::FactTable& table = *classroom::find_table("whole-rms");
  const std::vector<std::string> sets = {"{0,0,0,2} {1,1,1,1}",
                                         "{0,0,0,4} {2,2,2,2}",
                                         "{0,0,0,6} {0,2,4,4} {1,1,3,5} {3,3,3,3}",
                                         "{0,0,0,8} {4,4,4,4}",
                                         "{0,0,6,8} {1,1,7,7} {1,3,3,9} {1,5,5,7} {2,4,4,8} {5,5,5,5}",
                                         "{0,4,8,8} {6,6,6,6}",
                                         "{2,8,8,8} {3,5,9,9} {7,7,7,7}",
                                         "{8,8,8,8}",
                                         "{9,9,9,9}"};
  REQUIRE(table.rows.size() == sets.size() + 1);
  for (std::size_t i = 0; i < sets.size(); ++i) CHECK(table.rows[i + 1][1] == sets[i]);
}

TEST_CASE("tables: every table is printed in every format, and its commands run", "[tables]") {
  for (const classroom::FactTable& table : classroom::tables())
    for (const char* const format : {"text", "markdown", "json", "csv"})
      for (const char* const language : {"zh", "en"}) {
        INFO(table.name << " " << format);
        CHECK(status_of("table " + std::string(table.name) + " --format " + format + " --lang " + language) == 0);
      }
  for (const auto& row : classroom::find_table("figures")->rows)
    if (row.back().starts_with("normtrace ")) CHECK(status_of(row.back().substr(10)) == 0);
}
