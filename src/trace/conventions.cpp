#include "trace/conventions.h"

#include <algorithm>

#include "exact/decimal.h"

namespace normtrace::trace {

namespace {

// Whether two conventions give the same numbers, whoever has them.
bool same_numbers(norm::Convention x, const norm::Convention& y) {
  x.like = y.like;
  x.momentum = y.momentum;
  x.running_divisor = y.running_divisor;
  if (x.gamma.empty()) x.gamma_form = y.gamma_form;
  return x == y;
}

NormSurvey survey_norm(const norm::Norm& norm, const tensor::Tensor& input, const norm::Convention& base) {
  NormSurvey survey{&norm, {}};
  survey.results.push_back({run({&norm, base, input}), {}, {}});
  for (const norm::Preset& preset : norm::presets()) {
    if (preset.norm != norm.id) continue;
    norm::Convention convention = base;
    norm::apply(preset, convention);
    const auto known = std::ranges::find_if(survey.results, [&](const ConventionResult& result) {
      return !result.presets.empty() && result.trace.request.norm == &norm::computed_by(preset) &&
             same_numbers(result.trace.request.convention, convention);
    });
    if (known != survey.results.end())
      known->presets.push_back(&preset);
    else
      survey.results.push_back({run({&norm::computed_by(preset), std::move(convention), input}), {&preset}, {}});
  }
  for (ConventionResult& result : survey.results)
    for (std::size_t row = 0; row < input.rows(); ++row)
      result.parting.push_back(parting_decimal(row_of(survey.results.front().trace, row), row_of(result.trace, row)));
  return survey;
}

bool row_prints_same(const std::vector<Value>& x, const std::vector<Value>& y, unsigned digits) {
  return std::ranges::equal(x, y, [&](const Value& x_i, const Value& y_i) { return prints_same(x_i, y_i, digits); });
}

}  // namespace

Survey survey(const tensor::Tensor& input, const norm::Convention& base) {
  Survey result{input, {}};
  for (const norm::Norm& norm : norm::catalogue()) {
    const bool known = std::ranges::any_of(norm::presets(), [&](const norm::Preset& p) { return p.norm == norm.id; });
    const bool batch = norm.axis == tensor::Axis::feature;
    if (!known || (batch && input.rows() < 2) || (!batch && norm.axis != tensor::Axis::token)) continue;
    result.norms.push_back(survey_norm(norm, input, base));
  }
  return result;
}

std::vector<Value> row_of(const Trace& trace, std::size_t row) {
  const std::size_t width = trace.request.input.width();
  const auto begin = trace.output.begin() + static_cast<std::ptrdiff_t>(row * width);
  return {begin, begin + static_cast<std::ptrdiff_t>(width)};
}

bool prints_same(const Value& x, const Value& y, unsigned digits) {
  if (x.is_undefined() || y.is_undefined()) return x.is_undefined() == y.is_undefined();
  const auto printed = [&](const Value& value) {
    return to_decimal(value, digits, exact::PowerOfTen::e_notation).text;
  };
  if (printed(x) == printed(y)) return true;
  // 2 and 2.0000 are the same digits; what is too small for its decimals shows others than a zero.
  return !rounded_scaled(x, digits).is_zero() && to_fixed(x, digits) == to_fixed(y, digits);
}

std::optional<unsigned> parting_decimal(const std::vector<Value>& x, const std::vector<Value>& y) {
  if (std::ranges::equal(x, y, exact::proved_equal)) return std::nullopt;
  for (unsigned digits = 1; digits <= most_decimals; ++digits)
    if (!row_prints_same(x, y, digits)) return digits;
  return std::nullopt;
}

std::vector<std::vector<std::size_t>> grouped(const NormSurvey& survey, std::size_t row, unsigned digits) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < survey.results.size(); ++i) {
    const std::vector<Value> output = row_of(survey.results[i].trace, row);
    const auto same = std::ranges::find_if(groups, [&](const std::vector<std::size_t>& group) {
      return row_prints_same(row_of(survey.results[group.front()].trace, row), output, digits);
    });
    if (same != groups.end())
      same->push_back(i);
    else
      groups.push_back({i});
  }
  return groups;
}

}  // namespace normtrace::trace
