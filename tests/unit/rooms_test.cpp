#include <map>
#include <regex>
#include <set>

#include "catch.h"
#include "sources.h"

// The rooms of src/ include one way only, and each large library is known to one room.

namespace {

// What a room may include besides itself; main.cpp is the room "".
const std::map<std::string, std::set<std::string>> seen_from = {
    {"words", {}},
    {"exact", {"words"}},
    {"tensor", {"words", "exact"}},
    {"text", {"words", "exact", "tensor"}},
    {"norm", {"words", "exact", "tensor"}},
    {"trace", {"words", "exact", "tensor", "norm"}},
    {"render", {"words", "exact", "tensor", "norm", "trace"}},
    {"classroom", {"words", "exact", "tensor", "text", "norm", "trace", "render"}},
    {"bulk", {"words", "exact", "tensor", "text", "norm", "trace", "render"}},
    {"cli", {"words", "exact", "tensor", "text", "norm", "trace", "render", "classroom", "bulk"}},
    {"", {"words", "cli"}},
};

// Where a library may be included: files whose path starts so.
const std::map<std::string, std::string> home_of_library = {
    {"boost/", "exact/integer.cpp"},
    {"CLI/", "cli/"},
};

std::string room_of(const std::string& path) {
  const auto slash = path.find('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

// The includes of a source that its room is not allowed, each as "path includes what".
std::vector<std::string> forbidden_includes(const Source& source) {
  static const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])", std::regex::multiline);
  std::vector<std::string> forbidden;
  const auto allowed = seen_from.find(room_of(source.path));
  if (allowed == seen_from.end()) return {source.path + " is in no known room"};
  for (std::sregex_iterator match(source.text.begin(), source.text.end(), include), end; match != end; ++match) {
    const std::string included = (*match)[1];
    const std::string room = room_of(included);
    const bool later_room = seen_from.count(room) != 0 && room != allowed->first && allowed->second.count(room) == 0;
    bool foreign_library = false;
    for (const auto& [library, home] : home_of_library)
      foreign_library |= included.rfind(library, 0) == 0 && source.path.rfind(home, 0) != 0;
    if ((later_room && !room.empty()) || foreign_library) forbidden.push_back(source.path + " includes " + included);
  }
  return forbidden;
}

}  // namespace

TEST_CASE("an include that runs the wrong way is found", "[rooms]") {
  const auto judge = [](const std::string& path, const std::string& text) { return forbidden_includes({path, text}); };
  CHECK(judge("trace/trace.h", "#include <vector>\n#include \"norm/step.h\"\n#include \"words/words.h\"\n").empty());
  CHECK(judge("norm/step.h", "#pragma once\n  # include \"trace/trace.h\"\n") ==
        std::vector<std::string>{"norm/step.h includes trace/trace.h"});
  CHECK(judge("words/words.cpp", "#include \"exact/decimal.h\"\n").size() == 1);
  CHECK(judge("text/parser.cpp", "#include \"norm/catalogue.h\"\n").size() == 1);
  CHECK(judge("classroom/quiz.cpp", "#include \"bulk/rows.h\"\n").size() == 1);
  CHECK(judge("main.cpp", "#include \"trace/trace.h\"\n").size() == 1);
  CHECK(judge("exact/integer.cpp", "#include <boost/multiprecision/cpp_int.hpp>\n").empty());
  CHECK(judge("exact/rational.h", "#include <boost/multiprecision/cpp_int.hpp>\n").size() == 1);
  CHECK(judge("cli/command_line.cpp", "#include <CLI/CLI.hpp>\n").empty());
  CHECK(judge("main.cpp", "#include <CLI/CLI.hpp>\n").size() == 1);
  CHECK(judge("cellar/box.cpp", "") == std::vector<std::string>{"cellar/box.cpp is in no known room"});
}

TEST_CASE("the rooms of the sources include one way", "[rooms]") {
  const auto sources = all_sources();
  REQUIRE(sources.size() > 4);
  for (const Source& source : sources) CHECK(forbidden_includes(source) == std::vector<std::string>{});
}
