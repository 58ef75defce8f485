#include "classroom/claims/evidence.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "classroom/recorded.h"
#include "exact/decimal.h"
#include "norm/formulas.h"
#include "text/read.h"

namespace normtrace::classroom {

const Numbers& cat() {
  static const Numbers x = {1, 2, 3, 4};
  return x;
}

const Numbers& eats() {
  static const Numbers x = {2, 0, -2, 4};
  return x;
}

const Numbers& fish() {
  static const Numbers x = {-1, 1, -1, 1};
  return x;
}

trace::Trace traced(std::string_view norm, const Numbers& x, const norm::Convention& convention) {
  trace::Request request;
  request.norm = norm::find(norm);
  request.convention = convention;
  const std::size_t n = x.size();
  const bool over_batch = request.norm->axis == tensor::Axis::feature;
  request.input = {over_batch ? std::vector<std::size_t>{n, 1} : std::vector<std::size_t>{n}, x,
                   std::vector<std::string>(over_batch ? n : 1, "x"), true};
  return trace::run(std::move(request));
}

Values output(std::string_view norm, const Numbers& x, const norm::Convention& convention) {
  return traced(norm, x, convention).output;
}

Values machine_output(std::string_view norm, const Numbers& x, const norm::Convention& convention) {
  Values values;
  for (const double y : traced(norm, x, convention).machine_output)
    values.push_back(std::isfinite(y) ? Value(exact::exact_value(y)) : Value::undefined());
  return values;
}

norm::Convention with_eps(const Rational& eps) {
  norm::Convention convention;
  convention.eps = eps;
  return convention;
}

Numbers scaled(const Numbers& x, const Rational& scale, const Rational& shift) {
  Numbers result;
  for (const Rational& x_i : x) result.push_back(scale * x_i + shift);
  return result;
}

Value sum_of_squares(const Values& x) { return sum(std::span<const Value>(norm::squares_of<Value>(x))); }

bool equal(const Values& x, const Values& y) { return std::ranges::equal(x, y, exact::proved_equal); }

Value largest_gap(const Values& x, const Values& y) {
  Value largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Value gap = abs(x[i] - y[i]);
    if (!gap.is_zero() && nearest_double(gap).value_or(0) > nearest_double(largest).value_or(0)) largest = gap;
  }
  return largest;
}

Values ratios(const Values& x) {
  return norm::each<Value>(x, [&](const Value& x_i) { return x_i / x.front(); });
}

Values first_of(const Values& x) { return {x.front()}; }

Evidence beside(std::string what, Values values, std::string remark) {
  return {std::move(what), std::move(values), Side::neither, true, std::move(remark)};
}

std::vector<Evidence> measured(std::string_view claim) {
  std::vector<Evidence> result;
  const auto number = [](std::string_view text) {
    return Value(text::read_number(text::option_source("recorded", std::string(text))).value);
  };
  for (const Recorded& one : recorded()) {
    if (one.claim != claim) continue;
    Values values = {number(one.low)};
    if (one.is_range()) values.push_back(number(one.high));
    result.push_back(beside(std::string(one.what), std::move(values)));
    result.back().recorded = one.text();
  }
  return result;
}

Evidence weigh(bool true_here, std::string what, Values values, bool within, std::string remark) {
  return {std::move(what), std::move(values), true_here ? Side::supports : Side::opposes, within, std::move(remark)};
}

}  // namespace normtrace::classroom
