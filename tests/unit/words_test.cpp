#include <cctype>
#include <regex>
#include <set>

#include "catch.h"
#include "sources.h"
#include "words/table.h"
#include "words/words.h"

namespace words = normtrace::words;

namespace {

// "{1} of {0}{{" -> {0, 1}: what a sentence wants filled in.
std::set<std::string> placeholders(std::string_view sentence) {
  std::set<std::string> found;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    if (sentence[i] != '{') continue;
    const auto end = sentence.find('}', i);
    const std::string_view place = sentence.substr(i, end - i + 1);
    // {0:number|numbers}: Chinese needs none of it.
    if (sentence.substr(i, 2) != "{{" && place.find('|') == std::string_view::npos) found.emplace(place);
    i = sentence.substr(i, 2) == "{{" ? i + 1 : end;
  }
  return found;
}

std::set<std::string> topics() {
  std::set<std::string> all;
  for (const auto table : words::tables())
    for (const words::Sentence& sentence : table) all.emplace(sentence.id.substr(0, sentence.id.find('.')));
  return all;
}

// The ids in a source that no table holds: every literal "topic.name" whose topic has sentences.
std::vector<std::string> unknown_ids(const Source& source) {
  static const std::regex literal(R"re("([a-z_]+)\.([a-z0-9_]+)")re");
  static const auto known_topics = topics();
  std::vector<std::string> unknown;
  for (std::sregex_iterator match(source.text.begin(), source.text.end(), literal), end; match != end; ++match) {
    const std::string id = (*match)[1].str() + "." + (*match)[2].str();
    if (known_topics.count((*match)[1]) != 0 && !words::knows(id)) unknown.push_back(source.path + " says " + id);
  }
  return unknown;
}

}  // namespace

TEST_CASE("both languages fill the same places", "[words]") {
  CHECK(placeholders("{1} of {0}, {{9}} and {0}") == std::set<std::string>{"{0}", "{1}"});
  for (const auto table : words::tables())
    for (const words::Sentence& sentence : table) {
      INFO(sentence.id);
      CHECK(!sentence.zh.empty());
      CHECK(!sentence.en.empty());
      CHECK(placeholders(sentence.zh) == placeholders(sentence.en));
    }
}

TEST_CASE("a word agrees with the number beside it", "[words]") {
  const auto ragged = [](const std::string& count) {
    return words::say(words::Language::en, {"input.ragged", {"1", count, "2", "3"}});
  };
  CHECK(ragged("1") == "row 1 has 1 number, row 2 has 3");
  CHECK(ragged("12") == "row 1 has 12 numbers, row 2 has 3");
}

TEST_CASE("every sentence has an id of the form topic.name, and no two share one", "[words]") {
  static const std::regex form("[a-z_]+\\.[a-z0-9_]+");
  std::set<std::string> ids;
  for (const auto table : words::tables())
    for (const words::Sentence& sentence : table) {
      const std::string id(sentence.id);
      INFO(id);
      CHECK(std::regex_match(id, form));
      CHECK(ids.insert(id).second);
    }
}

TEST_CASE("every sentence that the sources name is there", "[words]") {
  CHECK(unknown_ids({"text/parser.cpp", R"(Message{"input.no_numbers", {}})"}).empty());
  CHECK(unknown_ids({"text/parser.cpp", R"(Message{"input.no_such_sentence", {}})"}).size() == 1);
  for (const Source& source : all_sources()) CHECK(unknown_ids(source) == std::vector<std::string>{});
}
