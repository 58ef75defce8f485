#include <algorithm>
#include <map>
#include <utility>

#include "exact/decimal.h"
#include "trace/comparison.h"
#include "trace/machine_error.h"

namespace normtrace::trace {

using exact::Rational;
using norm::StepKind;

namespace {

// What a remark may look at.
struct Subject {
  const Trace& trace;
  const GroupTrace& group;
  unsigned digits;

  [[nodiscard]] const norm::Convention& convention() const { return trace.request.convention; }
  [[nodiscard]] bool centred() const { return group.centred(); }
  [[nodiscard]] norm::Formula formula() const { return trace.request.norm->formula; }
  // Whether x̂ is a numerator over a root of the group's own statistic, and nothing else.
  [[nodiscard]] bool plain() const {
    return (formula() == norm::Formula::standardize || formula() == norm::Formula::divide_by_rms) && !inference();
  }
  [[nodiscard]] bool partial() const { return !trace.request.options.partial.is_one(); }
  [[nodiscard]] bool by_row() const { return trace.request.layout().by_row(); }
  // A feature of samples, as opposed to channels that have positions as well.
  [[nodiscard]] bool over_batch() const {
    return trace.request.norm->axis == tensor::Axis::feature && trace.request.input.shape.size() < 3;
  }
  [[nodiscard]] bool inference() const { return trace.request.mode == Mode::inference; }
  [[nodiscard]] std::size_t count() const { return group.group.members.size(); }
  [[nodiscard]] bool has_eps() const { return !convention().eps.is_zero(); }
  [[nodiscard]] Value numerator(std::size_t i) const {
    if (centred()) return group.find(StepKind::deviations)->values[i];
    return group.x[i];
  }
  // σ² or the mean square.
  [[nodiscard]] const Value& statistic() const { return group.under_root(); }
  [[nodiscard]] std::string shown(const Value& x) const {
    return to_decimal(x, digits, exact::PowerOfTen::superscript).text;
  }
};

using Remark = void (*)(const Subject&, std::vector<words::Message>&);

bool unaffected_divisor(const Subject& s) { return !s.centred() || s.convention().divisor == norm::Divisor::n; }

// Mean square = μ² + σ², with the numbers; said where all three can be written down whole.
void mean_square_identity(const Subject& s, std::vector<words::Message>& out) {
  if (s.formula() != norm::Formula::divide_by_rms || s.partial() || s.count() < 2) return;
  Value sum_x = 0;
  for (std::size_t i = 0; i < s.count(); ++i) sum_x = sum_x + s.numerator(i);
  const Value mean = sum_x / Value(static_cast<std::int64_t>(s.count()));
  const Value square = mean * mean;
  const Value variance = s.statistic() - square;
  for (const Value& value : {s.statistic(), square, variance})
    if (!fits(*value.rational(), s.digits)) return;
  if (mean.is_zero()) return;
  out.push_back({"remark.mean_square", {s.shown(s.statistic()), s.shown(square), s.shown(variance)}});
}

void one_element(const Subject& s, std::vector<words::Message>& out) {
  if (s.count() != 1 || !s.plain() || s.group.divides_x) return;
  if (s.centred() && !s.by_row()) {
    // True of every group alike.
    if (&s.group == &s.trace.groups.front())
      out.push_back({s.over_batch() ? "remark.one_sample" : "remark.one_number", {}});
  } else {
    out.push_back({s.centred() ? "remark.one_feature" : "remark.one_feature_rms", {}});
  }
}

void variance_not_kept(const Subject& s, std::vector<words::Message>& out) {
  const Step* const stored = s.group.find(StepKind::stored_variance);
  if (stored && stored->values.front().is_undefined() && &s.group == &s.trace.groups.front())
    out.push_back({"remark.variance_not_kept", {}});
}

void constant(const Subject& s, std::vector<words::Message>& out) {
  if (s.count() < 2 || s.inference() || s.group.divides_x || !s.statistic().is_zero()) return;
  const bool all_zero = std::ranges::all_of(s.group.x, &Rational::is_zero);
  if (s.partial() && !all_zero) return;                        // the check says what there is
  if (s.formula() == norm::Formula::mix && !all_zero) return;  // its other part is left with an ε
  const std::string kind = s.centred() ? "remark.constant" : "remark.all_zero";
  out.push_back({kind + (s.has_eps() ? "_eps" : ""), {}});
}

void two_elements(const Subject& s, std::vector<words::Message>& out) {
  if (s.count() != 2 || !s.centred() || s.has_eps() || !s.plain()) return;
  if (s.statistic().is_zero() || !unaffected_divisor(s)) return;
  out.push_back({s.by_row()       ? "remark.two_features"
                 : s.over_batch() ? "remark.batch_of_two"
                                  : "remark.two_numbers",
                 {}});
}

// By how much ε shortens the output: 1 − √v/divisor, said where it shows in the digits printed.
void eps_effect(const Subject& s, std::vector<words::Message>& out) {
  if (!s.has_eps() || !s.plain() || s.statistic().is_zero() || s.statistic().is_undefined()) return;
  const Value root = sqrt(s.statistic());
  const auto& normalized = s.group.find(StepKind::normalized)->values;
  const bool visible = [&] {
    for (std::size_t i = 0; i < normalized.size(); ++i)
      if (to_fixed(normalized[i], s.digits) != to_fixed(s.numerator(i) / root, s.digits)) return true;
    return false;
  }();
  if (!visible) return;
  const Value percent = (Value(1) - root / s.group.divisor()) * Value(100);
  const exact::Decimal shown = to_decimal(percent, 2, exact::PowerOfTen::superscript);
  out.push_back({"remark.eps_effect", {(shown.rounded ? "≈ " : "= ") + shown.text}});
}

// Nobody works out more numbers than this on paper, nor goes on with a fraction longer than this.
constexpr std::size_t longest_by_hand = 64;
constexpr std::size_t longest_fraction = 11;

// A hand calculation that goes on with the root as printed would end with another last digit.
void printed_root(const Subject& s, std::vector<words::Message>& out) {
  if (!s.plain() && !s.inference()) return;
  if (s.count() > longest_by_hand) return;
  if (s.convention().machine.dtype) return;  // who looks at a machine does not go on by hand
  const Value& divisor = s.group.divisor();
  if (divisor.is_undefined() || divisor.is_zero()) return;
  const exact::Decimal printed = to_decimal(divisor, s.digits, exact::PowerOfTen::superscript);
  if (!printed.rounded) return;
  const exact::Integer scaled = rounded_scaled(divisor, s.digits);
  if (scaled.is_zero()) return;
  const Value rounded = Rational(scaled, exact::Integer::power_of_ten(s.digits));
  const auto& normalized = s.group.find(StepKind::normalized)->values;
  for (std::size_t i = 0; i < normalized.size(); ++i) {
    const std::string right = s.shown(normalized[i]);
    const std::string wrong = s.shown(s.numerator(i) / rounded);
    if (right == wrong || to_fixed(normalized[i], s.digits) == to_fixed(s.numerator(i) / rounded, s.digits)) continue;
    const Rational numerator = *s.numerator(i).rational();
    std::string whole = s.shown(numerator);
    if (!fits(numerator, s.digits)) whole = "(" + numerator.to_string() + ")";
    if (whole.size() > longest_fraction) continue;
    out.push_back({"remark.printed_root", {whole, printed.text, wrong, right}});
    return;
  }
}

void unused_divisor(const Subject& s, std::vector<words::Message>& out) {
  const bool used = s.group.has_deviations() && !s.inference();
  if (used || s.convention().divisor == norm::Divisor::n || &s.group != &s.trace.groups.front()) return;
  out.push_back({"remark.unused_divisor", {}});
}

void machine(const Subject& s, std::vector<words::Message>& out) { machine_remarks(s.trace, s.group, out); }

constexpr Remark remark_rules[] = {
    unused_divisor, mean_square_identity, one_element,  variance_not_kept, constant,
    two_elements,   eps_effect,           printed_root, machine,
};

// Of the same remark on many tokens the first few are enough.
constexpr std::size_t most_of_a_kind = 3;

}  // namespace

std::vector<words::Message> remarks(const Trace& trace, unsigned digits) {
  std::vector<words::Message> result = properties(trace.request);
  for (const Remark rule : remark_rules) {
    std::size_t said = 0;
    std::size_t more = 0;
    for (const GroupTrace& group : trace.groups) {
      std::vector<words::Message> messages;
      rule({trace, group, digits}, messages);
      for (words::Message& message : messages) {
        if (said == most_of_a_kind) {
          ++more;
          continue;
        }
        message.arguments.insert(message.arguments.begin(), group.group.name);
        result.push_back(std::move(message));
        ++said;
      }
    }
    if (more > 0) result.push_back({"remark.more", {std::to_string(more)}});
  }
  return result;
}

}  // namespace normtrace::trace
