#include "bulk/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "bulk/error.h"
#include "text/error.h"

namespace normtrace::bulk {

namespace {

constexpr std::size_t kCopyBytes = std::size_t{1} << 20;

// The names that a signal has to remove. Fixed places: a handler may not allocate.
constexpr std::size_t kMostTemporaries = 8;
char temporary_names[kMostTemporaries][PATH_MAX];
std::atomic<bool> temporary_taken[kMostTemporaries];

extern "C" void remove_temporaries(int signal) {
  for (std::size_t i = 0; i < kMostTemporaries; ++i)
    if (temporary_taken[i].load()) unlink(temporary_names[i]);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void remember_temporary(const std::string& name) {
  static const bool handled = [] {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
      struct sigaction before {};
      if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
        std::signal(signal, remove_temporaries);
    }
    return true;
  }();
  (void)handled;
  if (name.size() >= PATH_MAX) return;
  for (std::size_t i = 0; i < kMostTemporaries; ++i)
    if (!temporary_taken[i].load()) {
      std::memcpy(temporary_names[i], name.c_str(), name.size() + 1);
      temporary_taken[i].store(true);
      return;
    }
}
void forget_temporary(const std::string& name) {
  for (std::size_t i = 0; i < kMostTemporaries; ++i)
    if (temporary_taken[i].load() && name == temporary_names[i]) temporary_taken[i].store(false);
}

std::string temporary_directory() {
  const char* const directory = std::getenv("TMPDIR");
  return directory && *directory ? directory : "/tmp";
}

// A file that has no name and goes away with its descriptor.
Descriptor unnamed_temporary() {
  std::string name = temporary_directory() + "/normtrace-XXXXXX";
  Descriptor file(mkostemp(name.data(), O_CLOEXEC));
  if (file.number() < 0) fail_with_errno("bulk.cannot_write", temporary_directory());
  unlink(name.c_str());
  return file;
}

void write_all(int descriptor, const std::string& name, const char* from, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = ::write(descriptor, from, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) throw ClosedPipe();
    if (written < 0) fail_with_errno("bulk.cannot_write", name);
    from += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

// Where a path leads in the end, links followed, also one to a file that is not there yet.
std::filesystem::path real_path(const std::string& path) {
  constexpr int kMostLinks = 40;  // as many as the kernel follows
  std::filesystem::path place = path;
  std::error_code failed;
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(place, failed); ++links) {
    const std::filesystem::path next = std::filesystem::read_symlink(place, failed);
    if (failed) break;
    place = next.is_absolute() ? next : place.parent_path() / next;
  }
  return place;
}

}  // namespace

void fail_with_errno(const char* id, const std::string& name) {
  throw Error(Error::bad_file, {id, {name, std::strerror(errno)}});
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}
Descriptor::~Descriptor() {
  if (number_ > STDERR_FILENO) close(number_);
}

Input Input::open(const std::string& path) {
  Input input;
  input.name_ = path == "-" ? path : text::printable(path);
  input.descriptor_ = Descriptor(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const int file = input.descriptor_.number();
  struct stat about {};
  if (file < 0 || fstat(file, &about) != 0) fail_with_errno("bulk.cannot_read", input.name_);
  if (S_ISDIR(about.st_mode)) {
    errno = EISDIR;
    fail_with_errno("bulk.cannot_read", input.name_);
  }
  if (!S_ISREG(about.st_mode)) return input;
  const off_t start = lseek(file, 0, SEEK_CUR);
  if (start < 0) return input;
  input.start_ = static_cast<std::uint64_t>(start);
  input.size_ = about.st_size > start ? static_cast<std::uint64_t>(about.st_size - start) : 0;
  return input;
}

bool Input::is_also(const Output& output) const {
  struct stat ours {
  }, theirs{};
  return is_seekable() && fstat(descriptor_.number(), &ours) == 0 && fstat(output.descriptor(), &theirs) == 0 &&
         ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

bool Input::looks_like(std::string_view start) {
  std::string head(start.size(), '\0');
  head.resize(read(0, head.data(), head.size()));
  if (!is_seekable()) peeked_ = head;
  return head == start;
}

std::size_t Input::read(std::uint64_t offset, char* to, std::size_t bytes) {
  std::size_t filled = std::min(bytes, peeked_.size());
  std::memcpy(to, peeked_.data(), filled);
  peeked_.erase(0, filled);
  while (filled < bytes) {
    const ssize_t got = is_seekable() ? pread(descriptor_.number(), to + filled, bytes - filled,
                                              static_cast<off_t>(start_ + offset + filled))
                                      : ::read(descriptor_.number(), to + filled, bytes - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_with_errno("bulk.cannot_read", name_);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

Input Input::seekable() && {
  if (is_seekable()) return std::move(*this);
  Input copy;
  copy.name_ = name_;
  copy.descriptor_ = unnamed_temporary();
  std::vector<char> block(kCopyBytes);
  std::uint64_t size = 0;
  while (const std::size_t got = read(size, block.data(), block.size())) {
    write_all(copy.descriptor_.number(), temporary_directory(), block.data(), got);
    size += got;
  }
  copy.size_ = size;
  return copy;
}

Output Output::open(const std::string& path) {
  Output output;
  output.name_ = path == "-" ? path : text::printable(path);
  if (path == "-") {
    output.descriptor_ = Descriptor(STDOUT_FILENO);
    return output;
  }
  struct stat about {};
  const bool exists = stat(path.c_str(), &about) == 0;
  if (exists && !S_ISREG(about.st_mode)) {
    output.descriptor_ = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (output.descriptor_.number() < 0) fail_with_errno("bulk.cannot_write", output.name_);
    return output;
  }
  // Through a symbolic link the file it points to is replaced, not the link.
  const std::filesystem::path target = real_path(path);
  output.target_ = target.string();
  output.temporary_ = (target.parent_path() / ".normtrace-XXXXXX").string();
  output.descriptor_ = Descriptor(mkostemp(output.temporary_.data(), O_CLOEXEC));
  if (output.descriptor_.number() < 0) {
    output.temporary_.clear();
    fail_with_errno("bulk.cannot_write", output.name_);
  }
  remember_temporary(output.temporary_);
  mode_t mode = about.st_mode;
  if (!exists) {
    const mode_t mask = umask(0);
    umask(mask);
    mode = 0666 & ~mask;
  }
  fchmod(output.descriptor_.number(), mode & 07777);
  return output;
}

Output::Output(Output&& other) noexcept
    : name_(std::move(other.name_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::move(other.descriptor_)) {}

Output::~Output() {
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  forget_temporary(temporary_);
}

void Output::write(const char* from, std::size_t bytes) { write_all(descriptor_.number(), name_, from, bytes); }

void Output::write_at(std::uint64_t offset, const char* from, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = pwrite(descriptor_.number(), from, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_with_errno("bulk.cannot_write", name_);
    from += written;
    offset += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
}

void Output::commit() {
  if (temporary_.empty()) return;
  // A file system may report a full disk only now.
  const int closed = close(dup(descriptor_.number()));
  if (closed != 0 || std::rename(temporary_.c_str(), target_.c_str()) != 0) fail_with_errno("bulk.cannot_write", name_);
  forget_temporary(temporary_);
  temporary_.clear();
}

}  // namespace normtrace::bulk
