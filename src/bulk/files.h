#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace normtrace::bulk {

// An open file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

class Output;

// A file, or what comes through standard input. Errors: Error with status 3.
class Input {
 public:
  // "-" is standard input.
  static Input open(const std::string& path);

  // As messages call it; "-" is standard input.
  [[nodiscard]] const std::string& name() const { return name_; }
  // Bytes from where reading starts to the end, if that is known: a regular file, also as standard input.
  [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }
  [[nodiscard]] bool is_seekable() const { return size_.has_value(); }

  // Fills `to` from byte `offset` on as far as the input goes and returns how far. Threads may read a seekable input at once;
  // what comes through a pipe is read once, in order.
  std::size_t read(std::uint64_t offset, char* to, std::size_t bytes);

  // Whether this is the very file that the output writes to, so that it would read its own results.
  [[nodiscard]] bool is_also(const Output& output) const;

  // Whether the input begins with these bytes; they are read again by read(). At most 16.
  bool looks_like(std::string_view start);

  // A seekable input with the same bytes: itself, or a copy of what comes through the pipe in a temporary file that has no name.
  Input seekable() &&;

 private:
  std::string name_;
  Descriptor descriptor_;
  std::uint64_t start_ = 0;  // where standard input stood
  std::optional<std::uint64_t> size_;
  std::string peeked_;  // of a pipe, not yet read
};

// Where results go. A regular file is written under another name beside the target and takes its name in commit(), so
// that the target is the old file or the whole new one; without commit() the other name goes away, also when a signal
// ends the program. Standard output, devices and pipes are written straight away.
// Errors: Error with status 3; ClosedPipe.
class Output {
 public:
  // "-" is standard output.
  static Output open(const std::string& path);
  Output(Output&& other) noexcept;
  Output& operator=(Output&&) = delete;
  ~Output();

  void write(const char* from, std::size_t bytes);
  // Only where can_place(): writes at a byte of its own, from several threads at once.
  void write_at(std::uint64_t offset, const char* from, std::size_t bytes);
  [[nodiscard]] int descriptor() const { return descriptor_.number(); }
  [[nodiscard]] bool can_place() const { return !temporary_.empty(); }
  void commit();

 private:
  Output() = default;

  std::string name_;
  std::string target_;
  std::string temporary_;  // empty where the target is written itself
  Descriptor descriptor_;
};

}  // namespace normtrace::bulk
