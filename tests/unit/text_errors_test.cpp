// Each file NAME.txt in tests/errors/ holds one bad input; NAME.en.txt and NAME.zh.txt hold the whole message that it must
// give. To approve what is given now:  NORMTRACE_APPROVE=1 ctest -R documents

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "catch.h"
#include "places.h"
#include "text/read.h"

namespace {

using namespace normtrace;

std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The inputs: every file of the folder that is no approved message.
std::vector<std::filesystem::path> mistakes() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(places::root() / "tests/errors"))
    if (entry.path().stem().extension().empty()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::optional<text::Error> mistake_in(const std::filesystem::path& path) {
  try {
    text::Document document = text::read(text::file_source(path.filename().string(), slurp(path)));
    text::batches(document);
  } catch (const text::Error& error) {
    return error;
  }
  return std::nullopt;
}

TEST_CASE("documents: every mistake in a text gives the message that was approved") {
  const bool approve = std::getenv("NORMTRACE_APPROVE") != nullptr;
  const std::vector<std::filesystem::path> files = mistakes();
  REQUIRE(files.size() >= 40);
  for (const auto& path : files) {
    INFO(path.filename().string());
    const std::optional<text::Error> error = mistake_in(path);
    REQUIRE(error);
    for (const auto& [language, suffix] :
         {std::pair{words::Language::en, ".en.txt"}, std::pair{words::Language::zh, ".zh.txt"}}) {
      const std::string message = text::describe(*error, language) + "\n";
      std::filesystem::path approved = path;
      approved.replace_extension(suffix);
      if (approve) std::ofstream(approved, std::ios::binary) << message;
      CHECK(message == slurp(approved));
    }
  }
}

}  // namespace
