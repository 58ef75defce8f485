#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "exact/value.h"
#include "norm/catalogue.h"
#include "norm/convention.h"
#include "norm/step.h"
#include "tensor/partition.h"
#include "tensor/tensor.h"
#include "words/words.h"

namespace normtrace::trace {

using exact::Value;

enum class Mode {
  plain,
  training,   // BatchNorm by the statistics of the batch, running ones updated
  inference,  // BatchNorm by running statistics
  watched,    // a running RMS of all numbers, beside a norm that makes no use of it
};

std::string_view id(Mode mode);

// Statistics kept from batch to batch.
struct Running {
  std::vector<Value> mean;      // one a group
  std::vector<Value> variance;  // likewise
  Value rms = 1;
  std::size_t batches = 0;  // how many have passed
};

// What is asked: a norm, a convention, numbers. γ and β in the convention are empty or have one entry a parameter of the
// layout.
struct Request {
  const norm::Norm* norm = nullptr;
  norm::Convention convention;
  tensor::Tensor input;
  norm::Options options = {};
  Mode mode = Mode::plain;
  Running running = {};  // before this batch; what inference goes by

  [[nodiscard]] tensor::Layout layout() const { return norm::layout(*norm, options); }
  // The share that this batch gets in running statistics.
  [[nodiscard]] exact::Rational momentum() const;
};

struct Step {
  norm::StepKind kind;
  std::vector<Value> values;    // one for a statistic, else one a member of the group
  std::vector<double> machine;  // the same as the machine has them, infinities and NaN included; empty without one
};

// How Σx̂² compares with the number of elements, x̂ being the output before γ and β.
enum class CheckStatus {
  exact,      // equal, proved
  below,      // ε inside the root makes it smaller
  other,      // for the reason that the check gives
  undefined,  // the divisor is 0
};

struct Check {
  CheckStatus status;
  Value norm_squared;  // Σx̂²
  Value expected;      // Σ numerator²/divisor², the numerators being x − μ or x
  std::size_t target;  // d, or the batch size for BatchNorm
  std::string reason;  // the id of the sentence that says why, for `other` and `undefined`
};

// The calculation for the elements that share one statistic.
struct GroupTrace {
  tensor::Group group;
  std::vector<Step> steps;
  Check check;
  std::vector<exact::Rational>
      x;                   // what the norm is taken of, one a member: the input, plus the residual if there is one
  std::size_t index = 0;   // among the groups, and of its running statistics
  bool divides_x = false;  // the numerators are x although μ is known

  // Null if the calculation has no such step.
  [[nodiscard]] const Step* find(norm::StepKind kind) const;
  // The value of a statistic. Requires that the calculation has it.
  [[nodiscard]] const Value& statistic(norm::StepKind kind) const;
  // σ² or the mean square, of which (plus ε) the divisor is the root.
  [[nodiscard]] const Value& under_root() const;
  // Whether a machine's numbers stand beside the exact ones.
  [[nodiscard]] bool on_machine() const { return !steps.front().machine.empty(); }
  // Whether x − μ was computed, and whether the numerators are that.
  [[nodiscard]] bool has_deviations() const { return find(norm::StepKind::deviations) != nullptr; }
  [[nodiscard]] bool centred() const { return has_deviations() && !divides_x; }
  // What the numerators were divided by: x − μ where they are that, else x.
  [[nodiscard]] const Value& divisor() const;
  // What x was divided by. Requires a formula with an RMS.
  [[nodiscard]] const Value& divisor_of_rms() const;

 private:
  [[nodiscard]] const Value& first_of(std::initializer_list<norm::StepKind> kinds) const;
};

struct Trace {
  Request request;
  std::vector<GroupTrace> groups;
  std::vector<Value> output;  // in the order of the input
  // The same numbers as the machine of the convention has them; empty without one.
  std::vector<double> machine_input;
  std::vector<double> machine_output;
  Running running;                  // after this batch
  std::optional<GroupTrace> watch;  // of all numbers, where a running RMS is kept
};

Trace run(Request request);

// One calculation after another, each beginning with the running statistics that the one before left. At least one.
struct Passes {
  std::vector<Trace> traces;

  // How many of them update running statistics; they come first.
  [[nodiscard]] std::size_t training() const;
  // Whether the last is the one before it again, in inference.
  [[nodiscard]] bool evaluated() const;
};

// The batches in sequence, in the mode of the request; then, to evaluate, the last batch again in inference.
// Requires at least one batch, all with the same features or channels.
Passes run_batches(Request request, std::vector<tensor::Tensor> batches, bool evaluate);

std::string_view id(CheckStatus status);

}  // namespace normtrace::trace
