#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace normtrace::words {

enum class Language { zh, en };

// A sentence not yet spoken: which one, and what stands in its places {0}, {1}, …; {0:number|numbers} is one word or the
// other, as {0} is 1 or not.
// Rooms that compute pass messages; only whoever prints chooses the language.
struct Message {
  std::string id;
  std::vector<std::string> arguments;

  friend bool operator==(const Message&, const Message&) = default;
};

// Throws std::logic_error for an id that no table holds: a test looks for every id that the sources name.
std::string say(Language language, const Message& message);
std::string say(Language language, std::string_view id);
bool knows(std::string_view id);

}  // namespace normtrace::words
