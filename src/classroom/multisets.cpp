#include "classroom/multisets.h"

#include <numeric>

namespace normtrace::classroom {

void each_multiset(std::vector<std::int64_t> numbers, std::size_t count, std::int64_t low, std::int64_t high,
                   const std::function<void(const std::vector<std::int64_t>&)>& look) {
  if (count == 0) return look(numbers);
  for (std::int64_t next = low; next <= high; ++next) {
    numbers.push_back(next);
    each_multiset(numbers, count - 1, next, high, look);
    numbers.pop_back();
  }
}

std::vector<std::vector<std::int64_t>> sets_with_rms(std::int64_t rms) {
  std::vector<std::vector<std::int64_t>> sets;
  each_multiset({}, 4, 0, 9, [&](const std::vector<std::int64_t>& x) {
    if (std::inner_product(x.begin(), x.end(), x.begin(), std::int64_t{0}) == 4 * rms * rms) sets.push_back(x);
  });
  return sets;
}

}  // namespace normtrace::classroom
