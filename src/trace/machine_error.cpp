#include "trace/machine_error.h"

#include <cmath>
#include <limits>

namespace normtrace::trace {

using exact::Format;
using norm::StepKind;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool subtracts(const norm::Convention& convention, StepKind kind) {
  return kind == StepKind::deviations ||
         (kind == StepKind::variance && convention.variance == norm::VarianceMethod::one_pass);
}

std::optional<Fault> fault_of(const norm::Convention& convention, StepKind kind, const Value& exact, double machine,
                              const MachineError& error) {
  if (error.ulps == 0) return std::nullopt;
  if (!std::isfinite(machine)) return Fault::overflow;
  const Format& format = format_of(convention.machine, kind);
  const bool rounded_once = machine == round_to(format, exact);
  if (rounded_once && error.relative <= format.unit_roundoff()) return std::nullopt;
  if (subtracts(convention, kind) && error.relative > 2 * format.unit_roundoff()) return Fault::cancellation;
  if (!exact.is_zero() && std::abs(round_to(format, exact)) < format.smallest_normal()) return Fault::underflow;
  return Fault::rounding;
}

std::optional<FaultyStep> worst_of(const norm::Convention& convention, const Step& step) {
  std::optional<FaultyStep> worst;
  double largest = 0;
  for (std::size_t i = 0; i < step.machine.size(); ++i) {
    const Format& format = format_of(convention.machine, step.kind);
    const auto error = machine_error(format, step.values[i], step.machine[i]);
    if (!error || error->relative <= largest) continue;
    const auto fault = fault_of(convention, step.kind, step.values[i], step.machine[i], *error);
    if (!fault) continue;
    largest = error->relative;
    worst = FaultyStep{&step, i, *fault};
  }
  return worst;
}

}  // namespace

std::string_view id(Fault fault) {
  switch (fault) {
    case Fault::rounding: return "rounding";
    case Fault::cancellation: return "cancellation";
    case Fault::underflow: return "underflow";
    case Fault::overflow: return "overflow";
  }
  return {};
}

std::optional<MachineError> machine_error(const Format& format, const Value& exact, double machine) {
  if (exact.is_undefined()) return std::nullopt;
  if (!std::isfinite(machine)) return MachineError{infinity, infinity};
  const Value difference = abs(Value(exact::exact_value(machine)) - exact);
  if (difference.is_zero()) return MachineError{};
  const double nearest = round_to(format, exact);
  const double unit = last_place(format, std::isinf(nearest) ? format.largest() : nearest);
  const double relative = exact.is_zero() ? infinity : nearest_double(difference / abs(exact)).value_or(infinity);
  return MachineError{relative, nearest_double(difference / Value(exact::exact_value(unit))).value_or(infinity)};
}

const Format& format_of(const norm::Machine& machine, StepKind kind) {
  return *(kind == StepKind::cast || kind == StepKind::output ? machine.stored() : machine.computed()).format;
}

Faults faults(const norm::Convention& convention, const GroupTrace& group) {
  Faults found;
  for (const Step& step : group.steps) {
    const auto worst = worst_of(convention, step);
    if (!worst) continue;
    if (!found.first) found.first = worst;
    if (worst->fault == Fault::rounding) continue;
    found.first_grave = worst;
    break;
  }
  return found;
}

}  // namespace normtrace::trace
