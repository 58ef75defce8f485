#include "exact/integer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

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

namespace {

// |n| mod word. Requires word ≠ 0.
std::uint64_t remainder(const Number& n, std::uint64_t word) {
  const Number result = n % word;
  return static_cast<std::uint64_t>(result < 0 ? Number(-result) : result);
}

// Absolute values by limbs, the lowest first, the highest not 0.
using Limbs = std::vector<std::uint64_t>;
__extension__ using Wide = unsigned __int128;

Limbs limbs_of(const Number& number) {
  Limbs limbs;
  export_bits(number < 0 ? Number(-number) : number, std::back_inserter(limbs), 64, false);
  if (limbs.back() == 0) limbs.pop_back();
  return limbs;
}
Number number_of(const Limbs& limbs) {
  Number number;
  import_bits(number, limbs.begin(), limbs.end(), 64, false);
  return number;
}

// a·x − b·y for x and y of one length, of which the caller knows that it is not negative and no longer. a, b < 2^63.
Limbs difference(const Limbs& x, std::uint64_t a, const Limbs& y, std::uint64_t b) {
  Limbs result(x.size());
  std::uint64_t carry = 0;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Wide plus = static_cast<Wide>(x[i]) * a + carry;
    const Wide minus = static_cast<Wide>(y[i]) * b + borrow;
    const auto above = static_cast<std::uint64_t>(plus);
    const auto below = static_cast<std::uint64_t>(minus);
    result[i] = above - below;
    carry = static_cast<std::uint64_t>(plus >> 64);
    borrow = static_cast<std::uint64_t>(minus >> 64) + (above < below ? 1 : 0);
  }
  while (!result.empty() && result.back() == 0) result.pop_back();
  return result;
}

// a·x + b·y, not negative, for a and b of unlike signs.
Limbs combination(const Limbs& x, std::int64_t a, const Limbs& y, std::int64_t b) {
  return a > 0 || b < 0 ? difference(x, magnitude(a), y, magnitude(b)) : difference(y, magnitude(b), x, magnitude(a));
}

// The 62 bits of n that end `dropped` bits above its lowest one.
std::int64_t leading(const Limbs& n, std::size_t dropped) {
  const std::size_t limb = dropped / 64;
  const std::size_t shift = dropped % 64;
  std::uint64_t bits = limb < n.size() ? n[limb] >> shift : 0;
  if (shift != 0 && limb + 1 < n.size()) bits |= n[limb + 1] << (64 - shift);
  return static_cast<std::int64_t>(bits);
}

// Steps of Euclid's algorithm taken together: x, y become a·x + b·y, c·x + d·y.
struct EuclidSteps {
  std::int64_t a = 1;
  std::int64_t b = 0;
  std::int64_t c = 0;
  std::int64_t d = 1;
};

// As many steps as the leading bits of x ≥ y prove: a quotient counts while both ends of what is possible have it.
EuclidSteps proved_steps(std::int64_t x, std::int64_t y) {
  EuclidSteps steps;
  auto& [a, b, c, d] = steps;
  while (y + c != 0 && y + d != 0) {
    const std::int64_t quotient = (x + a) / (y + c);
    if (quotient != (x + b) / (y + d)) break;
    a = std::exchange(c, a - quotient * c);
    b = std::exchange(d, b - quotient * d);
    x = std::exchange(y, x - quotient * y);
  }
  return steps;
}

// Euclid's algorithm with its long numbers touched once every thirty bits (Lehmer; Knuth, The Art of Computer Programming,
// volume 2, 4.5.2, algorithm L), until y fits in one limb.
void shorten(Limbs& x, Limbs& y) {
  if (x.size() < y.size() ||
      (x.size() == y.size() && std::lexicographical_compare(x.rbegin(), x.rend(), y.rbegin(), y.rend())))
    std::swap(x, y);
  while (y.size() > 1) {
    const std::size_t dropped = 64 * x.size() - static_cast<std::size_t>(std::countl_zero(x.back())) - 62;
    const EuclidSteps steps = proved_steps(leading(x, dropped), leading(y, dropped));
    if (steps.b == 0) {
      Limbs remainder = limbs_of(number_of(x) % number_of(y));
      x = std::exchange(y, std::move(remainder));
    } else {
      y.resize(x.size());
      Limbs next = combination(x, steps.a, y, steps.b);
      y = combination(x, steps.c, y, steps.d);
      x = std::move(next);
    }
  }
}

}  // namespace

Integer gcd(const Integer& x, const Integer& y) {
  const Number* const large_x = Arithmetic::large(x);
  const Number* const large_y = Arithmetic::large(y);
  if (!large_x && !large_y) return Arithmetic::narrow(std::gcd(magnitude(x.to_int64()), magnitude(y.to_int64())));
  if (large_x && large_y) {
    Limbs longer = limbs_of(*large_x);
    Limbs shorter = limbs_of(*large_y);
    shorten(longer, shorter);
    if (shorter.empty()) return Arithmetic::narrow(number_of(longer));
    return Arithmetic::narrow(std::gcd(remainder(number_of(longer), shorter.front()), shorter.front()));
  }
  const std::uint64_t word = magnitude(large_x ? y.to_int64() : x.to_int64());
  if (word == 0) return abs(large_x ? x : y);
  return Arithmetic::narrow(std::gcd(remainder(large_x ? *large_x : *large_y, word), word));
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
  return large ? remainder(*large, word) : static_cast<std::uint64_t>(n.to_int64()) % word;
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
