#include "classroom/explain/numbers.h"

#include <algorithm>
#include <limits>

#include "exact/decimal.h"

namespace normtrace::classroom::explain {

using exact::Rational;

namespace {

GroupNumbers summed(const Sample& sample, const std::vector<std::size_t>& members, std::size_t parameter) {
  GroupNumbers numbers;
  numbers.members = members;
  numbers.parameter = parameter;
  std::vector<Rational> values;
  values.reserve(members.size());
  for (const std::size_t i : members) values.push_back(sample.input.values[i]);
  numbers.mean = exact::sum(values) / Rational(static_cast<std::int64_t>(values.size()));
  numbers.least = *std::ranges::min_element(values);
  numbers.greatest = *std::ranges::max_element(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Wide deviation = difference(values[i], numbers.mean);
    const Wide x = sample.x[members[i]];
    numbers.deviation.push_back(deviation);
    numbers.sum_squared_deviation += deviation * deviation;
    numbers.sum_square += x * x;
    numbers.sum_absolute_deviation += std::fabs(deviation);
    numbers.sum_absolute += std::fabs(x);
    numbers.sum += x;
    numbers.uncertainty = std::max(numbers.uncertainty, sample.uncertainty(members[i]));
  }
  return numbers;
}

std::vector<Wide> all_wide(const std::vector<Rational>& values) {
  std::vector<Wide> result;
  for (const Rational& value : values) result.push_back(to_wide(value));
  return result;
}

}  // namespace

Rational rounded_to(const Rational& x, unsigned decimals) {
  const Rational magnitude(exact::rounded_scaled(x, decimals), exact::Integer::power_of_ten(decimals));
  return x.sign() < 0 ? -magnitude : magnitude;
}

Grouped::Grouped(const Sample& sample, const Grouping& grouping)
    : sample_(&sample),
      grouping_(&grouping),
      gamma_(all_wide(sample.gamma)),
      beta_(all_wide(sample.beta)),
      numbers_(grouping.members.size()) {}

const GroupNumbers& Grouped::group(std::size_t index) const {
  if (!numbers_[index]) {
    const std::vector<std::size_t>& members = grouping_->members[index];
    numbers_[index] = std::make_unique<GroupNumbers>(summed(*sample_, members, grouping_->parameter[members.front()]));
  }
  return *numbers_[index];
}

Rational Grouped::running(const std::vector<Rational>& values, std::size_t index, std::int64_t otherwise) const {
  if (values.empty()) return otherwise;
  return values[values.size() == 1 ? 0 : group(index).parameter % values.size()];
}

Rational Grouped::centre(Centre centre, std::size_t index, const Parameters& parameters) const {
  const GroupNumbers& numbers = group(index);
  switch (centre) {
    case Centre::zero: return 0;
    case Centre::mean: return numbers.mean;
    case Centre::least: return numbers.least;
    case Centre::middle_of_range: return (numbers.least + numbers.greatest) / Rational(2);
    case Centre::given_mean: return running(sample_->running_mean, index, 0);
    case Centre::stepped_mean: {
      const Rational& share = parameters.momentum->share;
      return (Rational(1) - share) * running(sample_->running_mean, index, 0) + share * numbers.mean;
    }
    case Centre::rounded_mean: return rounded_to(numbers.mean, parameters.rounding->digits);
    case Centre::exponential: return 0;
    case Centre::padded_mean: {
      const auto n = static_cast<std::int64_t>(numbers.count());
      return numbers.mean * Rational(n) / Rational(n + static_cast<std::int64_t>(parameters.count));
    }
  }
  return 0;
}

std::vector<Wide> Grouped::numerators(Centre centre, std::size_t index, const Parameters& parameters) const {
  const GroupNumbers& numbers = group(index);
  if (centre == Centre::mean) return numbers.deviation;
  std::vector<Wide> result;
  result.reserve(numbers.count());
  if (centre == Centre::exponential) {
    for (const std::size_t i : numbers.members)
      result.push_back(std::exp(difference(sample_->input.values[i], numbers.greatest)));
    return result;
  }
  const Rational from = this->centre(centre, index, parameters);
  if (centre == Centre::rounded_mean && parameters.rounding->squares) {
    for (const std::size_t i : numbers.members)
      result.push_back(to_wide(rounded_to(sample_->input.values[i] - from, parameters.rounding->digits)));
    return result;
  }
  for (const std::size_t i : numbers.members)
    result.push_back(from.is_zero() ? sample_->x[i] : difference(sample_->input.values[i], from));
  return result;
}

Wide Grouped::numerator_uncertainty(Centre centre, std::size_t element, std::size_t index) const {
  if (!sample_->inputs_are_prints) return 0;
  const bool of_the_input_alone = centre == Centre::zero || centre == Centre::given_mean;
  if (of_the_input_alone) return sample_->half[element];
  // x − μ of a single number is 0 whatever it is.
  return group(index).count() == 1 ? 0 : sample_->half[element] + group(index).uncertainty;
}

Wide Grouped::variance(std::size_t index, Core::Over over) const {
  const GroupNumbers& numbers = group(index);
  const auto n = static_cast<Wide>(numbers.count());
  return numbers.sum_squared_deviation / (over == Core::Over::n ? n : n - 1);
}

// Each intermediate value that was rounded is exact again afterwards.
Bounds Grouped::rounded(const Core& core, std::size_t index, const Rounding& rounding) const {
  const GroupNumbers& numbers = group(index);
  const bool of_deviations = core.statistic == Statistic::mean_squared_deviation;
  const auto n = static_cast<Wide>(numbers.count());
  const Wide over = core.over == Core::Over::n ? n : n - 1;
  // A root that ends in 5, as that of 7.0225 does, is to be rounded up although it is computed a trifle short.
  constexpr Wide trifle = 0x1p-61L;  // what from_wide() keeps
  const auto keep = [&](Wide x) {
    return std::isfinite(x) ? to_wide(rounded_to(from_wide(x * (1 + trifle)), rounding.digits)) : x;
  };
  Wide sum = of_deviations ? numbers.sum_squared_deviation : numbers.sum_square;
  if (rounding.squares) {
    const Rational from = of_deviations ? rounded_to(numbers.mean, rounding.digits) : Rational(0);
    sum = 0;
    for (const std::size_t i : numbers.members) {
      const Rational& x = sample_->input.values[i];
      const Rational deviation = of_deviations ? rounded_to(x - from, rounding.digits) : x;
      sum += to_wide(rounded_to(deviation * deviation, rounding.digits));
    }
  } else if (of_deviations && rounding.mean) {
    const Wide shift = to_wide(numbers.mean - rounded_to(numbers.mean, rounding.digits));
    sum += n * shift * shift;
  }
  Wide value = sum / over;
  if (rounding.statistic) value = keep(value);
  if (!rounding.root) return around(value, 0);
  const Wide root = keep(std::sqrt(value));
  return around(root * root, 0);
}

Bounds Grouped::statistic(const Core& core, std::size_t index, const Parameters& parameters) const {
  const GroupNumbers& numbers = group(index);
  if (parameters.rounding) return rounded(core, index, *parameters.rounding);
  const auto n = static_cast<Wide>(numbers.count());
  const Wide over = core.over == Core::Over::n ? n : n - 1;
  const Wide u = numbers.uncertainty;
  const Wide range = to_wide(numbers.greatest - numbers.least);
  // First and second order of what an uncertainty u of every element does to a sum of squares.
  const auto squares = [&](Wide sum, Wide sum_absolute, Wide divisor) {
    return around(sum / divisor, (2 * u * sum_absolute + n * u * u) / divisor);
  };
  switch (core.statistic) {
    case Statistic::one: return around(1, 0);
    case Statistic::nothing: return around(0, 0);
    case Statistic::mean_squared_deviation:
      if (over == 0) return {1, 0};
      return squares(numbers.sum_squared_deviation, numbers.sum_absolute_deviation, over);
    case Statistic::squared_deviation_over_more:
      return squares(numbers.sum_squared_deviation, numbers.sum_absolute_deviation, n + 1);
    case Statistic::mean_square:
      if (over == 0) return {1, 0};
      return squares(numbers.sum_square, numbers.sum_absolute, over);
    case Statistic::sum_squared_deviation:
      return squares(numbers.sum_squared_deviation, numbers.sum_absolute_deviation, 1);
    case Statistic::sum_square: return squares(numbers.sum_square, numbers.sum_absolute, 1);
    case Statistic::mean_absolute_deviation: return around(numbers.sum_absolute_deviation / n, 2 * u);
    case Statistic::mean_absolute: return around(numbers.sum_absolute / n, u);
    case Statistic::sum_absolute: return around(numbers.sum_absolute, u * n);
    case Statistic::absolute_mean: return around(std::fabs(to_wide(numbers.mean)), u);
    case Statistic::range: return around(range, 2 * u);
    case Statistic::half_range: return around(range / 2, u);
    case Statistic::largest_absolute: return around(numbers.largest_absolute(), u);
    case Statistic::partial_mean_square: {
      Wide sum = 0;
      for (std::size_t i = 0; i < parameters.count; ++i) {
        const Wide x = sample_->x[numbers.members[i]];
        sum += x * x;
      }
      const Wide mean_square = sum / static_cast<Wide>(parameters.count);
      return around(mean_square, 2 * u * std::sqrt(mean_square) + u * u);
    }
    case Statistic::given_variance: return around(to_wide(running(sample_->running_var, index, 1)), 0);
    case Statistic::stepped_variance: {
      if (over == 0) return {1, 0};
      const Wide share = to_wide(parameters.momentum->share);
      const Wide before = to_wide(running(sample_->running_var, index, 1));
      return around((1 - share) * before + share * variance(index, core.over), 0);
    }
    case Statistic::padded_variance: {
      const auto k = static_cast<Wide>(parameters.count);
      const Wide mean = to_wide(numbers.mean) * n / (n + k);
      const Wide shift = to_wide(numbers.mean) - mean;
      const Wide less = core.over == Core::Over::n ? 0 : 1;
      return around((numbers.sum_squared_deviation + n * shift * shift + k * mean * mean) / (n + k - less), 0);
    }
    case Statistic::padded_mean_square:
      return squares(numbers.sum_square, numbers.sum_absolute, n + static_cast<Wide>(parameters.count));
    case Statistic::sum: return numbers.sum > 0 ? around(numbers.sum, u * n) : Bounds{1, 0};
    case Statistic::sum_of_exponentials: {
      Wide sum = 0;
      for (const std::size_t i : numbers.members)
        sum += std::exp(difference(sample_->input.values[i], numbers.greatest));
      return around(sum, u * sum);
    }
  }
  return {};
}

}  // namespace normtrace::classroom::explain
