#pragma once

#include <span>
#include <string>
#include <string_view>

// What was measured once, on one machine, and cannot be worked out here: times, losses of training runs, random tensors.
namespace normtrace::classroom {

struct Recorded {
  std::string_view claim;  // the claim it belongs to
  std::string_view what;   // the same in every language, or the id of a sentence
  std::string_view low;    // as decimals; the same twice where it is one number
  std::string_view high;

  [[nodiscard]] bool is_range() const { return low != high; }
  // "0.60", "0.65…0.79".
  [[nodiscard]] std::string text() const { return std::string(low) + (is_range() ? "…" + std::string(high) : ""); }
};

// In the order of the claims.
std::span<const Recorded> recorded();

}  // namespace normtrace::classroom
