#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "exact/decimal.h"
#include "trace/machine_error.h"

namespace normtrace::trace {

using exact::Format;
using exact::PowerOfTen;
using exact::Rational;
using norm::StepKind;

namespace {

// What a remark on a machine may look at.
struct Subject {
  const Trace& trace;
  const GroupTrace& group;
  std::optional<FaultyStep> fault;  // the first other than rounding

  [[nodiscard]] const norm::Convention& convention() const { return trace.request.convention; }
  [[nodiscard]] const Format& stored() const { return *convention().machine.dtype; }
  [[nodiscard]] const Format& computed() const { return *convention().machine.computed().format; }
  [[nodiscard]] const Step* faulty(Fault kind) const { return fault && fault->fault == kind ? fault->step : nullptr; }
  [[nodiscard]] std::string text(double x) const { return to_text(computed(), x, PowerOfTen::superscript); }
  // With as many digits as the type tells apart, and a few more.
  [[nodiscard]] std::string text(const Value& x) const {
    return to_significant(x, computed().decimals() + 2, PowerOfTen::superscript).text;
  }
};

using Messages = std::vector<words::Message>;

std::string name(const Format& format) { return std::string(format.name); }

std::string bits(const Format& format) { return std::to_string(format.precision); }

std::string short_text(double x) {
  constexpr unsigned digits = 4;
  return to_significant(exact::exact_value(x), digits, PowerOfTen::superscript).text;
}

// The first number that the type has no place for: an infinity, or another than was typed.
void input(const Subject& s, Messages& out) {
  for (const std::size_t member : s.group.group.members) {
    const Rational& x = s.trace.request.input.values[member];
    const double stored = s.trace.machine_input[member];
    const std::string given = to_exact_text(x, s.stored().decimals(), PowerOfTen::superscript);
    if (std::isinf(stored)) {
      out.push_back({"machine.input_overflow", {given, name(s.stored()), short_text(s.stored().largest())}});
      return;
    }
    if (exact::exact_value(stored) == x) continue;
    out.push_back(
        {"machine.input_rounded", {given, name(s.stored()), to_text(s.stored(), stored, PowerOfTen::superscript)}});
    return;
  }
}

// The same for every group: said with the first.
void lost_eps(const Subject& s, Messages& out) {
  const Rational& eps = s.convention().eps;
  if (&s.group != &s.trace.groups.front() || eps.is_zero() || round_to(s.computed(), eps) != 0) return;
  out.push_back({"machine.eps_lost",
                 {to_exact_text(eps, 3, PowerOfTen::superscript), name(s.computed()),
                  short_text(s.computed().smallest_subnormal())}});
}

// What is squared: x, or x − μ where the variance takes two passes.
Value root_of_square(const Subject& s, std::size_t element) {
  const Step* const deviations = s.group.find(StepKind::deviations);
  const bool of_deviations = deviations && s.convention().variance == norm::VarianceMethod::two_pass;
  return of_deviations ? deviations->values[element] : Value(s.group.x[element]);
}

void overflow(const Subject& s, Messages& out) {
  const Step* const step = s.faulty(Fault::overflow);
  if (!step) return;
  const std::string exact = s.text(step->values[s.fault->element]);
  const std::string largest = short_text(s.computed().largest());
  if (step->kind != StepKind::squares)
    out.push_back({"machine.overflow", {exact, name(s.computed()), largest}});
  else
    out.push_back({"machine.square_overflow",
                   {s.text(abs(root_of_square(s, s.fault->element))), exact, name(s.computed()), largest,
                    short_text(std::sqrt(s.computed().largest()))}});
}

void underflow(const Subject& s, Messages& out) {
  const Step* const step = s.faulty(Fault::underflow);
  if (!step) return;
  const double machine = step->machine[s.fault->element];
  const std::string exact = s.text(step->values[s.fault->element]);
  const std::string id = std::string("machine.") + (step->kind == StepKind::squares ? "square_" : "") +
                         (machine == 0 ? "vanishes" : "underflow");
  const Format& format = s.computed();
  const bool vanishes = machine == 0;
  const int exponent = vanishes ? format.min_exponent - format.precision + 1 : format.min_exponent;
  words::Message message{
      id,
      {exact, name(format), std::to_string(exponent),
       short_text(vanishes ? format.smallest_subnormal() : format.smallest_normal()), s.text(machine)}};
  if (step->kind == StepKind::squares) message.arguments.push_back(s.text(abs(root_of_square(s, s.fault->element))));
  out.push_back(std::move(message));
}

// A loss of more than one part in a hundred is worth a remark.
void cancellation(const Subject& s, Messages& out) {
  constexpr double worth_saying = 0.01;
  const Step* const step = s.faulty(Fault::cancellation);
  if (!step) return;
  const std::size_t i = s.fault->element;
  if (machine_error(s.computed(), step->values[i], step->machine[i])->relative <= worth_saying) return;
  const std::string exact = s.text(step->values[i]);
  const std::string machine = s.text(step->machine[i]);
  if (step->kind == StepKind::variance)
    out.push_back(
        {"machine.one_pass_cancels",
         {s.text(s.group.statistic(StepKind::mean_square)), s.text(s.group.statistic(StepKind::square_of_mean)),
          name(s.computed()), bits(s.computed()), machine, exact}});
  else
    out.push_back(
        {"machine.deviation_cancels",
         {s.text(s.group.statistic(StepKind::mean)), name(s.computed()), bits(s.computed()), machine, exact}});
}

// What the output is where the divisor went wrong altogether.
void divisor(const Subject& s, Messages& out) {
  const Step* const root = s.group.find(s.group.has_deviations() ? StepKind::std : StepKind::rms);
  const Step* const variance = s.group.find(StepKind::variance);
  if (!root || root->machine.empty() || root->values.front().is_undefined()) return;
  const double computed = root->machine.front();
  if (variance && variance->machine.front() < 0 && std::isnan(computed))
    out.push_back({"machine.negative_variance", {s.text(variance->machine.front())}});
  else if (std::isinf(computed))
    out.push_back({"machine.divisor_infinite", {}});
  else if (computed == 0 && !root->values.front().is_zero() && s.convention().eps.is_zero())
    out.push_back({"machine.divisor_zero", {}});
}

constexpr auto rules = {input, lost_eps, overflow, underflow, cancellation, divisor};

}  // namespace

void machine_remarks(const Trace& trace, const GroupTrace& group, Messages& out) {
  if (!trace.request.convention.machine.dtype) return;
  const Subject subject{trace, group, faults(trace.request.convention, group).first_grave};
  for (const auto rule : rules) rule(subject, out);
}

}  // namespace normtrace::trace
