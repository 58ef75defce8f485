#include "bulk/machine_row.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "norm/formulas.h"

namespace normtrace::bulk {

namespace {

// A number of `element`, whose sums are kept in `accumulator`. The operations are those of float64, rounded once more:
// this is what rounding once gives, float64 having more than twice the digits of the narrower types.
// A whole number, such as a count, is exact.
template <Element element, Element accumulator>
class Number {
 public:
  Number(std::int64_t count) : value_(static_cast<double>(count)) {}  // NOLINT(google-explicit-constructor)
  static Number of(double value) {
    Number number = 0;
    number.value_ = rounded(element, value);
    return number;
  }
  [[nodiscard]] double value() const { return value_; }

  friend Number operator+(const Number& a, const Number& b) { return of(a.value_ + b.value_); }
  friend Number operator-(const Number& a, const Number& b) { return of(a.value_ - b.value_); }
  friend Number operator*(const Number& a, const Number& b) { return of(a.value_ * b.value_); }
  friend Number operator/(const Number& a, const Number& b) { return of(a.value_ / b.value_); }
  friend Number sqrt(const Number& x) { return of(std::sqrt(x.value_)); }
  friend Number mean(std::span<const Number> terms, std::int64_t divisor) {
    double total = 0;
    for (const Number& term : terms) total = rounded(accumulator, total + term.value_);
    return of(rounded(accumulator, total / static_cast<double>(divisor)));
  }

 private:
  double value_;
};

template <class Number>
std::vector<Number> numbers(const std::vector<double>& values) {
  std::vector<Number> result;
  result.reserve(values.size());
  for (const double value : values) result.push_back(Number::of(value));
  return result;
}

template <class Number>
std::vector<double> outputs_in(const std::vector<double>& x, const Convention& convention) {
  norm::Setting<Number> setting;
  setting.divisor = convention.divisor;
  setting.eps = Number::of(convention.eps);
  setting.has_eps = convention.eps != 0;
  setting.eps_place = convention.eps_place;
  const std::vector<Number> elements = numbers<Number>(x);
  const norm::NoRecorder none;
  std::vector<Number> normalized = convention.centred() ? norm::standardize<Number>(elements, setting, none)
                                                        : norm::divide_by_rms<Number>(elements, setting, none);
  const std::vector<Number> gamma = numbers<Number>(convention.gamma);
  const std::vector<Number> beta = numbers<Number>(convention.beta);
  normalized = norm::affine<Number>(std::move(normalized), gamma, beta, convention.gamma_form);
  std::vector<double> result;
  result.reserve(x.size());
  for (const Number& y_i : normalized) result.push_back(y_i.value());
  return result;
}

template <Element element>
std::vector<double> outputs_of(const std::vector<double>& x, const Convention& convention) {
  switch (*convention.accumulate) {
    case Element::float16: return outputs_in<Number<element, Element::float16>>(x, convention);
    case Element::float32: return outputs_in<Number<element, Element::float32>>(x, convention);
    case Element::float64: break;
  }
  return outputs_in<Number<element, Element::float64>>(x, convention);
}

}  // namespace

MachineRow::MachineRow(const Convention& convention, Element element) : convention_(convention), element_(element) {}

std::vector<double> MachineRow::outputs(const std::vector<double>& x) {
  Oddities found;
  count_non_finite(std::span(x), found);
  std::vector<double> y;
  switch (element_) {
    case Element::float16: y = outputs_of<Element::float16>(x, convention_); break;
    case Element::float32: y = outputs_of<Element::float32>(x, convention_); break;
    case Element::float64: y = outputs_of<Element::float64>(x, convention_); break;
  }
  std::ranges::replace_if(
      y, [](double y_i) { return std::isnan(y_i); }, std::numeric_limits<double>::quiet_NaN());
  found.undefined = found.nans + found.infinities == 0 &&
                    std::ranges::any_of(y, [](double y_i) { return std::isnan(y_i) || std::isinf(y_i); });
  oddities_ += found;
  return y;
}

void MachineRow::apply(std::span<const double> x, double* y) { std::ranges::copy(outputs({x.begin(), x.end()}), y); }

void MachineRow::apply(std::span<const float> x, float* y) {
  std::ranges::transform(outputs({x.begin(), x.end()}), y, [](double y_i) { return static_cast<float>(y_i); });
}

}  // namespace normtrace::bulk
