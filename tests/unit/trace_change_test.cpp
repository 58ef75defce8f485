#include "trace/change.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "exact/decimal.h"
#include "text/read.h"

// The numbers here come from Python's decimal module with 80 digits.

using namespace normtrace;

namespace {

trace::Request ask(std::string_view norm, const std::vector<std::string>& words, const exact::Rational& eps = 0) {
  text::Document document = text::read_words(words);
  trace::Request request{norm::find(norm), {}, text::batches(document).front()};
  request.convention.eps = eps;
  return request;
}

trace::Edit scaled(const exact::Rational& scale, const exact::Rational& shift = 0) { return {scale, shift, {}}; }
trace::Edit set(std::size_t row, std::size_t column, const exact::Rational& value) {
  return {1, 0, trace::Edit::Place{row, column, value}};
}

std::vector<std::string> printed(const std::vector<exact::Value>& values, unsigned digits) {
  std::vector<std::string> result;
  for (const exact::Value& value : values) result.push_back(to_fixed(value, digits));
  return result;
}

std::vector<std::string> verdicts(const trace::Change& change) {
  std::vector<std::string> ids;
  for (const trace::Conclusion& verdict : change.verdicts) ids.push_back(verdict.message.id);
  return ids;
}

bool nothing_moved(const trace::Change& change) {
  return std::ranges::all_of(change.outputs, [](const trace::OutputMove& o) { return o.move == trace::Move::none; });
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("LayerNorm does not see scale and shift, exactly", "[change]") {
  const trace::Change change = trace::change(ask("ln", {"1,2,3"}), scaled(2, 10), 3);
  CHECK(nothing_moved(change));
  CHECK(verdicts(change) == Ids{"change.same_scale_shift"});
  CHECK(change.after.request.input.values == std::vector<exact::Rational>{12, 14, 16});
  CHECK(verdicts(trace::change(ask("ln", {"1,2,3"}), scaled(1, 10), 3)) == Ids{"change.same_shift"});
  // A shift is invisible with ε too.
  CHECK(verdicts(trace::change(ask("ln", {"1,2,3"}, exact::power_of_ten(-5)), scaled(1, 10), 3)) ==
        Ids{"change.same_shift"});
}

TEST_CASE("a negative scale flips the signs of LayerNorm and RMSNorm", "[change]") {
  const trace::Change layer = trace::change(ask("ln", {"1,2,4"}), scaled(-2, 5), 3);
  CHECK(verdicts(layer) == Ids{"change.flipped"});
  for (std::size_t i = 0; i < 3; ++i) CHECK(proved_equal(layer.after.output[i], -layer.before.output[i]));
  CHECK(verdicts(trace::change(ask("rms", {"1,2,4"}), scaled(-2), 3)) == Ids{"change.flipped_rms"});
}

TEST_CASE("RMSNorm does not see scale but sees a shift", "[change]") {
  const trace::Change times_ten = trace::change(ask("rms", {"1,2,3,4"}), scaled(10), 3);
  CHECK(nothing_moved(times_ten));
  CHECK(verdicts(times_ten) == Ids{"change.same_scale_rms"});
  const trace::Change shifted = trace::change(ask("rms", {"1,2,3,4"}), scaled(-2, 1), 3);
  CHECK(verdicts(shifted) == Ids{"change.rms_shift"});
  CHECK(printed(shifted.after.output, 10) ==
        std::vector<std::string>{"-0.2182178902", "-0.6546536707", "-1.0910894512", "-1.5275252317"});
}

TEST_CASE("with ε small inputs are not normalized to the same", "[change]") {
  const auto eps = exact::power_of_ten(-5);
  const trace::Change hundredth = trace::change(ask("ln", {"1,2,3"}, eps), scaled({1, 100}), 4);
  CHECK(printed(hundredth.after.output, 10)[0] == "-1.1420804814");
  CHECK(verdicts(hundredth) == Ids{"change.eps_same"});
  const trace::Change thousandth = trace::change(ask("ln", {"1,2,3"}, eps), scaled({-1, 1000}), 4);
  CHECK(printed(thousandth.after.output, 10)[0] == "0.3061862178");
  CHECK(verdicts(thousandth) == Ids{"change.eps_flipped"});
}

TEST_CASE("in a batch of two nothing moves; in a batch of four every sample does", "[change]") {
  const trace::Change two = trace::change(ask("bn", {"[[1],[3]]"}), set(1, 0, 5), 3);
  CHECK(nothing_moved(two));
  CHECK(verdicts(two) == Ids{"change.two_same", "change.batch_unmoved"});
  const trace::Change four = trace::change(ask("bn", {"[[1],[3],[1],[3]]"}), set(1, 0, 5), 3);
  CHECK(printed(four.after.output, 10) ==
        std::vector<std::string>{"-0.9045340337", "1.5075567229", "-0.9045340337", "0.3015113446"});
  CHECK(verdicts(four) == Ids{"change.batch_moved", "change.coupled"});
  CHECK(std::ranges::all_of(four.outputs, [](const auto& o) { return o.move == trace::Move::moved; }));
}

TEST_CASE("what moves less than the digits show is said", "[change]") {
  const trace::Change two = trace::change(ask("bn", {"[[1],[3]]"}, exact::power_of_ten(-5)), set(1, 0, 5), 3);
  CHECK(to_fixed(two.outputs[0].difference, 12) == "-0.000003749965");
  CHECK(verdicts(two) == Ids{"change.two_eps", "change.coupled", "change.hidden"});
  CHECK(two.verdicts.back().message.arguments == std::vector<std::string>{"3", "6"});
}

TEST_CASE("tokens are coupled by BatchNorm alone", "[change]") {
  const std::vector<std::string> tokens = {"1,2,3,4", "2,0,-2,4", "-1,1,-1,1"};
  for (const std::string_view norm : {"ln", "rms"}) {
    const trace::Change change = trace::change(ask(norm, tokens), set(1, 1, 9), 3);
    CHECK(!change.row_moved(0));
    CHECK(change.row_moved(1));
    CHECK(!change.row_moved(2));
    CHECK(verdicts(change) == Ids{"change.token_moved", "change.tokens_apart"});
  }
  const trace::Change batch = trace::change(ask("bn", tokens), set(1, 1, 9), 3);
  for (std::size_t row = 0; row < 3; ++row) {
    CHECK(batch.row_moved(row));
    for (const std::size_t column : {0, 2, 3}) CHECK(batch.outputs[row * 4 + column].move == trace::Move::none);
  }
  CHECK(verdicts(batch) == Ids{"change.batch_moved", "change.coupled", "change.features_apart"});
}

TEST_CASE("what cannot be compared is not called equal", "[change]") {
  const trace::Change constant = trace::change(ask("ln", {"3,3,3"}), scaled(2), 3);
  CHECK(constant.outputs[0].move == trace::Move::undefined);
  CHECK(verdicts(constant) == Ids{"change.undefined"});
  CHECK(verdicts(trace::change(ask("ln", {"1,2,3"}), scaled(1, 0), 3)) == Ids{"change.nothing_done"});
  CHECK(verdicts(trace::change(ask("ln", {"1,2,3"}), set(0, 1, 2), 3)) == Ids{"change.nothing_done"});
  CHECK(verdicts(trace::change(ask("rms", {"1,2,3"}, 1), scaled(0), 3)) == Ids{"change.scale_zero"});
}
