#pragma once

#include <cstddef>
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

// What is asked: a norm, a convention, numbers. γ and β in the convention are empty or have one entry a feature.
struct Request {
  const norm::Norm* norm = nullptr;
  norm::Convention convention;
  tensor::Tensor input;
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
  other,      // divisor n − 1, or ε added to the root
  undefined,  // the divisor is 0
};

struct Check {
  CheckStatus status;
  Value norm_squared;  // Σx̂²
  Value expected;      // Σ numerator²/divisor², the numerators being x − μ or x
  std::size_t target;  // d, or the batch size for BatchNorm
};

// The calculation for the elements that share one statistic.
struct GroupTrace {
  tensor::Group group;
  std::vector<Step> steps;
  Check check;

  // Null if the calculation has no such step.
  [[nodiscard]] const Step* find(norm::StepKind kind) const;
  // The value of a statistic. Requires that the calculation has it.
  [[nodiscard]] const Value& statistic(norm::StepKind kind) const;
  // What the numerators were divided by.
  [[nodiscard]] const Value& divisor() const;
};

struct Trace {
  Request request;
  std::vector<GroupTrace> groups;
  std::vector<Value> output;  // in the order of the input
  // The same numbers as the machine of the convention has them; empty without one.
  std::vector<double> machine_input;
  std::vector<double> machine_output;
};

Trace run(Request request);

std::string_view id(CheckStatus status);

}  // namespace normtrace::trace
