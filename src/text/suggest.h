#pragma once

#include <span>
#include <string_view>

namespace normtrace::text {

// The candidate with the fewest changed, missing, added or swapped characters; empty if none is near enough to be meant (a
// third of the word's length, at least one).
std::string_view suggest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace normtrace::text
