#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bulk/error.h"
#include "bulk/npy.h"
#include "bulk/request.h"
#include "bulk_doubles.h"
#include "catch.h"
#include "text/error.h"

using namespace normtrace;
namespace fs = std::filesystem;

namespace {

// A folder of its own for each test, gone afterwards.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "bulk-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    path_ = name;
  }
  Folder(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string put(const std::string& name, const std::string& content) const {
    std::ofstream(*this / name, std::ios::binary) << content;
    return *this / name;
  }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

std::string content(const std::string& path) {
  std::ostringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  return all.str();
}

bulk::ApplyRequest request(const char* norm, const std::string& input, const std::string& output) {
  bulk::ApplyRequest result;
  result.norm = norm::find(norm);
  result.reading.input = input;
  result.output = output;
  return result;
}

// The result for a text, as text.
std::string applied(const char* norm, const std::string& text, bulk::Printing printing = {}) {
  const Folder folder;
  bulk::ApplyRequest asked = request(norm, folder.put("in", text), folder / "out");
  asked.printing = printing;
  bulk::apply(asked);
  return content(folder / "out");
}

// Rows of numbers as a CSV.
std::string random_csv(std::size_t rows, std::size_t columns, double centre = 0) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::string text;
  char number[64];
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      std::snprintf(number, sizeof number, "%.9f%c", centre + normal(random), j + 1 < columns ? ',' : '\n');
      text += number;
    }
  return text;
}

std::string npy(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string head = dictionary + "\n";
  std::string result = "\x93NUMPY";
  result += static_cast<char>(version);
  result += '\0';
  for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte)
    result += static_cast<char>(head.size() >> (8 * byte) & 0xFF);
  return result + head + data;
}
std::string dictionary(const std::string& type, const std::string& shape, const std::string& fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}
template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// The id of what an apply complains about.
template <class Call>
std::string complaint(Call call) {
  try {
    call();
  } catch (const bulk::Error& error) {
    return error.wrong.id + (error.status == bulk::Error::bad_file ? " 3" : " 2");
  } catch (const text::Error& error) {
    const text::Excerpt where = text::excerpt(error);
    return error.wrong.id + " line " + std::to_string(where.line_number) + " column " + std::to_string(where.column);
  } catch (const bulk::ClosedPipe&) {
    return "closed pipe";
  }
  return "none";
}

const bulk::Printing three{bulk::Digits::decimals, 3};

}  // namespace

TEST_CASE("apply: the articles' vectors in every layout") {
  CHECK(applied("ln", "1,2,3,4\n2,0,-2,4\n-1,1,-1,1\n", three) ==
        "-1.342,-0.447,0.447,1.342\n0.447,-0.447,-1.342,1.342\n-1,1,-1,1\n");
  CHECK(applied("rms", "token,a,b,c,d\n猫,1,2,3,4\n吃,2,0,-2,4\n", three) ==
        "token,a,b,c,d\n猫,0.365,0.730,1.095,1.461\n吃,0.816,0,-0.816,1.633\n");
  CHECK(applied("bn", "1\t2\t3\t4\r\n2\t0\t-2\t4\r\n-1\t1\t-1\t1\r\n", three) ==
        "0.267\t1.225\t1.389\t0.707\r\n1.069\t-1.225\t-0.926\t0.707\r\n-1.336\t0\t-0.463\t-1.414\r\n");
  CHECK(applied("ln", "the  1 2 \t3 4\n# -1 1 -1 1", three) == "the -1.342 -0.447 0.447 1.342\n# -1 1 -1 1\n");
  CHECK(applied("rms", "2 4\ncat 1 2 3 4\ndog 2 0 -2 4\n", three) ==
        "2 4\ncat 0.365 0.730 1.095 1.461\ndog 0.816 0 -0.816 1.633\n");
  CHECK(applied("rms", ",0,1\n7,3,4\n8,1,7\n", three) == ",0,1\n7,0.849,1.131\n8,0.200,1.400\n");
  CHECK(applied("rms", "\"a\";\"b\"\n\"x;y\";1;7\n\"z\"; \"1\" ;7\n", three) ==
        "\"a\";\"b\"\n\"x;y\";0.200;1.400\n\"z\";0.200;1.400\n");
  CHECK(applied("rms", "# from somewhere\n#more\n1 7\n\n  \n1 7\n", three) ==
        "# from somewhere\n#more\n0.200 1.400\n0.200 1.400\n");
  CHECK(applied("rms",
                "\xEF\xBB\xBF"
                "1,7\n",
                three) ==
        "\xEF\xBB\xBF"
        "0.200,1.400\n");
  CHECK(applied("bn", "1\n3\n1\n3\n") == "-1\n1\n-1\n1\n");
}

TEST_CASE("apply: a first line that is no row is a header only if it can be one") {
  const std::optional<bool> open;
  const struct {
    const char* text;
    std::optional<bool> header, names;
    const char* expected;  // of rms, or the complaint
  } cases[] = {
      {"a,b\n1,7\n", open, open, "a,b\n0.200,1.400\n"},
      {"\"2019\",\"b\"\n1,7\n", open, open, "bulk.not_a_number line 1 column 7"},
      {"\"2019\",\"b\"\n1,7\n", true, open, "\"2019\",\"b\"\n0.200,1.400\n"},
      {"身高,体重\n1,7\n", open, open, "身高,体重\n0.200,1.400\n"},
      {"1,x\n1,7\n", open, open, "bulk.not_a_number line 1 column 2"},
      {"1,x\n1,7\n", true, open, "1,x\n0.200,1.400\n"},
      {"[1, 7]\n[1, 7]\n", open, open, "bulk.not_a_number line 1 column 0"},
      {"1,7,\n1,7,\n", open, open, "bulk.empty_cell line 1 column 4"},
      {"1,5;2,5\n4;5\n", open, open, "bulk.decimal_comma line 1 column 0"},
      {"4;5\n1,5;2,5\n", open, open, "bulk.decimal_comma line 2 column 0"},
      {"1,NA\n1,7\n", open, open, "bulk.not_a_number line 1 column 2"},
      {"NA,7\n1,7\n", open, open, "bulk.not_a_number line 1 column 0"},
      {"１，７\n1,7\n", open, open, "bulk.not_a_number line 1 column 0"},
      {"0x10,1\n1,7\n", open, open, "bulk.not_a_number line 1 column 0"},
      {"1_000,1\n1,7\n", open, open, "bulk.not_a_number line 1 column 0"},
      {"−1,7\n", open, open, "bulk.typographic_number line 1 column 0"},
      {"1/3,7\n", open, open, "bulk.not_a_number line 1 column 0"},
      {"1/3,1,7\n", open, true, "1/3,0.200,1.400\n"},
      {"1/2 1 7\nthe 1 7\n", open, open, "1/2 0.200 1.400\nthe 0.200 1.400\n"},
      {", 1 7\nthe 1 7\n", open, open, ", 0.200 1.400\nthe 0.200 1.400\n"},
      {"0,1,7\n5,1,7\n", open, true, "0,0.200,1.400\n5,0.200,1.400\n"},
      {"0,1\n1,7\n", true, open, "0,1\n0.200,1.400\n"},
      {"token,0,1\n5,1,7\n", true, true, "token,0,1\n5,0.200,1.400\n"},
      {"a,b\n1,7\n", false, open, "bulk.not_a_number line 1 column 0"},
      {"a,1,7\na,1,7\n", open, false, "bulk.not_a_number line 1 column 0"},
      {"a;1,x\n1;7\n", true, open, "a;1,x\n0.200;1.400\n"},
      {"猫=1,2,3\n吃=2,0,4\n", open, open, "bulk.name_and_number line 1 column 0"},
      {"x: 1,2,3\ny: 2,0,4\n", open, open, "bulk.name_and_number line 1 column 0"},
      {"的　1 2 3\n了　2 0 4\n", open, open, "bulk.name_and_number line 1 column 0"},
      {"x: 1 7\ny: 1 7\n", open, open, "x: 0.200 1.400\ny: 0.200 1.400\n"},
      {"t=1,t=2\n1,7\n", open, open, "t=1,t=2\n0.200,1.400\n"},
      {"t=1,1,7\nt=2,1,7\n", open, true, "t=1,0.200,1.400\nt=2,0.200,1.400\n"},
      {"a,b\nNA,7\nNA,7\n1,7\n", open, open, "bulk.not_a_number line 2 column 0"},
      {"a,b\n#N/A,7\nnull,7\n", open, open, "bulk.not_a_number line 2 column 0"},
      {"sep=;\n1;7\n", open, open, "sep=;\n0.200;1.400\n"},
      {"sep=,\n1,7\n", open, open, "sep=,\n0.200,1.400\n"},
      {"Title\n1,7\n", open, open, "Title\n0.200,1.400\n"},
      {"a,b\n1;7\n", open, open, "a,b\n0.200;1.400\n"},
      {"a b\nx 1 7\n", open, open, "a b\nx 0.200 1.400\n"},
      {",1,7\n,1,7\n", open, open, "bulk.empty_cell line 1 column 0"},
      {"2 2\n10 1 7\n20 1 7\n", open, open, "bulk.too_many line 2 column 5"},
      {"2 2\n10 1 7\n20 1 7\n", true, true, "2 2\n10 0.200 1.400\n20 0.200 1.400\n"},
      {"2 2\n10 1 7\n猫 1 7\n", open, open, "2 2\n10 0.200 1.400\n猫 0.200 1.400\n"},
      {"\"a\nb\",1,7\nc,1,7\n", open, open, "bulk.open_quote line 1 column 0"},
  };
  for (const auto& [text, header, names, expected] : cases) {
    CAPTURE(text);
    const Folder folder;
    bulk::ApplyRequest asked = request("rms", folder.put("in", text), folder / "out");
    asked.printing = three;
    asked.reading.header = header;
    asked.reading.names = names;
    const std::string wrong = complaint([&] { bulk::apply(asked); });
    CHECK((wrong == "none" ? content(folder / "out") : wrong) == expected);
  }
}

TEST_CASE("apply: what could be a header or an index is remarked") {
  const auto remarks = [](const char* text) {
    const Folder folder;
    std::string ids;
    for (const words::Message& remark : bulk::apply(request("ln", folder.put("in", text), folder / "out")).remarks)
      ids += remark.id + " ";
    return ids;
  };
  CHECK(remarks("0,1,2\n5,1,6\n") == "bulk.counting_row ");
  CHECK(remarks("0,4,9\n1,5,6\n2,0,6\n") == "bulk.counting_column ");
  CHECK(remarks("a,b\n1,5\n2,0\n3,3\n4,4\n5,7\n") == "bulk.counting_column ");
  CHECK(remarks("id,b\n001,5\n002,0\n") == "bulk.counting_column ");
  CHECK(remarks("a b\n1 1 7\n5 1 7\n") == "bulk.names_by_header ");
  CHECK(remarks("5 2\n猫 1 7\n吃 1 7\n") == "bulk.counted_rows ");
  CHECK(remarks("2 2\n猫 1 7\n吃 1 7\n").empty());
  CHECK(remarks("1,2,3\n2,3,4\n3,5,7\n").empty());
  CHECK(remarks("a,b,c\n0,1,2\n5,1,6\n").empty());
  CHECK(remarks(",b,c\n0,1,2\n1,1,6\n2,1,3\n").empty());
}

TEST_CASE("apply: gamma, beta, epsilon and divisor") {
  const Folder folder;
  bulk::ApplyRequest asked = request("ln", folder.put("in", "1,2,3\n"), folder / "out");
  asked.convention.gamma = {2};
  asked.convention.beta = {10, 20, 30};
  asked.convention.divisor = norm::Divisor::n_minus_one;
  bulk::apply(asked);
  CHECK(content(folder / "out") == "8,20,32\n");
  asked.convention.gamma = {1, 2};
  CHECK(complaint([&] { bulk::apply(asked); }) == "bulk.parameter_count 2");
  asked.convention.gamma = {std::nan("")};
  CHECK(complaint([&] { bulk::apply(asked); }) == "bulk.parameter_range 2");
  CHECK(content(folder / "out") == "8,20,32\n");
}

TEST_CASE("apply: what is no row is refused with its line and column, and the target stays") {
  const struct {
    const char* text;
    const char* complaint;
  } cases[] = {
      {"1,2,3\n4,5\n", "bulk.too_few line 2 column 3"},
      {"1,2,3\n4,5,6,7\n", "bulk.too_many line 2 column 6"},
      {"1,2,3\n4,x,6\n", "bulk.not_a_number line 2 column 2"},
      {"a,b,c\n1,2,3\n\n4,,6\n", "bulk.empty_cell line 4 column 2"},
      {"猫,1,2\n猫,1,二\n", "bulk.not_a_number line 2 column 5"},
      {"1 2\n1 2 3\n", "bulk.too_many line 2 column 4"},
      {"1,2\n1,2e\n", "bulk.not_a_number line 2 column 2"},
      {"1,2\n1,\"2\n", "bulk.open_quote line 2 column 2"},
      {"1\n2 3\n", "bulk.too_many line 2 column 2"},
      {"", "bulk.no_rows 2"},
      {"\n\n", "bulk.no_rows 2"},
      {"a,b\n", "bulk.no_rows 2"},
  };
  for (const auto& [text, expected] : cases)
    for (const char* const norm : {"ln", "bn"})
      for (const unsigned threads : {1U, 3U}) {
        CAPTURE(text, norm, threads);
        const Folder folder;
        bulk::ApplyRequest asked = request(norm, folder.put("in", text), folder.put("out", "as it was"));
        asked.reading.threads = threads;
        CHECK(complaint([&] { bulk::apply(asked); }) == expected);
        CHECK(content(folder / "out") == "as it was");
        CHECK(folder.files() == 2);
      }
}

TEST_CASE("apply: rows far into a file are named by their line in it, the first one wins") {
  const Folder folder;
  std::string text = random_csv(40000, 8);
  const std::size_t middle = text.find('\n', text.size() / 2) + 1;
  const auto line =
      static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(middle), '\n')) + 1;
  text.insert(middle, "1,2,3\n");
  text += "x\n";
  bulk::ApplyRequest asked = request("ln", folder.put("in", text), folder / "out");
  for (const unsigned threads : {1U, 2U, 5U}) {
    asked.reading.threads = threads;
    CHECK(complaint([&] { bulk::apply(asked); }) == "bulk.too_few line " + std::to_string(line) + " column 5");
  }
  CHECK_FALSE(fs::exists(folder / "out"));
  asked.reading.skip_bad_rows = true;
  std::vector<std::uint64_t> skipped;
  asked.reading.on_skipped = [&](const bulk::BadLine& bad) { skipped.push_back(bad.line); };
  const bulk::Report report = bulk::apply(asked);
  CHECK(report.rows == 40000);
  CHECK(report.skipped == 2);
  CHECK(skipped == std::vector<std::uint64_t>{line, 40002});
  asked.norm = norm::find("bn");
  skipped.clear();
  CHECK(bulk::apply(asked).skipped == 2);
  CHECK(skipped.size() == 2);
}

TEST_CASE("apply: the bits do not depend on the number of threads, the order of rows is kept") {
  const Folder folder;
  const std::string csv = folder.put("in.csv", random_csv(30000, 10, 100));
  std::mt19937_64 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> numbers(30000 * 33);
  for (float& number : numbers) number = normal(random);
  const std::string array = folder.put("in.npy", npy(dictionary("<f4", "(300, 100, 33)"), bytes_of(numbers)));
  for (const std::string& input : {csv, array})
    for (const char* const norm : {"ln", "rms", "bn"}) {
      std::string first;
      for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        CAPTURE(input, norm, threads);
        bulk::ApplyRequest asked = request(norm, input, folder / "out");
        asked.convention.eps = 1e-5;
        asked.reading.threads = threads;
        CHECK(bulk::apply(asked).rows == 30000);
        const std::string result = content(folder / "out");
        if (first.empty()) first = result;
        CHECK((result == first));
      }
    }
}

TEST_CASE("apply: a pipe gives what a file gives") {
  const Folder folder;
  const std::string text = random_csv(20000, 7);
  std::vector<double> numbers(50000);
  std::mt19937_64 random(2);
  for (double& number : numbers) number = static_cast<double>(random() % 1000);
  for (const auto& [name, bytes] : {std::pair<std::string, std::string>{"in.csv", text},
                                    {"in.npy", npy(dictionary("<f8", "(5000, 10)"), bytes_of(numbers))},
                                    {"in.f64", bytes_of(numbers)}})
    for (const char* const norm : {"rms", "bn"}) {
      CAPTURE(name, norm);
      bulk::ApplyRequest asked = request(norm, folder.put(name, bytes), folder / "out");
      asked.reading.width = name == "in.f64" ? 10 : 0;
      asked.reading.threads = 2;
      bulk::apply(asked);
      const std::string expected = content(folder / "out");
      const std::string pipe = folder / ("pipe" + name.substr(2));
      if (!fs::exists(pipe)) REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
      std::thread writer([&, &sent = bytes] { std::ofstream(pipe, std::ios::binary) << sent; });
      asked.reading.input = pipe;
      bulk::apply(asked);
      writer.join();
      CHECK((content(folder / "out") == expected));
    }
}

TEST_CASE("apply: statistics in pieces give what the whole file gives, within one ulp") {
  const Folder folder;
  std::mt19937_64 random(31);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 60; ++round) {
    const std::size_t pieces = 1 + random() % 3;
    std::string whole;
    bulk::StatsRequest merge;
    merge.output = folder / "all.stats";
    for (std::size_t piece = 0; piece <= pieces; ++piece) {
      std::string rows;
      for (std::size_t count = 1 + random() % (round % 2 ? 3 : 120); count > 0; --count) {
        char row[64];
        std::snprintf(row, sizeof row, "%.1f,%.4f,%.17g\n", normal(random), normal(random), 1e8 + normal(random));
        rows += row;
      }
      whole += rows;
      bulk::StatsRequest stats;
      stats.reading.input = folder.put("piece" + std::to_string(piece), rows);
      stats.output = folder / (std::to_string(piece) + ".stats");
      bulk::stats(stats);
      merge.merge.push_back(stats.output);
    }
    bulk::stats(merge);
    bulk::ApplyRequest asked = request("bn", folder.put("whole", whole), folder / "out");
    asked.convention.eps = 1e-5;
    bulk::apply(asked);
    std::istringstream one(content(folder / "out"));
    asked.statistics = merge.output;
    bulk::apply(asked);
    std::istringstream many(content(folder / "out"));
    std::string a, b;
    while (std::getline(one, a, ',')) {
      REQUIRE(std::getline(many, b, ','));
      // Cells, the last of a row with the first of the next.
      const char *x = a.c_str(), *y = b.c_str();
      for (char *x_end, *y_end; *x && *y; x = x_end, y = y_end) {
        CAPTURE(round, a, b);
        const double first = std::strtod(x, &x_end), second = std::strtod(y, &y_end);
        REQUIRE(x_end != x);
        CHECK(doubles::steps(first, second) <= 1);
        while (*x_end == '\n') ++x_end;
        while (*y_end == '\n') ++y_end;
      }
    }
  }
}

TEST_CASE("apply: columns of constant, huge and tiny numbers with an epsilon") {
  const Folder folder;
  bulk::ApplyRequest asked = request("bn", "", folder / "out");
  asked.convention.eps = 1e-5;
  const auto result = [&](const char* text) {
    asked.reading.input = folder.put("in", text);
    CHECK(bulk::apply(asked).oddities.undefined == 0);
    return content(folder / "out");
  };
  CHECK(result("1e160,1.7e308,5,3e-320\n1e160,1.7e308,5,3e-320\n") == "0,0,0,0\n0,0,0,0\n");
  asked.convention.beta = {7};
  CHECK(result("1e160\n1e160\n") == "7\n7\n");
  asked.convention.beta = {};
  asked.convention.gamma = {1e300};
  // ±27·2^-1074·10^300/(2·√1e-5)
  CHECK(result("-2.1e-322\n-2.37e-322\n") == "3.9059318862510905e-21\n-3.9059318862510905e-21\n");
}

TEST_CASE("apply: sums as a machine keeps them") {
  const Folder folder;
  // From left to right in float32, 2^24 swallows each 1: the mean of the first row is 2^22.
  const std::vector<float> row{16777216, 1, 1, 1};
  const std::string head = npy(dictionary("<f4", "(4,)"), "");
  bulk::ApplyRequest asked = request("ln", folder.put("in.npy", head + bytes_of(row)), folder / "out");
  const auto first = [&] {
    bulk::apply(asked);
    float value;
    std::memcpy(&value, content(folder / "out").data() + head.size(), sizeof value);
    return value;
  };
  asked.convention.accumulate = bulk::Element::float32;
  // Deviations 3·2^22 and three of 1 − 2^22, rounded at each step as NumPy's float32 does it in a loop.
  const float deviation = 12582912, other = 1 - 4194304.0F;
  const float sum = ((deviation * deviation + other * other) + other * other) + other * other;
  CHECK(first() == deviation / std::sqrt(sum / 4));
  asked.convention.accumulate = bulk::Element::float16;
  CHECK(complaint([&] { bulk::apply(asked); }) == "usage.accumulate_narrow 2");
  asked.reading.input = folder.put("in.csv", "1,2\n");
  asked.convention.accumulate = bulk::Element::float32;
  CHECK(complaint([&] { bulk::apply(asked); }) == "usage.accumulate_narrow 2");
  asked.convention.accumulate = bulk::Element::float64;
  bulk::apply(asked);
  CHECK(content(folder / "out") == "-1,1\n");
  asked.norm = norm::find("bn");
  CHECK(complaint([&] { bulk::apply(asked); }) == "bulk.accumulate_batch 2");
}

TEST_CASE("apply: .npy of every type keeps head, shape and type") {
  const Folder folder;
  const std::vector<double> row{1, 2, 3, 4};
  for (const int version : {1, 2, 3}) {
    const std::string head64 = npy(dictionary("<f8", "(1, 4)"), "", version);
    bulk::ApplyRequest asked = request("rms", folder.put("x.npy", head64 + bytes_of(row)), folder / "out");
    bulk::apply(asked);
    const std::vector<double> expected{1 / std::sqrt(7.5), 2 / std::sqrt(7.5), 3 / std::sqrt(7.5), 4 / std::sqrt(7.5)};
    const std::string result = content(folder / "out");
    REQUIRE(result.size() == head64.size() + 32);
    CHECK(result.substr(0, head64.size()) == head64);
    for (std::size_t i = 0; i < 4; ++i) {
      double value;
      std::memcpy(&value, result.data() + head64.size() + 8 * i, 8);
      CHECK(doubles::steps(value, expected[i]) <= 1);
    }
  }
  // 鱼 in float16, and a batch of one feature.
  const std::vector<std::uint16_t> halves{bulk::to_half(-3), bulk::to_half(3), bulk::to_half(-3), bulk::to_half(3)};
  const std::vector<std::uint16_t> ones{bulk::to_half(-1), bulk::to_half(1), bulk::to_half(-1), bulk::to_half(1)};
  for (const char* const norm : {"ln", "rms", "bn"}) {
    const std::string head = npy(dictionary("<f2", "(4,)"), "");
    const bulk::Report report =
        bulk::apply(request(norm, folder.put("h.npy", head + bytes_of(halves)), folder / "out"));
    CHECK(content(folder / "out") == head + bytes_of(ones));
    CHECK(report.one_feature == (std::string(norm) == "bn"));
  }
  for (const char* const shape : {"(0, 4)", "(4, 0)", "(0,)"}) {
    const std::string empty = npy(dictionary("<f4", shape), "");
    for (const char* const norm : {"ln", "bn"}) {
      CHECK(bulk::apply(request(norm, folder.put("e.npy", empty), folder / "out")).rows == 0);
      CHECK(content(folder / "out") == empty);
    }
  }
}

TEST_CASE("apply: float16 is read and rounded as IEEE 754 says") {
  for (int bits = 0; bits < 65536; ++bits) {
    const double value = bulk::from_half(static_cast<std::uint16_t>(bits));
    if (!std::isnan(value)) CHECK(bulk::to_half(value) == bits);
  }
  CHECK(bulk::from_half(0x3555) == 0.333251953125);
  CHECK(bulk::to_half(1.0 / 3) == 0x3555);
  CHECK(bulk::to_half(65519.9) == 0x7BFF);
  CHECK(bulk::to_half(65520) == 0x7C00);
  CHECK(bulk::to_half(0x1p-25) == 0);
  CHECK(bulk::to_half(0x1.8p-25) == 1);
  CHECK(bulk::to_half(2049) == 0x6800);
  CHECK(bulk::to_half(2051) == 0x6802);
  CHECK(bulk::to_half(4095.9) == 0x6C00);
}

TEST_CASE("apply: what is no table, and options and names of another kind of file") {
  const Folder folder;
  const auto wrong = [&](const std::string& text, const std::string& output = "out", auto... change) {
    bulk::ApplyRequest asked = request("ln", folder.put("in", text), folder / output);
    (change(asked), ...);
    return complaint([&] { bulk::apply(asked); });
  };
  CHECK(wrong(std::string("\xFF\xFE") + std::string("1\0,\0", 4)) == "bulk.utf16 2");
  CHECK(wrong("\x1F\x8B\x08") == "bulk.gzip 2");
  CHECK(wrong("PK\x03\x04rest") == "bulk.zip 2");
  CHECK(wrong("# normtrace statistics 1\n# count 0\n") == "bulk.is_statistics 2");
  CHECK(wrong("1,2\r3,4\r5,6\r") == "bulk.lone_returns 2");
  const std::string array = npy(dictionary("<f4", "(2,)"), std::string("\0\0\x80\x3F\0\0\0\x40", 8));
  CHECK(wrong(array, "out.csv") == "bulk.binary_in_text 2");
  CHECK(wrong("1,2\n", "out.NPY") == "bulk.text_in_binary 2");
  CHECK(wrong(array, "out", [](auto& asked) { asked.reading.text_options = {"--digits"}; }) == "bulk.option_of_text 2");
  CHECK(wrong(array, "out", [](auto& asked) { asked.reading.width = 2; }) == "bulk.option_of_raw 2");
  CHECK(wrong("1,2\n", "out", [](auto& asked) { asked.reading.width = 2; }) == "bulk.option_of_raw 2");
  CHECK(wrong(array) == "none");
}

TEST_CASE("apply: outputs that the type cannot hold are counted") {
  const Folder folder;
  bulk::ApplyRequest asked = request("rms", folder.put("in", "1,-1\n0,3\n"), folder / "out");
  asked.convention.gamma = {1e308};
  CHECK(bulk::apply(asked).oddities.overflows == 0);
  asked.convention.beta = {1.7e308};
  CHECK(bulk::apply(asked).oddities.overflows == 2);
  asked.convention.gamma = {60000};
  asked.convention.beta = {};
  const std::string halves = npy(dictionary("<f2", "(2,)"), std::string("\0\x3C\0\x40", 4));  // 1 and 2
  asked.reading.input = folder.put("h.npy", halves);
  CHECK(bulk::apply(asked).oddities.overflows == 1);
  asked.reading.input = folder.put("ones.npy", npy(dictionary("<f2", "(2,)"), std::string("\0\x3C\0\x3C", 4)));
  asked.convention.gamma = {65519};  // rounded to 65504
  CHECK(bulk::apply(asked).oddities.overflows == 0);
  asked.convention.gamma = {65520};
  CHECK(bulk::apply(asked).oddities.overflows == 2);
  asked.reading.input = folder.put("more.csv", "5e307,1\n-5e307,2\n");
  asked.norm = norm::find("bn");
  asked.convention.gamma = {};
  CHECK(bulk::apply(asked).oddities.overflows == 0);
}

TEST_CASE("apply: bn by given statistics of numbers at the ends of the range") {
  const Folder folder;
  bulk::StatsRequest stats;
  stats.reading.input = folder.put("train", "1\n2\n3\n");
  stats.output = folder / "stats";
  bulk::stats(stats);
  bulk::ApplyRequest asked = request("bn", folder.put("in", "1e308\n-1.5e308\ninf\n-inf\nnan\n2\n"), folder / "out");
  asked.statistics = stats.output;
  // √1.5 and its multiples; two of them beyond the range.
  CHECK(bulk::apply(asked).oddities.overflows == 1);
  CHECK(content(folder / "out") == "1.224744871391589e308\n-inf\ninf\n-inf\nnan\n0\n");
}

TEST_CASE("apply: pieces without rows") {
  const Folder folder;
  bulk::StatsRequest stats;
  stats.reading.input = folder.put("empty", "");
  stats.output = folder / "empty.stats";
  CHECK(bulk::stats(stats).rows == 0);
  stats.reading.input = folder.put("header", "a,b\n");
  stats.output = folder / "header.stats";
  bulk::stats(stats);
  stats.reading.input = folder.put("rows", "1,5\n3,7\n");
  stats.output = folder / "rows.stats";
  bulk::stats(stats);
  bulk::StatsRequest merge;
  merge.merge = {folder / "empty.stats", folder / "rows.stats", folder / "header.stats"};
  merge.output = folder / "all.stats";
  bulk::stats(merge);
  CHECK(content(folder / "all.stats") == content(folder / "rows.stats"));
  bulk::ApplyRequest asked = request("bn", folder / "header", folder / "out");
  asked.statistics = folder / "all.stats";
  CHECK(bulk::apply(asked).rows == 0);
  CHECK(content(folder / "out") == "a,b\n");
  asked.reading.input = folder / "empty";
  bulk::apply(asked);
  CHECK(content(folder / "out").empty());
  asked.statistics.clear();
  CHECK(complaint([&] { bulk::apply(asked); }) == "bulk.no_rows 2");
  // Rows behind more comments than are looked at are not lost.
  std::string comments;
  while (comments.size() < (std::size_t{1} << 20)) comments += "# a comment\n";
  stats.reading.input = folder.put("comments", comments + "1,2\n");
  CHECK(complaint([&] { bulk::stats(stats); }) == "bulk.no_rows 2");
}

TEST_CASE("apply: with n − 1 = 0 an epsilon does not help") {
  const Folder folder;
  bulk::ApplyRequest asked = request("ln", folder.put("in", "5\n6\n"), folder / "out");
  asked.convention.divisor = norm::Divisor::n_minus_one;
  asked.convention.eps = 1e-5;
  bulk::Report report = bulk::apply(asked);
  CHECK(report.oddities.undefined == 2);
  CHECK(report.without_degrees);
  asked.norm = norm::find("bn");
  CHECK_FALSE(bulk::apply(asked).without_degrees);
  asked.reading.input = folder.put("in", "5,6\n");
  report = bulk::apply(asked);
  CHECK(report.oddities.undefined == 2);
  CHECK(report.without_degrees);
}

TEST_CASE("apply: numbers of a .npy file for gamma") {
  const Folder folder;
  const std::string path = folder.put("g.npy", npy(dictionary("<f2", "(2, 1)"), std::string("\0\x3C\0\x40", 4)));
  CHECK(bulk::is_npy(path));
  CHECK(bulk::read_npy_numbers(path) == std::vector<double>{1, 2});
  CHECK_FALSE(bulk::is_npy(folder.put("text", "1")));
  CHECK_FALSE(bulk::is_npy(folder / "absent"));
}

TEST_CASE("apply: hostile .npy files are refused, and the target stays") {
  const std::string four(16, 'x');
  const struct {
    std::string bytes;
    const char* complaint;
  } cases[] = {
      {npy(dictionary("<f4", "(2, 3)"), four), "bulk.npy_truncated 2"},
      {npy(dictionary("<f4", "(1, 3)"), four), "bulk.npy_trailing 2"},
      {npy(dictionary("<f4", "(4611686018427387904, 4)"), four), "bulk.npy_too_large 2"},
      {npy(dictionary("<f4", "(18446744073709551616,)"), four), "bulk.npy_too_large 2"},
      {npy(dictionary("<f4", "(4294967296, 4294967296)"), four), "bulk.npy_too_large 2"},
      {npy(dictionary("<f4", "(4294967296, 4294967296, 0)"), ""), "bulk.npy_too_large 2"},
      {npy(dictionary("<f4", "(-1, 4)"), four), "bulk.npy_head 2"},
      {npy(dictionary("<f4", "(1e3, 4)"), four), "bulk.npy_head 2"},
      {npy(dictionary("<f4", "()"), "abcd"), "bulk.npy_scalar 2"},
      {npy(dictionary("<f4", "(4)"), four).replace(0, 1, "\x92"), "bulk.npy_magic 2"},
      {npy(dictionary("<f4", "(2, 2)", "True"), four), "bulk.npy_fortran 2"},
      {npy(dictionary(">f4", "(4,)"), four), "bulk.npy_type 2"},
      {npy(dictionary("<i4", "(4,)"), four), "bulk.npy_type 2"},
      {npy(dictionary("|O", "(4,)"), four), "bulk.npy_objects 2"},
      {npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (4,), }", four), "bulk.npy_structured 2"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4,), 'more': 1}", four), "bulk.npy_head 2"},
      {npy("{'descr': '<f4', 'fortran_order': 0, 'shape': (4,)}", four), "bulk.npy_head 2"},
      {npy("{'descr': '<f4', 'fortran_order': False}", four), "bulk.npy_head 2"},
      {npy("{'descr': '<f4", four), "bulk.npy_head 2"},
      {npy("__import__('os').system('true')", four), "bulk.npy_head 2"},
      {npy(dictionary("<f4", "(4,)"), four, 4), "bulk.npy_version 2"},
      {std::string("\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12), "bulk.npy_head 2"},
      {std::string("\x93NUMPY\x01\x00\x76\x00{'de", 14), "bulk.npy_head_truncated 2"},
      {"\x93NUMPY", "bulk.npy_head_truncated 2"},
      {"", "bulk.npy_head_truncated 2"},
      {npy(dictionary("<f4", "(1, 1073741824)"), ""), "bulk.npy_truncated 2"},
  };
  for (const auto& [bytes, expected] : cases)
    for (const char* const norm : {"ln", "bn"}) {
      CAPTURE(bytes);
      const Folder folder;
      const bulk::ApplyRequest asked = request(norm, folder.put("x.npy", bytes), folder.put("out", "as it was"));
      CHECK(complaint([&] { bulk::apply(asked); }) == expected);
      CHECK(content(folder / "out") == "as it was");
      CHECK(folder.files() == 2);
    }
}

TEST_CASE("apply: raw numbers need a width and whole rows") {
  const Folder folder;
  bulk::ApplyRequest asked =
      request("rms", folder.put("x.f64", bytes_of(std::vector<double>{1, 7, 3, 4, 5})), folder / "out");
  CHECK(complaint([&] { bulk::apply(asked); }) == "bulk.width_missing 2");
  asked.reading.width = 2;
  CHECK(complaint([&] { bulk::apply(asked); }) == "bulk.row_cut 2");
  asked.reading.width = 5;
  bulk::apply(asked);
  CHECK(fs::file_size(folder / "out") == 40);
  asked.reading.width = std::size_t{1} << 39;
  CHECK(complaint([&] { bulk::apply(asked); }) == "bulk.row_too_long 2");
}

TEST_CASE("apply: NaN, infinity and rows without a variance are counted") {
  const Folder folder;
  const bulk::Report report =
      bulk::apply(request("ln", folder.put("in", "1,2\nnan,1\ninf,-inf\n5,5\n"), folder / "out"));
  CHECK(report.oddities.nans == 1);
  CHECK(report.oddities.infinities == 2);
  CHECK(report.oddities.undefined == 1);
  CHECK(content(folder / "out") == "-1,1\nnan,nan\nnan,nan\nnan,nan\n");
  const bulk::Report batch = bulk::apply(request("bn", folder.put("in", "1,2,3\nnan,2,5\n"), folder / "out"));
  CHECK(batch.oddities.nans == 1);
  CHECK(batch.oddities.undefined == 1);
  CHECK(content(folder / "out") == "nan,nan,-1\nnan,nan,1\n");
}

TEST_CASE("apply: files that cannot be read or written") {
  const Folder folder;
  const std::string input = folder.put("in", random_csv(2000, 4));
  CHECK(complaint([&] { bulk::apply(request("ln", folder / "none", folder / "out")); }) == "bulk.cannot_read 3");
  CHECK(complaint([&] { bulk::apply(request("ln", folder / ".", folder / "out")); }) == "bulk.cannot_read 3");
  CHECK(complaint([&] { bulk::apply(request("ln", input, folder / "no/out")); }) == "bulk.cannot_write 3");
  CHECK(complaint([&] { bulk::apply(request("ln", input, "/dev/full")); }) == "bulk.cannot_write 3");
  CHECK(folder.files() == 1);
}

TEST_CASE("apply: the input may be the output, links and permissions stay") {
  const Folder folder;
  const std::string file = folder.put("data", "1,3\n");
  fs::permissions(file, fs::perms::owner_all);
  fs::create_symlink("data", folder / "link");
  bulk::apply(request("ln", folder / "link", folder / "link"));
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(content(file) == "-1,1\n");
  CHECK(fs::status(file).permissions() == fs::perms::owner_all);
}

TEST_CASE("apply: a closed pipe is no error of ours") {
  const Folder folder;
  const std::string input = folder.put("in", random_csv(100000, 8));
  const std::string pipe = folder / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  std::thread reader([&] {
    std::ifstream stream(pipe);
    std::string line;
    std::getline(stream, line);
  });
  CHECK(complaint([&] { bulk::apply(request("ln", input, pipe)); }) == "closed pipe");
  reader.join();
  std::signal(SIGPIPE, before);
}

TEST_CASE("apply: two runs at once on one target") {
  const Folder folder;
  const std::string one = folder.put("one", random_csv(20000, 8));
  const std::string two = folder.put("two", random_csv(20000, 8, 5));
  bulk::apply(request("rms", one, folder / "first"));
  bulk::apply(request("rms", two, folder / "second"));
  for (int round = 0; round < 3; ++round) {
    std::thread other([&] { bulk::apply(request("rms", two, folder / "out")); });
    bulk::apply(request("rms", one, folder / "out"));
    other.join();
    const std::string result = content(folder / "out");
    CHECK((result == content(folder / "first") || result == content(folder / "second")));
  }
  CHECK(folder.files() == 5);
}

TEST_CASE("stats: pieces on many machines give what one machine gives, within one ulp") {
  const Folder folder;
  const std::size_t rows = 12000, columns = 9;
  const std::string text = random_csv(rows, columns, 1e6);
  bulk::ApplyRequest whole = request("bn", folder.put("in", text), folder / "whole");
  bulk::apply(whole);
  bulk::StatsRequest merge;
  std::vector<std::string> pieces;
  for (std::size_t piece = 0, begin = 0; begin < text.size(); ++piece) {
    const std::size_t end = std::min(text.find('\n', begin + text.size() / 5), text.size() - 1) + 1;
    pieces.push_back(folder.put("piece" + std::to_string(piece), text.substr(begin, end - begin)));
    bulk::StatsRequest stats;
    stats.reading.input = pieces.back();
    stats.output = pieces.back() + ".stats";
    bulk::stats(stats);
    merge.merge.push_back(stats.output);
    begin = end;
  }
  CHECK(pieces.size() >= 4);
  merge.output = folder / "all.stats";
  CHECK(bulk::stats(merge).rows == rows);
  std::string joined;
  for (const std::string& piece : pieces) {
    bulk::ApplyRequest part = request("bn", piece, folder / "part");
    part.statistics = merge.output;
    bulk::apply(part);
    joined += content(folder / "part");
  }
  std::istringstream ours(joined), theirs(content(folder / "whole"));
  std::size_t numbers = 0;
  for (std::string a, b; std::getline(ours, a, ','), std::getline(theirs, b, ','); ++numbers) {
    double x, y;
    std::istringstream(a) >> x;
    std::istringstream(b) >> y;
    CHECK(doubles::steps(x, y) <= 1);
  }
  CHECK(numbers > rows * (columns - 1) - 1);
}

TEST_CASE("stats: what does not belong together is refused") {
  const Folder folder;
  const auto written = [&](const std::string& name, const std::string& text) {
    bulk::StatsRequest stats;
    stats.reading.input = folder.put(name, text);
    stats.output = folder / (name + ".stats");
    bulk::stats(stats);
    return stats.output;
  };
  bulk::StatsRequest merge;
  merge.output = folder / "out";
  merge.merge = {written("a", "x,y\n1,2\n3,4\n"), written("b", "y,x\n1,2\n")};
  CHECK(complaint([&] { bulk::stats(merge); }) == "bulk.statistics_names 2");
  merge.merge = {written("a", "1,2\n3,4\n"), written("b", "1,2,3\n")};
  CHECK(complaint([&] { bulk::stats(merge); }) == "bulk.statistics_features 2");
  merge.merge = {folder.put("c", "feature,mean\n")};
  CHECK(complaint([&] { bulk::stats(merge); }) == "bulk.bad_statistics 2");
  const std::string good = content(written("d", "\"a,\"\"b\",y\n1,2\n3,9\n"));
  for (std::size_t cut = 0; cut < good.size(); ++cut) {
    merge.merge = {folder.put("cut", good.substr(0, cut))};
    CHECK(complaint([&] { bulk::stats(merge); }) == "bulk.bad_statistics 2");
  }
  merge.merge = {folder.put("whole", good)};
  CHECK(complaint([&] { bulk::stats(merge); }) == "none");
  CHECK(content(folder / "out") == good);
  bulk::ApplyRequest asked = request("ln", folder.put("in", "1,2\n"), folder / "out");
  asked.statistics = folder / "whole";
  CHECK(complaint([&] { bulk::apply(asked); }) == "bulk.statistics_unused 2");
}

TEST_CASE("bn: columns at the ends of the range of a double") {
  CHECK(applied("bn", "1e200,1e-200,1e308,5e-324\n-1e200,3e-200,-1e308,0\n") == "1,-1,1,1\n-1,1,-1,-1\n");
  // Pieces whose scales differ.
  const Folder folder;
  std::vector<std::string> files;
  for (const char* const text : {"1e200\n-1e200\n", "1e-200\n-1e-200\n", "1e200\n-1e200\n"}) {
    bulk::StatsRequest stats;
    stats.reading.input = folder.put("in", text);
    stats.output = folder / ("stats" + std::to_string(files.size()));
    bulk::stats(stats);
    files.push_back(stats.output);
  }
  bulk::StatsRequest merge;
  merge.merge = files;
  merge.output = folder / "all";
  bulk::stats(merge);
  bulk::ApplyRequest asked = request("bn", folder.put("in", "1e200\n0\n"), folder / "out");
  asked.statistics = folder / "all";
  bulk::apply(asked);
  CHECK(content(folder / "out") == "1.224744871391589\n0\n");  // √1.5
}
