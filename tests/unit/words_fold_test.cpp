#include "catch.h"
#include "render/table.h"
#include "words/fold.h"

using normtrace::words::fold;

TEST_CASE("lines break at blanks and hang two columns further in") {
  CHECK(fold("one two three", 0) == "one two three");
  CHECK(fold("one two three", 13) == "one two three");
  CHECK(fold("one two three", 12) == "one two\n  three");
  CHECK(fold("  one two\nthree four\n", 7) == "  one\n   two\nthree\n  four\n");
  CHECK(fold("  [1, 2, 3, 4]", 9) == "  [1, 2,\n    3, 4]");
  // A word that is longer than the line stays whole.
  CHECK(fold("a 123456789 b", 6) == "a\n  123456789\n  b");
  CHECK(fold("\n\n  x\n", 4) == "\n\n  x\n");
}

TEST_CASE("a line of two things hangs under the second") {
  CHECK(fold("  --eps E   what is added to the variance", 24) ==
        "  --eps E   what is\n            added to the\n            variance");
  CHECK(fold("  --eps-place P        where it is added", 24) == "  --eps-place P\n    where it is added");
}

TEST_CASE("wide characters are parted, but not from the marks that close or open") {
  CHECK(fold("均值和方差，标准差", 10) == "均值和方\n  差，标准\n  差");
  CHECK(fold("均值和方差，标准差", 12) == "均值和方差，\n  标准差");
  CHECK(fold("均值（方差）", 8) == "均值（方\n  差）");
}

TEST_CASE("a relation is not parted from what follows") {
  CHECK(fold("mean = (1+2)/2 = 1.5", 16) == "mean = (1+2)/2\n  = 1.5");
  CHECK(fold("均值 ≈ 1.234 方差", 12) == "均值 ≈ 1.234\n  方差");
}

TEST_CASE("colours take no column") { CHECK(fold("\x1b[1mone\x1b[0m two", 7) == "\x1b[1mone\x1b[0m two"); }

TEST_CASE("columns that do not fit follow behind the first column") {
  const normtrace::render::Table table = {{"", "ln", "rms", "bn"}, {"猫", "1.000", "2.000", "3.000"}};
  CHECK(normtrace::render::aligned(table, "  ", 0) == "      ln     rms    bn\n  猫  1.000  2.000  3.000\n");
  CHECK(normtrace::render::aligned(table, "  ", 25) == normtrace::render::aligned(table, "  ", 0));
  CHECK(normtrace::render::aligned(table, "  ", 24) ==
        "      ln     rms\n  猫  1.000  2.000\n\n      bn\n  猫  3.000\n");
  CHECK(normtrace::render::aligned(table, "  ", 5) ==
        "      ln\n  猫  1.000\n\n      rms\n  猫  2.000\n\n      bn\n  猫  3.000\n");
}
