#include "catch.h"
#include "words/width.h"

using normtrace::words::Align;
using normtrace::words::display_width;
using normtrace::words::pad;

TEST_CASE("display width counts what a terminal shows") {
  CHECK(display_width("cat") == 3);
  CHECK(display_width("猫") == 2);
  CHECK(display_width("ねこ한국") == 8);
  CHECK(display_width("ﾈｺ") == 2);                  // half-width katakana
  CHECK(display_width("（，：") == 6);              // full-width punctuation
  CHECK(display_width("γ β μ σ ε ² √ ≈ …") == 17);  // ambiguous: one column each
  CHECK(display_width("e\u0301") == 1);
  CHECK(display_width("\u200B\uFEFF") == 0);
  CHECK(display_width("🐱") == 2);
  CHECK(display_width("👨\u200D👩\u200D👧") == 2);
  CHECK(display_width("แมว") == 3);
  CHECK(display_width("\x1b\x07") == 0);
  CHECK(display_width("\xff\xfe") == 2);  // no UTF-8: one column a byte
}

TEST_CASE("padding and cutting go by display width") {
  CHECK(pad("猫", 4) == "猫  ");
  CHECK(pad("猫", 4, Align::right) == "  猫");
  CHECK(pad("猫猫猫", 4) == "猫猫猫");
  CHECK(normtrace::words::truncate("猫猫猫", 6) == "猫猫猫");
  CHECK(normtrace::words::truncate("猫猫猫", 5) == "猫猫…");
  CHECK(normtrace::words::truncate("猫猫猫", 4) == "猫…");
  CHECK(normtrace::words::truncate("cat", 1) == "…");
  CHECK(normtrace::words::truncate("cat", 0).empty());
}
