#include "exact/decimal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace normtrace::exact {

namespace {

// From 10^15 on a value is written with a power of ten.
constexpr unsigned scientific_from = 15;

// 2·10^places, what half-away rounding scales by; the few that one run uses are kept.
const Rational& doubled_power_of_ten(unsigned places) {
  static const std::vector<Rational> powers = [] {
    std::vector<Rational> result;
    for (unsigned i = 0; i <= 64; ++i) result.emplace_back(Integer::power_of_ten(i) * 2);
    return result;
  }();
  static thread_local Rational other;
  if (places < powers.size()) return powers[places];
  return other = Rational(Integer::power_of_ten(places) * 2);
}

struct Factors {
  unsigned twos = 0;
  unsigned fives = 0;
  bool others = false;
};

Factors factors_of_ten(Integer n) {
  Factors result;
  while (!n.is_odd()) {
    n = n >> 1;
    ++result.twos;
  }
  // Dividing by 5^(2^k) first keeps a denominator of a thousand fives from costing a thousand divisions.
  for (auto k = static_cast<unsigned>(std::bit_width(n.bits() / 2)); k-- > 0;) {
    const Integer power_of_five = power(5, 1U << k);
    for (Integer quotient = floor_divide(n, power_of_five); quotient * power_of_five == n;
         quotient = floor_divide(n, power_of_five)) {
      n = std::move(quotient);
      result.fives += 1U << k;
    }
  }
  result.others = !n.is_one();
  return result;
}

// Decimals that the expansion of x needs; none if it does not end.
std::optional<unsigned> decimals_needed(const Rational& x) {
  if (x.is_whole()) return 0;
  const Factors factors = factors_of_ten(x.denominator());
  if (factors.others) return std::nullopt;
  return std::max(factors.twos, factors.fives);
}

std::string with_point(const Integer& scaled, unsigned places, bool negative) {
  std::string digits = scaled.to_string();
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places != 0) digits.insert(digits.size() - places, 1, '.');
  if (negative && !scaled.is_zero()) digits.insert(0, 1, '-');
  return digits;
}

std::string shortest(const Rational& x, unsigned decimals) {
  return with_point(abs(x * power_of_ten(static_cast<int>(decimals))).numerator(), decimals, x.sign() < 0);
}

std::string power_text(int exponent, PowerOfTen style) {
  const std::string digits = std::to_string(exponent);
  if (style == PowerOfTen::e_notation) return "e" + digits;
  static constexpr std::array<std::string_view, 10> raised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "×10";
  for (const char c : digits) text += c == '-' ? std::string_view("⁻") : raised[static_cast<std::size_t>(c - '0')];
  return text;
}

// The e with 10^e ≤ |x| < 10^(e+1). Requires x ≠ 0.
int decimal_exponent(const Value& magnitude) {
  int shift = 0;
  if (!magnitude.surd()) {
    // A recipe such as exp(-1000000) can be as small as it likes: the first guess comes from its power of two.
    constexpr std::int64_t farthest = 1 << 20;
    const std::int64_t exponent = to_real(magnitude).magnitude();
    if (std::abs(exponent) > farthest) throw Unproved("a number beyond 2^±1048576 is not printed");
    if (exponent < 0) shift = static_cast<int>(-exponent * 30103 / 100000) + 2;
  }
  for (;; shift = shift == 0 ? 16 : 4 * shift) {
    const Integer scaled = floor_times(magnitude, power_of_ten(shift));
    if (!scaled.is_zero()) return static_cast<int>(scaled.to_string().size()) - 1 - shift;
  }
}

Value scaled_by_power_of_ten(const Value& x, int exponent) { return x * Value(power_of_ten(exponent)); }

Decimal scientific(const Value& x, unsigned places, PowerOfTen style) {
  int exponent = decimal_exponent(abs(x));
  Value mantissa = scaled_by_power_of_ten(x, -exponent);
  if (mantissa.rational() && fits(*mantissa.rational(), places))
    return {shortest(*mantissa.rational(), *decimals_needed(*mantissa.rational())) + power_text(exponent, style),
            false};
  Integer digits = rounded_scaled(mantissa, places);
  if (digits == Integer::power_of_ten(places + 1)) {  // 9.9996 became 10.000
    ++exponent;
    digits = Integer::power_of_ten(places);
  }
  return {with_point(digits, places, x.sign() < 0) + power_text(exponent, style), true};
}

}  // namespace

bool fits(const Rational& x, unsigned places) {
  if (x.is_whole()) return true;
  // A denominator of `places` decimals divides 10^places.
  return x.denominator().bits() <= 4 * std::size_t{places} + 1 &&
         floor_remainder(Integer::power_of_ten(places), x.denominator()).is_zero();
}

bool has_finite_decimal(const Rational& x) { return decimals_needed(x).has_value(); }

Integer rounded_scaled(const Value& x, unsigned places) {
  return (floor_times(abs(x), doubled_power_of_ten(places)) + 1) >> 1;
}

namespace {

// |x| ≥ 10^15, given |x|·10^places rounded. Most numbers are told by their length alone; rounding can reach 10^15 from
// below, and only then is the value itself asked.
bool reaches_scientific(const Value& x, const Integer& scaled, unsigned places) {
  if (scaled.bits() < 3 * std::size_t{scientific_from + places}) return false;
  return scaled >= Integer::power_of_ten(scientific_from + places) &&
         floor_times(abs(x), 1) >= Integer::power_of_ten(scientific_from);
}

}  // namespace

Decimal to_decimal(const Value& x, unsigned places, PowerOfTen style) {
  if (x.is_zero()) return {"0", false};
  const Integer scaled = rounded_scaled(x, places);
  if (scaled.is_zero() || reaches_scientific(x, scaled, places)) return scientific(x, places, style);
  if (x.rational() && fits(*x.rational(), places))
    return {shortest(*x.rational(), *decimals_needed(*x.rational())), false};
  return {with_point(scaled, places, x.sign() < 0), true};
}

Decimal to_significant(const Value& x, unsigned digits, PowerOfTen style) {
  constexpr int smallest_plain = -4;  // 0.00012 is still easier to read than 1.2×10⁻⁴
  if (x.is_zero()) return {"0", false};
  const int exponent = decimal_exponent(abs(x));
  const int places = static_cast<int>(digits) - 1 - exponent;
  if (exponent < smallest_plain || exponent >= static_cast<int>(scientific_from))
    return scientific(x, digits - 1, style);
  return to_decimal(x, static_cast<unsigned>(std::max(places, 0)), style);
}

std::string to_fixed(const Value& x, unsigned places) {
  return with_point(rounded_scaled(x, places), places, x.sign() < 0);
}

std::string to_exact_text(const Rational& x, unsigned places, PowerOfTen style) {
  const auto decimals = decimals_needed(x);
  if (!decimals) return x.to_string();
  const bool zeros_only = !x.is_zero() && *decimals > places && rounded_scaled(x, places).is_zero();
  if (!zeros_only && abs(x) < power_of_ten(scientific_from)) return shortest(x, *decimals);
  const int exponent = decimal_exponent(abs(Value(x)));
  const Rational mantissa = x * power_of_ten(-exponent);
  return shortest(mantissa, *decimals_needed(mantissa)) + power_text(exponent, style);
}

std::optional<double> nearest_double(const Value& x) {
  if (x.is_zero()) return 0.0;
  const Value magnitude = abs(x);
  constexpr int mantissa_bits = std::numeric_limits<double>::digits;                   // 53
  constexpr int smallest = std::numeric_limits<double>::min_exponent - mantissa_bits;  // the last bit is worth 2^-1074
  // Doubles are whole multiples of 2^last; the first guess takes the number's own size into account, the loop mends it.
  const auto bits_at = [&](int shift) {
    return floor_times(magnitude, Rational(Integer::power_of_two(static_cast<unsigned>(shift))));
  };
  int shift = 64;
  Integer scaled = bits_at(shift);
  while (static_cast<int>(scaled.bits()) < mantissa_bits + 2 && shift < -smallest + 2) {
    shift = std::min(shift + std::max(mantissa_bits + 2 - static_cast<int>(scaled.bits()), 64), -smallest + 2);
    scaled = bits_at(shift);
  }
  int drop = static_cast<int>(scaled.bits()) - mantissa_bits;  // bits below the mantissa
  drop = std::max(drop, shift + smallest);  // positive: two bits more than a double holds were asked for
  const Integer kept = scaled >> static_cast<unsigned>(drop);
  const Integer rest = scaled - (kept << static_cast<unsigned>(drop));
  const bool truncated =
      !x.rational() || !floor_remainder(magnitude.rational()->numerator() << static_cast<unsigned>(shift),
                                        magnitude.rational()->denominator())
                            .is_zero();
  const Integer half = Integer::power_of_two(static_cast<unsigned>(drop - 1));
  const bool up = rest > half || (rest == half && (truncated || kept.is_odd()));
  const Integer mantissa = up ? kept + 1 : kept;
  const double value = std::ldexp(static_cast<double>(mantissa.to_int64()), drop - shift);
  if (std::isinf(value)) return std::nullopt;
  return x.sign() < 0 && value != 0 ? -value : value;
}

std::string to_expression(const Surd& x) {
  if (x.is_rational()) return x.rational_part().to_string();
  const std::string root = "sqrt(" + x.radicand().to_string() + ")";
  const Rational size = abs(x.coefficient());
  const std::string term = size.is_one() ? root : size.to_string() + "*" + root;
  const bool negative = x.coefficient().sign() < 0;
  if (x.rational_part().is_zero()) return (negative ? "-" : "") + term;
  return x.rational_part().to_string() + (negative ? "-" : "+") + term;
}

namespace {

// Reads the grammar of to_expression from the front of what is left.
class ExpressionReader {
 public:
  explicit ExpressionReader(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::optional<Integer> whole() {
    const std::size_t end = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (end == 0 || (end > 1 && rest_[0] == '0')) return std::nullopt;
    const Integer value = Integer::from_digits(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return value;
  }
  std::optional<Rational> ratio() {
    const auto numerator = whole();
    if (!numerator) return std::nullopt;
    if (!take("/")) return Rational(*numerator);
    const auto denominator = whole();
    if (!denominator || *denominator < 2 || !gcd(*numerator, *denominator).is_one()) return std::nullopt;
    return Rational(*numerator, *denominator);
  }
  std::optional<Surd> root() {
    if (!take("sqrt(")) return std::nullopt;
    const auto radicand = whole();
    if (!radicand || radicand->is_zero() || !take(")")) return std::nullopt;
    return Surd::root(Rational(*radicand));
  }
  // `sqrt(C)` or `R*sqrt(C)`, without a sign.
  std::optional<Surd> term() {
    if (rest_.starts_with("s")) return root();
    const auto factor = ratio();
    if (!factor || !take("*")) return std::nullopt;
    const auto tail = root();
    if (!tail) return std::nullopt;
    return Surd(*factor) * *tail;
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::optional<Surd> parse_expression(std::string_view text) {
  ExpressionReader reader(text);
  const bool negative = reader.take("-");
  ExpressionReader as_term = reader;
  if (const auto term = as_term.term(); term && as_term.at_end()) return negative ? -*term : *term;
  const auto ratio = reader.ratio();
  if (!ratio || (negative && ratio->is_zero())) return std::nullopt;
  const Surd first = negative ? -*ratio : *ratio;
  if (reader.at_end()) return first;
  const bool minus = reader.take("-");
  if (!minus && !reader.take("+")) return std::nullopt;
  const auto term = reader.term();
  if (!term || !reader.at_end()) return std::nullopt;
  return minus ? first - *term : first + *term;
}

}  // namespace normtrace::exact
