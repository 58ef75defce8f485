#include <cstdint>
#include <limits>
#include <random>
#include <utility>

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

namespace {

Integer by_euclid(Integer x, Integer y) {
  while (!y.is_zero()) x = std::exchange(y, floor_remainder(x, y));
  return abs(x);
}

Integer random_integer(std::mt19937_64& random, unsigned bits) {
  Integer result = 0;
  for (unsigned made = 0; made < bits; made += 32) result = (result << 32) + static_cast<std::int64_t>(random() >> 32);
  return result >> (result.bits() > bits ? static_cast<unsigned>(result.bits()) - bits : 0);
}

}  // namespace

TEST_CASE("the gcd of long numbers is Euclid's, whatever their lengths and quotients") {
  std::mt19937_64 random(12);
  for (int round = 0; round < 300; ++round) {
    const auto bits = [&] { return static_cast<unsigned>(random() % 1500); };
    const Integer common = random_integer(random, bits()) + 1;
    const Integer x = random_integer(random, bits()) * common;
    const Integer y = random_integer(random, bits()) * common;
    const Integer expected = by_euclid(x, y);
    CAPTURE(x.to_string(), y.to_string());
    CHECK(gcd(x, y) == expected);
    CHECK(gcd(-y, x) == expected);
    CHECK(gcd(x, x) == abs(x));
  }
  // Quotients of 1 alone, and one that is longer than a word.
  Integer smaller = 1;
  Integer larger = 1;
  for (int i = 0; i < 2000; ++i) smaller = std::exchange(larger, larger + smaller);
  CHECK(gcd(larger, smaller) == Integer(1));
  CHECK(gcd(larger * power(7, 100), smaller * power(7, 90)) == power(7, 90));
  CHECK(gcd(power(10, 600), power(6, 300)) == power(2, 300));
  CHECK(gcd(power(2, 64), power(2, 127) - power(2, 63)) == power(2, 63));
  // What is left is one word that a signed word cannot hold.
  CHECK(gcd((power(2, 64) - 59) * power(3, 200), (power(2, 64) - 59) * power(5, 100)) == power(2, 64) - 59);
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
