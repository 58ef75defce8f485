#include <functional>
#include <string>
#include <vector>

#include "catch.h"
#include "exact/real.h"

using namespace normtrace::exact;

namespace {

Real fraction(std::int64_t numerator, std::int64_t denominator = 1) {
  return Real::rational(Rational(numerator, denominator));
}
Real ten_to(int exponent) { return Real::rational(power_of_ten(exponent)); }
Real root(std::int64_t n) { return sqrt(fraction(n)); }

// The second of the softmax of `scores`.
template <class... Reals>
Real softmax_second(const Reals&... scores) {
  const std::vector<Real> exponentials{exp(scores)...};
  return exponentials[1] / sum(exponentials);
}

Real roots_added(bool alternating) {
  std::vector<Real> roots;
  for (std::int64_t i = 1; i <= 10000; ++i) roots.push_back(alternating && i % 2 == 1 ? -root(i) : root(i));
  return sum(roots);
}

struct Known {
  std::string what;
  std::function<Real()> recipe;
  int places;          // the number is floored to this many decimals, …
  std::string digits;  // … and these are the digits, from Python's decimal at 150 digits or more
};

}  // namespace

TEST_CASE("recipes are enclosed to sixty digits and more") {
  const std::vector<Known> table = {
      {"√2", [] { return root(2); }, 60, "1414213562373095048801688724209698078569671875376948073176679"},
      {"-√2", [] { return -root(2); }, 60, "-1414213562373095048801688724209698078569671875376948073176680"},
      {"√2+√3-√5", [] { return root(2) + root(3) - root(5); }, 60,
       "910196392442182645919961396984294210071858769575802976961589"},
      {"√(3+√7.5)", [] { return sqrt(fraction(3) + sqrt(fraction(15, 2))); }, 60,
       "2395540186998713358734575730696824410484981026529414929939793"},
      {"√2-665857/470832", [] { return root(2) - fraction(665857, 470832); }, 70,
       "-15948618246068546804368315468877467387959714082252812093219"},
      {"e", [] { return exp(fraction(1)); }, 60, "2718281828459045235360287471352662497757247093699959574966967"},
      {"exp(-1/3)", [] { return exp(fraction(-1, 3)); }, 60,
       "716531310573789250425604096925379667453112059821479157140870"},
      {"exp(10000)", [] { return exp(fraction(10000)); }, -4300, "8806818225662921587261496007644561003520004"},
      {"exp(-10000)", [] { return exp(fraction(-10000)); }, 4400,
       "1135483865314736098540938875066248401957431610090318842671"},
      {"exp(1e-30)", [] { return exp(ten_to(-30)); }, 90,
       "1000000000000000000000000000001000000000000000000000000000000500000000000000000000000000000"},
      {"ln 2", [] { return log(fraction(2)); }, 60, "693147180559945309417232121458176568075500134360255254120680"},
      {"ln 1/1000", [] { return log(fraction(1, 1000)); }, 60,
       "-6907755278982137052053974364053092622803304465886318928099984"},
      {"ln 1.0000001", [] { return log(fraction(10000001, 10000000)); }, 70,
       "999999950000003333333083333353333331666666809523797023810634920"},
      {"ln 1e1000", [] { return log(ten_to(1000)); }, 60,
       "2302585092994045684017991454684364207601101488628772976033327900"},
      {"sigmoid(√5/2)", [] { return fraction(1) / (fraction(1) + exp(-(root(5) / fraction(2)))); }, 60,
       "753623859477355933828672141399072392653493817285856844199426"},
      {"softmax of 1 2 3 4", [] { return softmax_second(fraction(1), fraction(2), fraction(3), fraction(4)); }, 60,
       "87144318742032567489459388566257320356502498786029627498446"},
      {"softmax of roots", [] { return softmax_second(root(2), root(3), root(5)); }, 60,
       "295588722214455021322658657847468403102459237795855747177756"},
      {"softmax of far scores", [] { return softmax_second(fraction(10000), fraction(-10000)); }, 8750,
       "12893236083900937483516310809027233188917319138166299482966023950"},
      {"(√2+1/3)^101", [] { return power(root(2) + fraction(1, 3), 101); }, 40,
       "30571217346381017060405866506808626704609482630585041907915614691"},
      {"1.0001^100000", [] { return power(fraction(10001, 10000), 100000); }, 50,
       "2201545604855219864570145658165871552059764182711541172"},
      {"geometric mean of 1 2 3 4",
       [] {
         return exp(sum(std::vector{log(fraction(1)), log(fraction(2)), log(fraction(3)), log(fraction(4))}) /
                    fraction(4));
       },
       60, "2213363839400643184817580546880663297107836365059818951033640"},
      {"√1e1001", [] { return sqrt(ten_to(1001)); }, -440,
       "3162277660168379331998893544432718533719555139325216826857504"},
      {"√1e-1001", [] { return sqrt(ten_to(-1001)); }, 560,
       "316227766016837933199889354443271853371955513932521682685750"},
      {"1e1000+√2-1e1000", [] { return ten_to(1000) + root(2) - ten_to(1000); }, 30, "1414213562373095048801688724209"},
      // 5·10^59 − 1.25·10^−941: a whole number but for the thousandth digit after the point.
      {"√(1+1e-1000)-1", [] { return sqrt(fraction(1) + ten_to(-1000)) - fraction(1); }, 1060,
       "4" + std::string(59, '9')},
      {"Σ√i", [] { return roots_added(false); }, 60,
       "666716459197108355926683982801781546723755507691090396694783665713"},
      {"Σ±√i", [] { return roots_added(true); }, 60, "49621145187389534733229293780776988032603088628092436853789536"},
  };
  for (const Known& known : table) {
    INFO(known.what);
    CHECK(known.recipe().floor_times(power_of_ten(known.places)).to_string() == known.digits);
  }
}

TEST_CASE("the same digits come whatever was asked before") {
  const Real x = root(2) * exp(root(3));
  const std::string short_form = x.floor_times(1000).to_string();
  const std::string long_form = x.floor_times(power_of_ten(300)).to_string();
  CHECK(long_form.substr(0, short_form.size()) == short_form);
  CHECK(x.floor_times(1000).to_string() == short_form);
  CHECK((root(2) * exp(root(3))).floor_times(power_of_ten(300)).to_string() == long_form);
}

TEST_CASE("fractions stay fractions") {
  const auto is = [](const Real& x, const Rational& value) { return x.as_rational() && *x.as_rational() == value; };
  CHECK(is(fraction(1, 3) + fraction(1, 6), Rational(1, 2)));
  CHECK(is(fraction(1, 3) - fraction(1, 3), 0));
  CHECK(is(fraction(2, 3) / fraction(-4, 3), Rational(-1, 2)));
  CHECK(is(fraction(0) * root(2), 0));
  CHECK(is(sqrt(fraction(9, 4)), Rational(3, 2)));
  CHECK(is(exp(fraction(0)), 1));
  CHECK(is(log(fraction(1)), 0));
  CHECK(is(power(fraction(-2, 3), 3), Rational(-8, 27)));
  CHECK(is(power(root(7), 2), 7));
  const Real x = root(3) + root(5);
  CHECK(is(x - x, 0));
  CHECK(is(power(x, 0), 1));
  CHECK(is(sum(std::vector{fraction(1, 2), fraction(1, 3)}), Rational(5, 6)));
  CHECK(is(sum(std::vector<Real>{}), 0));
  CHECK(root(2).as_rational() == nullptr);
}

TEST_CASE("signs are proved") {
  CHECK((root(2) + root(3) - root(10)).sign() == -1);
  CHECK((root(2) - fraction(665857, 470832)).sign() == -1);
  CHECK((root(2) - fraction(470832, 332929)).sign() == 1);
  CHECK(exp(fraction(-100000)).sign() == 1);
  CHECK(fraction(0).sign() == 0);
  const Real difference = root(2) - root(3);
  CHECK((difference * difference).sign() == 1);
  CHECK((-difference).sign() == 1);
  CHECK((-(-difference)).sign() == -1);
}

TEST_CASE("what no precision decides is not answered") {
  CHECK_THROWS_AS((root(2) * root(8)).floor_times(1), Unproved);
  CHECK_THROWS_AS((root(2) * root(8) - fraction(4)).sign(), Unproved);
  CHECK((root(2) * root(8)).floor_times(Rational(3, 8)) == Integer(1));
  const Real zero = root(2) * root(8) - fraction(4);
  CHECK_THROWS_AS((fraction(1) / zero).sign(), Unproved);
  CHECK_THROWS_AS(zero.magnitude(), Unproved);
  CHECK_THROWS_AS(log(zero).sign(), Unproved);
  CHECK(sqrt(zero).floor_times(1) == Integer(0));  // ⌊√0⌋ needs no proof that it is 0: a root is not negative
}

TEST_CASE("what is out of reach is refused at once") {
  CHECK_THROWS_AS(exp(ten_to(300)).sign(), Unproved);
  CHECK_THROWS_AS(exp(fraction(1000000)).floor_times(1), Unproved);
  CHECK(exp(fraction(-1000000000)).floor_times(power_of_ten(50)) == Integer(0));
  CHECK((-exp(fraction(-1000000000))).floor_times(power_of_ten(50)) == Integer(-1));
  Real tower = exp(fraction(1000000));
  for (int i = 0; i < 10; ++i) tower = power(tower, 1000);
  CHECK_THROWS_AS(tower.sign(), Unproved);
}

TEST_CASE("what is not defined is an error") {
  CHECK_THROWS_AS(fraction(1) / fraction(0), std::domain_error);
  CHECK_THROWS_AS(sqrt(fraction(-1)), std::domain_error);
  CHECK_THROWS_AS(sqrt(root(2) - root(3)).sign(), std::domain_error);
  CHECK_THROWS_AS(log(fraction(0)), std::domain_error);
  CHECK_THROWS_AS(log(root(2) - root(3)).sign(), std::domain_error);
  CHECK_THROWS_AS(fraction(0).magnitude(), std::domain_error);
}

TEST_CASE("the magnitude brackets the number") {
  const std::vector<Real> numbers = {root(2),           -root(2),           root(3) / fraction(1000), fraction(1),
                                     exp(fraction(50)), exp(fraction(-50)), ten_to(200) * root(7),    fraction(-5, 3)};
  for (const Real& x : numbers) {
    const std::int64_t e = x.magnitude();
    const Real size = x.sign() < 0 ? -x : x;
    const auto two_to = [](std::int64_t n) {
      const Integer p = Integer::power_of_two(static_cast<unsigned>(n < 0 ? -n : n));
      return Real::rational(n < 0 ? Rational(1, p) : Rational(p));
    };
    CHECK((size - two_to(e)).sign() <= 0);
    CHECK((size - two_to(e - 2)).sign() >= 0);
  }
  CHECK(exp(fraction(-10000)).magnitude() == -14426);  // log2 is −14426.95
}

TEST_CASE("a recipe may be a fifty thousand operations deep") {
  Real chain = root(2);
  for (int i = 0; i < 50000; ++i) chain = chain + root(2);
  CHECK(chain.floor_times(1).to_string() == "70712");  // 50001·√2 = 70712.09…
}

TEST_CASE("shared parts are computed once") {
  // 2^200 paths lead down to the root.
  Real doubled = root(2);
  for (int i = 0; i < 200; ++i) doubled = doubled + doubled;
  CHECK(doubled.magnitude() == 201);
}

TEST_CASE("the same recipe proves equality, and opposite signs that one is minus the other", "[real]") {
  const auto root = [](std::int64_t x) { return sqrt(Real::rational(x)); };
  const Real x = Real::rational(2) * root(2) + root(3);
  CHECK(same_recipe(x, Real::rational(2) * root(2) + root(3)) == 1);
  CHECK(same_recipe(x, Real::rational(-2) * root(2) + -root(3)) == -1);
  CHECK(same_recipe(x, -x) == -1);
  CHECK(same_recipe(x, Real::rational(2) * root(2) + -root(3)) == 0);
  CHECK(same_recipe(x, Real::rational(2) * root(2) + root(5)) == 0);
  CHECK(same_recipe(exp(root(2)), exp(root(2))) == 1);
  CHECK(same_recipe(exp(root(2)), exp(-root(2))) == 0);
  CHECK(same_recipe(power(-x, 2), power(x, 2)) == 0);  // equal, but not for the reason that it looks for
}
