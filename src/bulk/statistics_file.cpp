#include "bulk/statistics_file.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include "bulk/error.h"
#include "bulk/files.h"
#include "bulk/number_text.h"
#include "tensor/partition.h"

namespace normtrace::bulk {

namespace {

constexpr std::string_view kColumns = "feature,mean,mean_rest,m2,m2_rest,exponent";
constexpr double kLargestExponent = 1100;
constexpr std::size_t kLargestFile = std::size_t{1} << 30;

std::string shortest(double value) {
  char text[kLongestNumber + kPrintSlack];
  return std::string(text, print(text, value, {}));
}

std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string result = "\"";
  for (const char c : name) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + '"';
}

// Reads the text from front to back; every step that fails names the line.
class Reader {
 public:
  Reader(std::string text, const std::string& source) : text_(std::move(text)), source_(source) {
    end_ = text_.size();
    text_.append(kParseSlack, '\n');
  }

  void expect(std::string_view word) {
    if (text_.compare(at_, word.size(), word) != 0 || at_ + word.size() > end_) fail();
    at_ += word.size();
  }
  void expect_line_end() {
    if (at_ < end_ && text_[at_] == '\r') ++at_;
    expect("\n");
    ++line_;
  }
  std::uint64_t whole() {
    std::uint64_t value;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + end_, value);
    if (error != std::errc()) fail();
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  double number() {
    double value;
    const char* const end = parse(text_.data() + at_, text_.data() + end_, value);
    if (!end) fail();
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  std::string name() {
    std::string result;
    if (text_[at_] != '"') {
      const std::size_t comma = text_.find_first_of(",\n", at_);
      if (comma >= end_) fail();
      result = text_.substr(at_, comma - at_);
      at_ = comma;
      return result;
    }
    for (++at_; at_ < end_; ++at_) {
      if (text_[at_] == '"' && text_[at_ + 1] != '"') break;
      at_ += text_[at_] == '"';
      result += text_[at_];
    }
    expect("\"");
    return result;
  }
  void expect_end() const {
    if (at_ != end_) fail();
  }
  [[noreturn]] void fail() const {
    throw Error(Error::bad_input, {"bulk.bad_statistics", {source_, std::to_string(line_)}},
                {"bulk.bad_statistics_mend", {}});
  }

 private:
  std::string text_;
  const std::string& source_;
  std::size_t at_ = 0;
  std::size_t end_;
  std::size_t line_ = 1;
};

std::string read_all(const std::string& path) {
  Input input = Input::open(path);
  std::string text;
  while (true) {
    const std::size_t before = text.size();
    text.resize(before + (std::size_t{1} << 20));
    const std::size_t got = input.read(before, text.data() + before, text.size() - before);
    text.resize(before + got);
    if (got == 0) return text;
    if (text.size() > kLargestFile) throw Error(Error::bad_input, {"bulk.bad_statistics", {path, "1"}});
  }
}

}  // namespace

std::string to_text(const Statistics& statistics) {
  std::string text(kStatisticsLine);
  text += "\n# count " + std::to_string(statistics.count);
  text += "\n# features " + std::to_string(statistics.features.size()) + '\n';
  text += kColumns;
  text += '\n';
  for (std::size_t j = 0; j < statistics.features.size(); ++j) {
    const Moments& feature = statistics.features[j];
    const Pair mean = feature.mean();
    text += statistics.names.empty() ? tensor::feature_name(j) : quoted(statistics.names[j]);
    for (const double value : {mean.high, mean.low, feature.squares.high, feature.squares.low})
      text += ',' + shortest(value);
    text += ',' + std::to_string(feature.scale) + '\n';
  }
  return text;
}

Statistics read_statistics(const std::string& path) {
  Reader reader(read_all(path), path);
  Statistics statistics;
  reader.expect(kStatisticsLine);
  reader.expect_line_end();
  reader.expect("# count ");
  statistics.count = reader.whole();
  reader.expect_line_end();
  reader.expect("# features ");
  const std::uint64_t features = reader.whole();
  reader.expect_line_end();
  reader.expect(kColumns);
  reader.expect_line_end();
  bool named = false;
  for (std::uint64_t j = 0; j < features; ++j) {
    Moments feature;
    statistics.names.push_back(reader.name());
    named = named || statistics.names.back() != tensor::feature_name(j);
    for (double* const value : {&feature.near, &feature.rest.high, &feature.squares.high, &feature.squares.low}) {
      reader.expect(",");
      *value = reader.number();
    }
    reader.expect(",");
    const double exponent = reader.number();
    if (!(std::fabs(exponent) <= kLargestExponent) || exponent != std::floor(exponent)) reader.fail();
    feature.scale = static_cast<int>(exponent);
    if (feature.squares.high < 0) reader.fail();
    reader.expect_line_end();
    statistics.features.push_back(feature);
  }
  reader.expect_end();
  if (!named) statistics.names.clear();
  return statistics;
}

}  // namespace normtrace::bulk
