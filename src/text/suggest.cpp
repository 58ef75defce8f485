#include "text/suggest.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace normtrace::text {

namespace {

constexpr std::size_t longest_word = 64;  // no command or option is longer

// Optimal string alignment distance (Damerau 1964, with restricted transpositions), by bytes.
std::size_t edit_distance(std::string_view x, std::string_view y) {
  std::vector<std::vector<std::size_t>> d(x.size() + 1, std::vector<std::size_t>(y.size() + 1));
  for (std::size_t i = 0; i <= x.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= y.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= x.size(); ++i)
    for (std::size_t j = 1; j <= y.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (x[i - 1] == y[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[x.size()][y.size()];
}

}  // namespace

std::string_view suggest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > longest_word) return {};
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const bool beginning = word.size() >= 2 && candidate.substr(0, word.size()) == word;
    const std::size_t distance = beginning ? 1 : edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace normtrace::text
