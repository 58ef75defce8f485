#pragma once

#include <cstdint>
#include <functional>
#include <vector>

// Inputs of whole numbers that agree with what is left of a lost example, found by trying all.
namespace normtrace::classroom {

// Every multiset of `count` whole numbers from `low` to `high`, added to those that are there already.
void each_multiset(std::vector<std::int64_t> numbers, std::size_t count, std::int64_t low, std::int64_t high,
                   const std::function<void(const std::vector<std::int64_t>&)>& look);

// The sets of four whole numbers from 0 to 9, in rising order, whose root mean square is this whole number.
std::vector<std::vector<std::int64_t>> sets_with_rms(std::int64_t rms);

}  // namespace normtrace::classroom
