// Whole commands with their whole output, as the person who types them sees it: tests/golden/*.txt, and every block of
// README.md and docs/*.md that is fenced as ```console. A line "$ …" is run by the shell with the built program on the
// path, in an empty folder that holds the examples; what follows, up to the next such line, is its output, standard error
// included, and "exit: N" in the last line where the status is not 0.
//
// To approve what the program prints now:  NORMTRACE_APPROVE=1 ctest -R documents

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "places.h"

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string output_of(const std::string& command) {
  static const std::string setting = "cd " + shell_quoted(places::playground()) +
                                     " && PATH=" + shell_quoted(places::program().parent_path()) +
                                     ":$PATH LC_ALL=C.UTF-8 COLUMNS=80 sh -c ";
  FILE* const pipe = popen((setting + shell_quoted(command) + " 2>&1").c_str(), "r");
  REQUIRE(pipe);
  std::string output;
  std::array<char, 4096> block{};
  for (std::size_t count = 0; (count = std::fread(block.data(), 1, block.size(), pipe)) != 0;)
    output.append(block.data(), count);
  const int status = pclose(pipe);
  if (!output.empty() && output.back() != '\n') output += '\n';
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) output += "exit: " + std::to_string(WEXITSTATUS(status)) + "\n";
  if (WIFSIGNALED(status)) output += "killed by signal " + std::to_string(WTERMSIG(status)) + "\n";
  return output;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The document with the output of every command as it is now. A golden file is one block from its first line on.
std::string regenerated(const std::string& document, bool fenced) {
  std::string result;
  bool inside = !fenced;
  bool in_output = false;
  for (const std::string& line : lines_of(document)) {
    if (fenced && line.starts_with("```")) {
      inside = !inside && line == "```console";
      in_output = false;
    } else if (inside && line.starts_with("$ ")) {
      // A blank line between the commands of a golden file is layout, not output.
      if (in_output && !fenced) result += "\n";
      result += line + "\n" + output_of(line.substr(2));
      in_output = true;
      continue;
    }
    if (!in_output) result += line + "\n";
  }
  return result;
}

std::vector<std::pair<fs::path, bool>> documents() {
  std::vector<std::pair<fs::path, bool>> all;
  const fs::path root = places::root();
  for (const auto& [folder, extension, fenced] :
       {std::tuple{root / "tests/golden", ".txt", false}, {root / "docs", ".md", true}, {root, ".md", true}})
    if (fs::exists(folder))
      for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == extension) all.emplace_back(entry.path(), fenced);
  return all;
}

}  // namespace

TEST_CASE("documents: every command prints what its document says") {
  const bool approve = std::getenv("NORMTRACE_APPROVE") != nullptr;
  for (const auto& [path, fenced] : documents()) {
    const std::string document = read(path);
    const std::string now = regenerated(document, fenced);
    if (approve && now != document) {
      std::ofstream(path, std::ios::binary) << now;
      continue;
    }
    INFO(path.string());
    // Line by line: a failure shows the first line that differs, not two whole files.
    const auto expected = lines_of(document);
    const auto actual = lines_of(now);
    for (std::size_t i = 0; i < std::min(expected.size(), actual.size()) && expected[i] == actual[i]; ++i)
      if (i + 1 < std::min(expected.size(), actual.size()) && expected[i + 1] != actual[i + 1]) {
        INFO("line " << i + 2);
        CHECK(actual[i + 1] == expected[i + 1]);
      }
    CHECK((now == document));
  }
}

TEST_CASE("documents: output is put under its command, in fences and in golden files") {
  CHECK(regenerated("a\n```console\n$ echo x\nold\n```\nb\n", true) == "a\n```console\n$ echo x\nx\n```\nb\n");
  CHECK(regenerated("$ echo x; exit 3\nold\n\n$ echo y\n", false) == "$ echo x; exit 3\nx\nexit: 3\n\n$ echo y\ny\n");
  CHECK(regenerated("```sh\n$ echo x\n```\n", true) == "```sh\n$ echo x\n```\n");
}
