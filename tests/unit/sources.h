#pragma once

#include "places.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

// The program's own source text, for tests that judge it.
struct Source {
  std::string path;  // from src/: "exact/integer.cpp"
  std::string text;
};

inline std::vector<Source> all_sources() {
  namespace fs = std::filesystem;
  const fs::path folder = places::root() / "src";
  std::vector<Source> sources;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp") continue;
    std::ifstream file(entry.path());
    sources.push_back(
        {fs::relative(entry.path(), folder).generic_string(), std::string(std::istreambuf_iterator<char>(file), {})});
  }
  return sources;
}
