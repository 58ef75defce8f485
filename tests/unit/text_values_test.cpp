// What the cases as data do not show: printed precision, option values, which words are vectors, suggestions, limits.

#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "text/read.h"
#include "text/suggest.h"

using namespace normtrace;

namespace {

text::Cell cell(const std::string& literal) {
  return text::read(text::file_source("f", literal)).arrays.at(0).cells.at(0);
}

std::string mistake(const std::string& given) {
  try {
    text::Document document = text::read(text::file_source("f", given));
    text::batches(document);
  } catch (const text::Error& error) {
    return error.wrong.id;
  }
  return {};
}

std::string repeated(std::string_view piece, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += piece;
  return result;
}

}  // namespace

TEST_CASE("a cell knows how precisely it was printed") {
  struct Row {
    const char* literal;
    int decimals, significant;
    bool point, exponent;
  };
  for (const Row& row :
       {Row{"1.50", 2, 3, true, false}, Row{"[0.0010]", 4, 2, true, false}, Row{"5.1425e-02", 6, 5, true, true},
        Row{"3e2", -2, 1, false, true}, Row{"100", 0, 3, false, false}, Row{"-0.0", 1, 1, true, false},
        Row{"1.", 0, 1, true, false}, Row{"1.0e+03", -2, 2, true, true}}) {
    INFO(row.literal);
    const text::Cell read = cell(row.literal);
    CHECK(read.decimals == row.decimals);
    CHECK(read.significant == row.significant);
    CHECK(read.point == row.point);
    CHECK(read.exponent == row.exponent);
    CHECK_FALSE(read.fraction);
  }
  CHECK(cell("1/3").fraction);
}

TEST_CASE("option values are one vector or one number") {
  const auto vector = [](const std::string& given) { return text::read_vector(text::option_source("--gamma", given)); };
  for (const char* const spelling : {"1,2,0.5", "[1, 2, 0.5]", "1 2 0.5", "tensor([1., 2., 0.5])", "1, 2, 1/2"}) {
    INFO(spelling);
    const std::vector<text::Cell> cells = vector(spelling);
    REQUIRE(cells.size() == 3);
    CHECK(cells[2].value == exact::Rational(1, 2));
  }
  CHECK(text::read_number(text::option_source("--eps", "1e-5")).value == exact::Rational(1, 100000));
  CHECK(text::read_number(text::option_source("--eps", "１／３")).value == exact::Rational(1, 3));
  CHECK_THROWS_AS(vector("[[1, 2], [3, 4]]"), text::Error);
  CHECK_THROWS_AS(vector("nan"), text::Error);
  try {
    text::read_number(text::option_source("--eps", "1, 5", "1e-5"));
    FAIL("two numbers were taken for one");
  } catch (const text::Error& error) {
    CHECK(text::describe(error, words::Language::en) ==
          "error: --eps: one number was expected\n  1, 5\n     ^\n  for instance --eps 1e-5");
  }
}

TEST_CASE("nothing in the value of an option is passed over") {
  for (const char* const value : {"1//2",
                                  "1:2",
                                  "- 1",
                                  "50%,1",
                                  "10-5,1",
                                  "±1,2",
                                  "$1e-5",
                                  "eps=1e-5",
                                  "1e-5 # x",
                                  "1e-5 // x",
                                  "1e-5 /* x */",
                                  "abc",
                                  "nan",
                                  "inf",
                                  "",
                                  "1e-5 x",
                                  "x 1e-5",
                                  "\"1e-5\"",
                                  "'[1e-5]'",
                                  "[1e-5] x",
                                  "[1e-5] 1",
                                  "{a: 1e-5}",
                                  "1_000",
                                  "1。5",
                                  "1|2",
                                  "(x) 1",
                                  "[1] .T",
                                  "a[1]",
                                  "1e-5.",
                                  "token,f1\n1,2",
                                  "running_mean=[1]",
                                  "[\"a\", 1]"}) {
    INFO(value);
    CHECK_THROWS_AS(text::read_number(text::option_source("--eps", value)), text::Error);
  }
  for (const char* const value :
       {"1e-5", " 1e-5 ", "[1e-5]", "(1e-5)", "tensor(1e-5)", "np.float64(1e-5)", "１ｅ－５"}) {
    INFO(value);
    CHECK(text::read_number(text::option_source("--eps", value)).value == exact::Rational(1, 100000));
  }
}

TEST_CASE("a word is a vector if it can only be meant as numbers") {
  for (const char* const word : {"[1,2]", "1", "-1", "-.5", "1/3", "1,2,3", "猫=[1,2]", "猫=1,2", "猫：1，2",
                                 "［１，２］", "tensor([1.,2.])", "'[1 2]'", "{\"a\":[1]}", "x=", "1 2\n3 4", "nan"})
    CHECK(text::looks_like_vector(word));
  for (const char* const word : {"ln", "compare", "bnn", "t1", "猫", "", "--eps", "layernorm"})
    CHECK_FALSE(text::looks_like_vector(word));
}

TEST_CASE("the nearest word is suggested, if it is near") {
  static constexpr std::string_view commands[] = {"bn", "ln", "rms", "compare", "example", "layernorm"};
  CHECK(text::suggest("compere", commands) == "compare");
  CHECK(text::suggest("exmaple", commands) == "example");
  CHECK(text::suggest("comp", commands) == "compare");
  CHECK(text::suggest("layer-norm", commands) == "layernorm");
  CHECK(text::suggest("nl", commands) == "ln");
  CHECK(text::suggest("zzzz", commands).empty());
  CHECK(text::suggest(repeated("a", 100000), commands).empty());
}

TEST_CASE("limits are refused by name, and what lies on them is read") {
  CHECK(mistake("[1e1000, 1e-1000]").empty());
  CHECK(mistake("[1e1001]") == "input.exponent_limit");
  CHECK(mistake("[1e-1001]") == "input.exponent_limit");
  CHECK(mistake("[1e99999999999999999999]") == "input.exponent_limit");
  CHECK(mistake("[" + repeated("7", 1000) + "]").empty());
  CHECK(mistake("[" + repeated("7", 1001) + "]") == "input.long_literal");
  CHECK(mistake(repeated("[", 64) + "1" + repeated("]", 64)).empty());
  CHECK(mistake(repeated("[", 65) + "1" + repeated("]", 65)) == "input.too_deep");
  CHECK(mistake("[" + repeated("1 ", 1000001) + "]") == "input.too_many_numbers");
  CHECK(mistake(std::string((std::size_t{64} << 20) + 1, ' ')) == "input.too_long");
  CHECK(mistake("[" + repeated(";", 8000001)) == "input.too_many_pieces");
  // Different denominators: their product grows with every number.
  std::string fractions = "[1";
  for (int i = 0; i < 20000; ++i) fractions += ", 1/1" + std::to_string(100000 + i) + repeated("7", 60);
  CHECK(mistake(fractions + "]") == "input.common_denominator");
}

TEST_CASE("no text makes the reader slow or deep") {
  // Each would hang or overflow a reader that looks back or recurses.
  for (const char* const piece : {"[",
                                  "]",
                                  "(1,",
                                  "{\"a\":",
                                  "<",
                                  "\\begin{",
                                  "\"",
                                  "'",
                                  "\"\\",
                                  "-",
                                  "a=",
                                  "a:\n",
                                  "1:\n",
                                  "[1]\n",
                                  "x 1 y\n",
                                  "# 1\n",
                                  "$",
                                  "`",
                                  "\\vec{",
                                  "Columns 1 to 2 ",
                                  "(1,.,.) =\n",
                                  "1.0e+03 *\n",
                                  "\x1b[",
                                  "|",
                                  ";",
                                  "---\n",
                                  ">>> f(1)\n",
                                  "[1;2]\n",
                                  "a: 1\n\n",
                                  "| [1] |\n",
                                  "\"1\" ",
                                  "1;2,5\n",
                                  "running_mean=[1]\n"}) {
    INFO(piece);
    mistake(repeated(piece, 5000));
    mistake("[1]\n" + repeated(piece, 5000));
  }
  SUCCEED();
}
