#pragma once

#include <string>
#include <vector>

#include "trace/trace.h"
#include "words/words.h"

namespace normtrace::trace {

// What the numbers prove for one token, or for all (token empty).
struct Conclusion {
  std::string token;
  words::Message message;
};

// One input under several norms, in the order asked for. Requires at least one trace.
struct Comparison {
  std::vector<Trace> traces;
  std::vector<Conclusion> conclusions;

  [[nodiscard]] const tensor::Tensor& input() const { return traces.front().request.input; }
  // Null if that norm is not among them.
  [[nodiscard]] const Trace* find(std::string_view norm_id) const;
};

Comparison compare(const std::vector<Request>& requests, unsigned digits);

// What still holds of x̂ when the input is scaled or shifted, and of its norm: said of all norms but the plain three.
std::vector<words::Message> properties(const Request& request);

// Remarks that help, each true under the condition that its sentence states. The digits are those of the steps, for
// remarks on what is printed.
std::vector<words::Message> remarks(const Trace& trace, unsigned digits);

}  // namespace normtrace::trace
