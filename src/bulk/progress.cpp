#include "bulk/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normtrace::bulk {

namespace {

constexpr std::size_t kBarWidth = 24;

std::string clock(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(std::min(seconds, 3.6e8)));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

std::string bytes_for_people(double bytes) {
  static constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < std::size(units)) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit > 0 && bytes < 10 ? 1 : 0, units[unit]);
}

std::string progress_line(const Progress& progress, double seconds, words::Language language) {
  const auto done = static_cast<double>(progress.bytes);
  const double rate = seconds > 0 ? done / seconds : 0;
  const std::string speed = bytes_for_people(done) + "  " + bytes_for_people(rate) + "/s";
  if (!progress.total || *progress.total == 0 || rate == 0) return speed;
  const auto total = static_cast<double>(*progress.total);
  const double share = std::min(done / total, 1.0);
  const auto filled = static_cast<std::size_t>(share * kBarWidth);
  return fmt::format("[{}{}] {:3.0f} %  {}  ", std::string(filled, '#'), std::string(kBarWidth - filled, '-'),
                     100 * share, speed) +
         say(language, {"bulk.time_left", {clock((total - done) / rate)}});
}

}  // namespace normtrace::bulk
