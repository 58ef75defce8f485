#include "exact/integer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

namespace normtrace::exact {

namespace {
using Number = boost::multiprecision::cpp_int;

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}
}  // namespace

// Plain new honours the 16-byte alignment that cpp_int asks for.
struct Integer::Large {
  Number number;
};

// Access to both representations for the free functions of this file.
struct Arithmetic {
  static const Number* large(const Integer& n) { return n.large_ ? &n.large_->number : nullptr; }
  static Number widen(const Integer& n) { return n.large_ ? n.large_->number : Number(n.small_); }
  static Integer narrow(Number&& number) {
    if (number >= smallest && number <= largest) return Integer(number.convert_to<std::int64_t>());
    return Integer(Integer::Owned{new Integer::Large{std::move(number)}});
  }
  static Integer narrow(std::uint64_t value) {
    return value <= static_cast<std::uint64_t>(largest) ? Integer(static_cast<std::int64_t>(value))
                                                        : narrow(Number(value));
  }
};

Integer::Large* Integer::copy(const Large* large) { return new Large(*large); }
void Integer::destroy(Large* large) { delete large; }

Integer Integer::from_digits(std::string_view digits) {
  if (digits.empty()) throw std::invalid_argument("no digits");
  // Halving keeps the cost at that of a few multiplications of full length, so a long literal is not quadratic in
  // single digits.
  if (digits.size() > 18) {
    const std::size_t low = digits.size() / 2;
    return from_digits(digits.substr(0, digits.size() - low)) * power_of_ten(static_cast<unsigned>(low)) +
           from_digits(digits.substr(digits.size() - low));
  }
  std::int64_t value = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') throw std::invalid_argument("not a digit");
    value = value * 10 + (digit - '0');
  }
  return value;
}

Integer Integer::power_of_ten(unsigned exponent) { return power(10, exponent); }
Integer Integer::power_of_two(unsigned exponent) { return Integer(1) << exponent; }

bool Integer::is_odd() const {
  return large_ ? bit_test(large_->number < 0 ? Number(-large_->number) : large_->number, 0) : (small_ & 1) != 0;
}
int Integer::sign() const { return large_ ? large_->number.sign() : (small_ > 0) - (small_ < 0); }
std::size_t Integer::bits() const {
  if (!large_) return static_cast<std::size_t>(std::bit_width(magnitude(small_)));
  return static_cast<std::size_t>(msb(large_->number < 0 ? Number(-large_->number) : large_->number)) + 1;
}
std::string Integer::to_string() const { return large_ ? large_->number.str() : std::to_string(small_); }

Integer Integer::operator-() const {
  if (!large_ && small_ != smallest) return -small_;
  return Arithmetic::narrow(-Arithmetic::widen(*this));
}

Integer operator+(const Integer& x, const Integer& y) {
  std::int64_t sum = 0;
  if (!x.large_ && !y.large_ && !__builtin_add_overflow(x.small_, y.small_, &sum)) return sum;
  return Arithmetic::narrow(Number(Arithmetic::widen(x) + Arithmetic::widen(y)));
}
Integer operator-(const Integer& x, const Integer& y) {
  std::int64_t difference = 0;
  if (!x.large_ && !y.large_ && !__builtin_sub_overflow(x.small_, y.small_, &difference)) return difference;
  return Arithmetic::narrow(Number(Arithmetic::widen(x) - Arithmetic::widen(y)));
}
Integer operator*(const Integer& x, const Integer& y) {
  std::int64_t product = 0;
  if (!x.large_ && !y.large_ && !__builtin_mul_overflow(x.small_, y.small_, &product)) return product;
  if (x.large_ && y.large_) return Arithmetic::narrow(Number(x.large_->number * y.large_->number));
  if (x.large_) return Arithmetic::narrow(Number(x.large_->number * y.small_));
  if (y.large_) return Arithmetic::narrow(Number(y.large_->number * x.small_));
  return Arithmetic::narrow(Number(Number(x.small_) * y.small_));
}
Integer& Integer::operator+=(const Integer& other) { return *this = *this + other; }
Integer& Integer::operator-=(const Integer& other) { return *this = *this - other; }
Integer& Integer::operator*=(const Integer& other) { return *this = *this * other; }

Integer operator<<(const Integer& x, unsigned bits) {
  if (bits == 0 || x.is_zero()) return x;
  return Arithmetic::narrow(Number(Arithmetic::widen(x) << bits));
}
Integer operator>>(const Integer& x, unsigned bits) {
  if (x.sign() < 0) return -((-x) >> bits);
  if (!x.large_) return bits > 62 ? Integer(0) : Integer(x.small_ >> bits);
  return Arithmetic::narrow(Number(x.large_->number >> bits));
}

bool operator==(const Integer& x, const Integer& y) {
  if (!x.large_ && !y.large_) return x.small_ == y.small_;
  return x.large_ && y.large_ && x.large_->number == y.large_->number;
}
std::strong_ordering operator<=>(const Integer& x, const Integer& y) {
  if (!x.large_ && !y.large_) return x.small_ <=> y.small_;
  return Arithmetic::widen(x).compare(Arithmetic::widen(y)) <=> 0;
}

Integer floor_divide(const Integer& dividend, const Integer& divisor) {
  if (divisor.is_zero()) throw std::domain_error("division by zero");
  if (dividend.fits_int64() && divisor.fits_int64() && !(dividend.to_int64() == smallest && divisor.to_int64() == -1)) {
    const std::int64_t n = dividend.to_int64();
    const std::int64_t d = divisor.to_int64();
    return n / d - static_cast<std::int64_t>(n % d != 0 && (n < 0) != (d < 0));
  }
  Number quotient;
  Number remainder;
  boost::multiprecision::divide_qr(Arithmetic::widen(dividend), Arithmetic::widen(divisor), quotient, remainder);
  if (remainder != 0 && (remainder < 0) != (divisor.sign() < 0)) --quotient;
  return Arithmetic::narrow(std::move(quotient));
}

Integer exact_divide(const Integer& dividend, const Integer& divisor) {
  return divisor.is_one() ? dividend : floor_divide(dividend, divisor);
}

Integer floor_remainder(const Integer& dividend, const Integer& divisor) {
  return dividend - divisor * floor_divide(dividend, divisor);
}

Integer gcd(const Integer& x, const Integer& y) {
  const Number* const large_x = Arithmetic::large(x);
  const Number* const large_y = Arithmetic::large(y);
  if (large_x && large_y) return Arithmetic::narrow(Number(boost::multiprecision::gcd(*large_x, *large_y)));
  if (x.is_zero()) return abs(y);
  if (y.is_zero()) return abs(x);
  // One word is small: a single long division brings the other down to a word.
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  if (large_x || large_y) {
    const std::uint64_t word = magnitude(large_x ? y.to_int64() : x.to_int64());
    const Number remainder = (large_x ? *large_x : *large_y) % word;
    a = (remainder < 0 ? Number(-remainder) : remainder).convert_to<std::uint64_t>();
    b = word;
  } else {
    a = magnitude(x.to_int64());
    b = magnitude(y.to_int64());
  }
  if (a == 0) return Arithmetic::narrow(b);
  const int twos = std::countr_zero(a | b);
  a >>= std::countr_zero(a);
  while (b != 0) {
    b >>= std::countr_zero(b);
    if (a > b) std::swap(a, b);
    b -= a;
  }
  return Arithmetic::narrow(a << twos);
}

// Newton's iteration at doubling precision: the first half of the bits of the root from the first half of n, and so on,
// so the last step, one division of full length, dominates. Each step errs by less than one unit, upwards at the end.
Integer floor_sqrt(const Integer& n) {
  if (n.sign() < 0) throw std::domain_error("square root of a negative number");
  if (n.fits_int64()) {
    const auto value = static_cast<std::uint64_t>(n.to_int64());
    auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(value)));
    while (root * root > value) --root;
    while ((root + 1) * (root + 1) <= value) ++root;
    return static_cast<std::int64_t>(root);
  }
  const Number& number = *Arithmetic::large(n);
  const auto last = static_cast<unsigned>((msb(number)) / 2);
  Number root = 1;
  unsigned known = 0;
  for (int step = std::bit_width(last) - 1; step >= 0; --step) {
    const unsigned before = known;
    known = last >> step;
    const Number quotient = Number(number >> (2 * last - before - known + 1)) / root;
    root = Number(root << (known - before - 1)) + quotient;
  }
  if (root * root > number) --root;
  return Arithmetic::narrow(std::move(root));
}

bool perfect_square(const Integer& n, Integer& root) {
  root = floor_sqrt(n);
  return root * root == n;
}

namespace {

// The primes below 2^16, made by the compiler: nothing to do when the program starts.
constexpr std::size_t prime_bound = 1U << 16;
constexpr std::size_t prime_count = 6542;

consteval std::array<std::uint16_t, prime_count> sieve() {
  // Odd numbers alone, 2i + 1 at i: compilers bound the steps of such a computation.
  std::array<bool, prime_bound / 2> composite{};
  std::array<std::uint16_t, prime_count> primes{2};
  std::size_t found = 1;
  for (std::size_t p = 3; p < prime_bound; p += 2) {
    if (composite[p / 2]) continue;
    primes[found++] = static_cast<std::uint16_t>(p);
    for (std::size_t multiple = p * p; multiple < prime_bound; multiple += 2 * p) composite[multiple / 2] = true;
  }
  return primes;
}
constexpr std::array<std::uint16_t, prime_count> primes = sieve();

void divide_out_squares(Integer& rest, Integer& root, std::uint64_t divisor) {
  const Integer square = static_cast<std::int64_t>(divisor * divisor);
  for (Integer quotient = floor_divide(rest, square); quotient * square == rest;
       quotient = floor_divide(rest, square)) {
    rest = std::move(quotient);
    root *= static_cast<std::int64_t>(divisor);
  }
}

std::uint64_t remainder(const Integer& n, std::uint64_t word) {
  const Number* const large = Arithmetic::large(n);
  return large ? static_cast<std::uint64_t>(*large % word) : static_cast<std::uint64_t>(n.to_int64()) % word;
}

}  // namespace

SquareFactor pull_square(const Integer& n) {
  Integer root = 1;
  Integer rest = n;
  // What is left once the primes so far are divided out; p can only square-divide it while p³ ≤ unfactored, or all of
  // it is p².
  Integer unfactored = n;
  for (std::size_t i = 0; i < prime_count; i += 4) {
    const std::uint64_t first = primes[i];
    if (unfactored.fits_int64() && first * first * first > static_cast<std::uint64_t>(unfactored.to_int64())) break;
    // Four of them have a product of one word: one long remainder serves them all.
    const std::span<const std::uint16_t> four = std::span(primes).subspan(i, std::min<std::size_t>(4, prime_count - i));
    std::uint64_t product = 1;
    for (const std::uint64_t p : four) product *= p;
    const std::uint64_t residue = remainder(unfactored, product);
    for (const std::uint64_t p : four) {
      if (residue % p != 0) continue;
      divide_out_squares(rest, root, p);
      while (remainder(unfactored, p) == 0) unfactored = exact_divide(unfactored, static_cast<std::int64_t>(p));
    }
  }
  Integer last;
  if (!unfactored.is_one() && perfect_square(unfactored, last)) {
    root *= last;
    rest = exact_divide(rest, unfactored);
  }
  return {std::move(root), std::move(rest)};
}

Integer abs(const Integer& n) { return n.sign() < 0 ? -n : n; }

Integer power(const Integer& base, unsigned exponent) {
  Integer result = 1;
  Integer square = base;
  for (unsigned left = exponent; left != 0; left >>= 1) {
    if ((left & 1) != 0) result *= square;
    if (left > 1) square *= square;
  }
  return result;
}

}  // namespace normtrace::exact
