#include <cstdint>
#include <limits>

#include "catch.h"
#include "exact/integer.h"
#include "exact/rational.h"

using namespace normtrace::exact;

TEST_CASE("digits are read as decimal digits, leading zeros included") {
  CHECK(Integer::from_digits("010") == Integer(10));
  CHECK(Integer::from_digits("123456789012345678901234567890").to_string() == "123456789012345678901234567890");
  CHECK_THROWS(Integer::from_digits(""));
  CHECK_THROWS(Integer::from_digits("1e3"));
}

TEST_CASE("arithmetic crosses the border of 64 bits both ways") {
  const Integer top = std::numeric_limits<std::int64_t>::max();
  const Integer bottom = std::numeric_limits<std::int64_t>::min();
  CHECK((top + 1).to_string() == "9223372036854775808");
  CHECK((top + 1) - 1 == top);
  CHECK(((top + 1) - 1).fits_int64());
  CHECK((-bottom).to_string() == "9223372036854775808");
  CHECK((bottom * bottom).to_string() == "85070591730234615865843651857942052864");
  CHECK(floor_divide(bottom, -1).to_string() == "9223372036854775808");
  CHECK(gcd(bottom, bottom).to_string() == "9223372036854775808");
  CHECK(gcd(bottom * 3, Integer(6)) == Integer(6));
}

TEST_CASE("division rounds down, shifts act on the magnitude") {
  CHECK(floor_divide(-7, 2) == Integer(-4));
  CHECK(floor_divide(7, -2) == Integer(-4));
  CHECK(floor_divide(-8, 2) == Integer(-4));
  CHECK(floor_remainder(-7, 2) == Integer(1));
  const Integer big = power(10, 30);
  CHECK(floor_divide(-big - 1, big) == Integer(-2));
  CHECK((Integer(-5) >> 1) == Integer(-2));
  CHECK_THROWS_AS(floor_divide(1, 0), std::domain_error);
}

TEST_CASE("square roots are floors, and perfect squares are known") {
  Integer root;
  CHECK(floor_sqrt(Integer(99)) == Integer(9));
  CHECK(perfect_square(power(10, 40), root));
  CHECK(root == power(10, 20));
  CHECK_FALSE(perfect_square(power(10, 40) + 1, root));
  for (unsigned digits = 1; digits < 400; digits += 7) {
    const Integer n = power(10, digits) + 7;
    CHECK(floor_sqrt(n * n) == n);
    CHECK(floor_sqrt(n * n - 1) == n - 1);
    CHECK(floor_sqrt(n * n + 2 * n) == n);
  }
}

TEST_CASE("fractions are kept in lowest terms with a positive denominator") {
  CHECK(Rational(6, -4).to_string() == "-3/2");
  CHECK((Rational(1, 3) + Rational(1, 6)).to_string() == "1/2");
  CHECK((Rational(1, 3) * Rational(3, 2) / Rational(-1, 4)).to_string() == "-2");
  CHECK(Rational(1, 3) < Rational(1, 2));
  CHECK(Rational(-7, 2) < Rational(-3));
  CHECK(floor(Rational(-7, 2)) == Integer(-4));
  CHECK_THROWS_AS(Rational(1, 0), std::domain_error);
  CHECK_THROWS_AS(Rational(1) / Rational(0), std::domain_error);
}
