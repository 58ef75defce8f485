#pragma once

#include <span>
#include <string_view>

namespace normtrace::cli {

// A file that the build put into the program.
struct EmbeddedFile {
  std::string_view name;     // of examples/cat-eats-fish.txt: "cat-eats-fish"
  std::string_view content;  // to the byte
};

// The files examples/*.txt, ordered by name.
std::span<const EmbeddedFile> embedded_examples();

}  // namespace normtrace::cli
