#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "exact/machine.h"
#include "trace/trace.h"

namespace normtrace::trace {

// How far a machine's number is from the exact one; infinite for ∞ and NaN.
struct MachineError {
  double relative = 0;  // |machine − exact|/|exact|; infinite too where only the exact value is 0
  double ulps = 0;      // |machine − exact| in units of the last place that the type has at the exact value
};

// None where the exact value is undefined.
std::optional<MachineError> machine_error(const exact::Format& format, const Value& exact, double machine);

// The type in which the machine has a step: with an order of casts x̂ is computed in a wider one.
const exact::Format& format_of(const norm::Machine& machine, norm::StepKind kind);

// What makes a machine's number another than the exact one rounded once, or makes that one rounding a great loss.
enum class Fault {
  rounding,      // the roundings of earlier steps
  cancellation,  // numbers that agree in their leading digits are subtracted
  underflow,     // below the smallest normal number, where digits are lost, down to 0
  overflow,      // beyond the largest number
};

std::string_view id(Fault fault);  // "rounding", …

// A step with such numbers, and the worst of them.
struct FaultyStep {
  const Step* step;
  std::size_t element;  // of step->values
  Fault fault;
};

// Of one group: the first step where any fault enters, and the first where a fault other than rounding does; they may be the
// same, and there is none where every number is the exact one rounded once.
struct Faults {
  std::optional<FaultyStep> first;
  std::optional<FaultyStep> first_grave;
};

// Requires a trace with a machine.
Faults faults(const norm::Convention& convention, const GroupTrace& group);

// What happened on the machine and what helps, for one group; nothing without a machine.
void machine_remarks(const Trace& trace, const GroupTrace& group, std::vector<words::Message>& out);

}  // namespace normtrace::trace
