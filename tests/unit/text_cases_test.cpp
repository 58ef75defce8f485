// Runs every case in tests/cases/*.txt. A case is
//
//   @ what it shows                 the text follows, as it is
//   @escaped what it shows          the same, with \t, \n, \\, \xHH and \u{H…} in the text
//   @words what it shows            words of a command line, one a line (escapes as above)
//   @reads                          one line an array: NAME [role] {shape} row / row
//   @tensors                        instead or as well: what the batches become, one line each: {shape} token: row / …
//   @notes column text_ignored      the remarks, in order, without "input."
//   @error ragged 2:5               instead of all that: the mistake, its line and display column (0:C for an argument)
//
// A case ends where the next begins; a line that starts with @# is a remark. Numbers stand as decimals where they end,
// as p/q where they do not, and with an exponent beyond 15 digits.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "places.h"
#include "text/read.h"
#include "words/utf8.h"

namespace {

using namespace normtrace;

struct Case {
  std::string place;  // file:line
  std::string title;
  bool escaped = false;
  bool words = false;
  std::vector<std::string> text;
  std::vector<std::string> reads;
  std::vector<std::string> tensors;
  std::string notes;
  std::string error;
};

std::string unescape(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const char kind = text[++i];
    if (kind == 'x') {
      result += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else if (kind == 'u') {
      const std::size_t end = text.find('}', i);
      words::append_utf8(result, static_cast<char32_t>(std::stoul(text.substr(i + 2, end - i - 2), nullptr, 16)));
      i = end;
    } else {
      result += kind == 't' ? '\t' : kind == 'n' ? '\n' : kind;
    }
  }
  return result;
}

std::string join(const std::vector<std::string>& lines, const char* separator) {
  std::string result;
  for (std::size_t i = 0; i < lines.size(); ++i) result += (i == 0 ? "" : separator) + lines[i];
  return result;
}

std::vector<Case> load() {
  std::vector<Case> cases;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(places::root() / "tests/cases"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream in(file);
    std::string line;
    std::vector<std::string>* into = nullptr;
    for (int number = 1; std::getline(in, line); ++number) {
      const auto after = [&](const std::string& key) {
        return line.size() > key.size() ? line.substr(key.size() + 1) : "";
      };
      const bool begins = line.rfind("@ ", 0) == 0 || line.rfind("@escaped ", 0) == 0 || line.rfind("@words ", 0) == 0;
      if (line.rfind("@#", 0) == 0) continue;
      if (begins) {
        Case fresh;
        fresh.place = file.filename().string() + ":" + std::to_string(number);
        fresh.title = line;
        fresh.words = line.rfind("@words ", 0) == 0;
        fresh.escaped = line.rfind("@escaped ", 0) == 0;
        cases.push_back(fresh);
        into = &cases.back().text;
      } else if (line == "@reads") {
        into = &cases.back().reads;
      } else if (line == "@tensors") {
        into = &cases.back().tensors;
      } else if (line.rfind("@notes", 0) == 0) {
        cases.back().notes = after("@notes");
        into = nullptr;
      } else if (line.rfind("@error", 0) == 0) {
        cases.back().error = after("@error");
        into = nullptr;
      } else if (into != nullptr && (into == &cases.back().text || !line.empty())) {
        into->push_back(line);
      }
    }
  }
  return cases;
}

// A decimal if the denominator has no prime factors but 2 and 5.
std::string shown(const exact::Rational& value) {
  if (value.is_whole() && value.numerator().to_string().size() <= 15) return value.to_string();
  exact::Rational scaled = value;
  int exponent = 0;
  while (!scaled.is_whole() && exponent < 1100) {
    scaled = scaled * exact::Rational(10);
    ++exponent;
  }
  if (!scaled.is_whole()) return value.to_string();
  std::string digits = scaled.numerator().to_string();
  const bool negative = digits[0] == '-';
  if (negative) digits.erase(0, 1);
  std::string result;
  if (digits.size() > 15 || exponent > 15) {
    while (digits.size() > 1 && digits.back() == '0') {
      digits.pop_back();
      --exponent;
    }
    result = digits + (exponent == 0 ? "" : "e" + std::to_string(-exponent));
  } else {
    const auto places = static_cast<std::size_t>(exponent);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    result = digits.substr(0, digits.size() - places) + (places > 0 ? "." + digits.substr(digits.size() - places) : "");
  }
  return (negative ? "-" : "") + result;
}

std::string shown(const text::Cell& cell) {
  switch (cell.kind) {
    case text::Cell::Kind::finite: return shown(cell.value);
    case text::Cell::Kind::nan: return "nan";
    case text::Cell::Kind::plus_infinity: return "inf";
    case text::Cell::Kind::minus_infinity: return "-inf";
  }
  return "?";
}

std::string shown(const std::vector<std::size_t>& shape) {
  std::string result = "{";
  for (const std::size_t extent : shape) result += (result.size() > 1 ? "," : "") + std::to_string(extent);
  return result + "}";
}

template <typename Value>
std::string shown(const std::vector<Value>& values, std::size_t width, const std::vector<std::string>& names) {
  std::string result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % width == 0) {
      if (i > 0) result += " /";
      const std::size_t row = i / width;
      if (row < names.size() && !names[row].empty()) result += " " + names[row] + ":";
    }
    result += " " + shown(values[i]);
  }
  return result;
}

std::string shown(const text::Array& array) {
  static constexpr const char* roles[] = {"", "running_mean", "running_var", "mean", "var", "weight", "bias"};
  std::string head = array.name;
  const auto add = [&](const std::string& word) { head += (head.empty() ? "" : " ") + word; };
  if (array.role != text::Role::data) add("[" + std::string(roles[static_cast<int>(array.role)]) + "]");
  if (array.further_column) add("[further]");
  if (array.batch > 0) add("[batch " + std::to_string(array.batch) + "]");
  add(shown(array.shape));
  return head + shown(array.cells, array.width(), array.rows);
}

std::string run(const Case& given, bool tensors) {
  try {
    text::Document document;
    if (given.words) {
      std::vector<std::string> words;
      for (const std::string& word : given.text) words.push_back(unescape(word));
      document = text::read_words(words);
    } else {
      const std::string whole = join(given.text, "\n");
      document = text::read(text::standard_input_source(given.escaped ? unescape(whole) : whole + "\n"));
    }
    std::string result;
    for (const text::Array& array : document.arrays) result += shown(array) + "\n";
    if (tensors || !given.error.empty()) {
      result += "@tensors\n";
      for (const tensor::Tensor& tensor : text::batches(document))
        result += shown(tensor.shape) + shown(tensor.values, tensor.width(), tensor.tokens) + "\n";
    }
    std::string notes;
    for (const text::Remark& remark : document.remarks) {
      REQUIRE(words::knows(remark.message.id));
      notes += (notes.empty() ? "" : " ") + remark.message.id.substr(std::string("input.").size());
    }
    return result + "@notes " + notes;
  } catch (const text::Error& error) {
    REQUIRE(words::knows(error.wrong.id));
    REQUIRE(words::knows(error.mend.id));
    return "@error " + error.wrong.id.substr(std::string("input.").size()) + " " +
           std::to_string(text::excerpt(error).line_number) + ":" + std::to_string(text::excerpt(error).column + 1);
  }
}

TEST_CASE("every spelling is read as the cases say") {
  const std::vector<Case> cases = load();
  REQUIRE(cases.size() > 200);
  for (const Case& given : cases) {
    std::string expected;
    if (!given.error.empty()) {
      expected = "@error " + given.error;
    } else {
      for (const std::string& line : given.reads) expected += line + "\n";
      if (!given.tensors.empty()) expected += "@tensors\n" + join(given.tensors, "\n") + "\n";
      expected += "@notes " + given.notes;
    }
    std::string found = run(given, !given.tensors.empty());
    if (given.reads.empty() && given.error.empty()) found.erase(0, found.find("@tensors"));
    INFO(given.place << " " << given.title << "\n" << join(given.text, "\n"));
    CHECK(found == expected);
  }
}

}  // namespace
