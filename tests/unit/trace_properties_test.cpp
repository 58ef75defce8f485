#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "trace/comparison.h"

// What a trace says of scaling and shifting, tried on numbers: the sentence named must hold of them, and no more than it.

namespace {

using namespace normtrace;
using exact::Rational;
using exact::Value;

tensor::Tensor matrix(std::vector<std::int64_t> numbers, std::vector<std::size_t> shape) {
  tensor::Tensor x;
  x.shape = std::move(shape);
  for (const std::int64_t number : numbers) x.values.emplace_back(number);
  for (std::size_t row = 0; row < x.rows(); ++row) x.tokens.push_back("t" + std::to_string(row + 1));
  return x;
}

trace::Request request(std::string_view norm, tensor::Tensor input) {
  trace::Request asked;
  asked.norm = norm::find(norm);
  asked.input = std::move(input);
  if (!asked.norm->alpha.empty()) asked.options.alpha = Rational(1, 2);
  return asked;
}

tensor::Tensor moved(tensor::Tensor x, const Rational& scale, const Rational& shift) {
  for (Rational& number : x.values) number = scale * number + shift;
  return x;
}

enum class Answer { same, flipped, other };

Answer answer(const trace::Request& before, const Rational& scale, const Rational& shift) {
  trace::Request after = before;
  after.input = moved(before.input, scale, shift);
  const std::vector<Value> x = trace::run(before).output;
  const std::vector<Value> y = trace::run(after).output;
  if (std::ranges::equal(x, y, exact::proved_equal)) return Answer::same;
  const auto opposite = [](const Value& a, const Value& b) { return proved_equal(-a, b); };
  return std::ranges::equal(x, y, opposite) ? Answer::flipped : Answer::other;
}

bool says(const trace::Request& asked, const std::string& id) {
  const auto said = trace::properties(asked);
  return std::ranges::find(said, id, &words::Message::id) != said.end();
}

struct Claim {
  std::string_view norm;
  std::string property;
  Answer scaled;
  Answer negated;
  Answer shifted;
};

const std::vector<std::int64_t> numbers = {1, 2, 3, 4, 2, 0, -2, 4, -1, 1, 5, 1};

}  // namespace

TEST_CASE("norms answer to scaling and shifting as their traces say", "[trace]") {
  using enum Answer;
  const Claim claims[] = {
      {"groupnorm", "property.scale_and_shift", same, flipped, same},
      {"instancenorm", "property.scale_and_shift", same, flipped, same},
      {"batchnorm", "property.scale_and_shift", same, flipped, same},
      {"hybridnorm", "property.hybrid", same, flipped, other},
      {"adaptivermsnorm", "property.adaptive", other, other, other},
  };
  for (const Claim& claim : claims) {
    INFO(claim.norm);
    trace::Request asked = request(claim.norm, matrix(numbers, {2, 2, 3}));
    asked.options.channels = tensor::Channels::first;
    CHECK(says(asked, claim.property));
    CHECK(answer(asked, 3, 0) == claim.scaled);
    CHECK(answer(asked, -2, 0) == claim.negated);
    CHECK(answer(asked, 1, 7) == claim.shifted);
  }
}

TEST_CASE("options change what holds, and the trace says so", "[trace]") {
  using enum Answer;
  trace::Request partial = request("rms", matrix(numbers, {3, 4}));
  CHECK(trace::properties(partial).empty());
  partial.options.partial = Rational(1, 2);
  CHECK(says(partial, "property.partial"));
  CHECK(answer(partial, 3, 0) == same);
  CHECK(answer(partial, -1, 0) == flipped);
  CHECK(answer(partial, 1, 1) == other);

  trace::Request residual = request("ln", matrix(numbers, {3, 4}));
  residual.options.residual.assign(numbers.begin(), numbers.end());
  std::ranges::reverse(residual.options.residual);
  CHECK(says(residual, "property.residual"));
  CHECK(answer(residual, 3, 0) == other);
  CHECK(answer(residual, 1, 5) == same);

  trace::Request inference = request("bn", matrix(numbers, {3, 4}));
  inference.mode = trace::Mode::inference;
  inference.running.mean.assign(4, 1);
  inference.running.variance.assign(4, 4);
  CHECK(says(inference, "property.inference"));
  CHECK(answer(inference, 3, 0) == other);
  CHECK(answer(inference, 1, 5) == other);

  trace::Request axes = request("ln", matrix(numbers, {2, 2, 3}));
  axes.options.axes = 2;
  CHECK(says(axes, "property.scale_and_shift"));
  CHECK(answer(axes, 3, 5) == same);
}

TEST_CASE("the check of the norm gives the reason where it need not hold", "[trace]") {
  const auto check_of = [](const trace::Request& asked) { return trace::run(asked).groups.front().check; };
  const trace::Request hybrid = request("hybrid", matrix({1, 2, 3, 4}, {1, 4}));
  CHECK(check_of(hybrid).status == trace::CheckStatus::other);
  CHECK(check_of(hybrid).reason == "check.because_mixed");
  // Of one field where the mean is 0, and then nothing is lost.
  CHECK(check_of(request("hybrid", matrix({-1, 1, -1, 1}, {1, 4}))).status == trace::CheckStatus::exact);
  CHECK(check_of(request("adaptive", matrix({1, 2, 3, 4}, {1, 4}))).reason == "check.because_factor");
  trace::Request partial = request("rms", matrix({1, 2, 3, 4, 5, 6, 7, 8}, {1, 8}));
  partial.options.partial = Rational(1, 2);
  // Σx² = 204 over the mean square 30/4 of the first four.
  CHECK(proved_equal(check_of(partial).norm_squared, Value(Rational(272, 10))));
  CHECK(proved_equal(check_of(partial).expected, Value(Rational(272, 10))));
  CHECK(check_of(partial).reason == "check.because_partial");
}
