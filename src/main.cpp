#include <sys/ioctl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

#include "cli/command.h"

namespace {

// 0 where standard output is no terminal, or one that does not say.
std::size_t terminal_columns() {
  winsize size{};
  return isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

int main(int count, char** values) {
  const auto environment = [](const char* name) {
    const char* const value = std::getenv(name);
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
  std::ios::sync_with_stdio(false);
  const normtrace::cli::Session session{
      std::cin,    isatty(STDIN_FILENO) != 0, std::cout, isatty(STDOUT_FILENO) != 0, std::cerr,
      environment, terminal_columns()};
  return normtrace::cli::run({values + 1, values + count}, session);
}
