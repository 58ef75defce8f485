#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace normtrace::exact {

// A whole number of any size.
// Numbers of hand-worked examples fit in 64 bits and stay there; anything larger lives in a Boost multiprecision integer
// that only integer.cpp knows. Canonical: the large form is used exactly when the value does not fit in int64_t.
class Integer {
 public:
  Integer() = default;
  Integer(std::int64_t value) : small_(value) {}  // NOLINT(google-explicit-constructor): 2 * n reads like the formula
  Integer(const Integer& other) : small_(other.small_), large_(other.large_ ? copy(other.large_) : nullptr) {}
  Integer(Integer&& other) noexcept
      : small_(std::exchange(other.small_, 0)), large_(std::exchange(other.large_, nullptr)) {}
  Integer& operator=(Integer other) noexcept {
    std::swap(small_, other.small_);
    std::swap(large_, other.large_);
    return *this;
  }
  ~Integer() {
    if (large_) destroy(large_);
  }

  // Decimal digits only, no sign, no blanks; "010" is ten. At least one digit.
  static Integer from_digits(std::string_view digits);
  static Integer power_of_ten(unsigned exponent);
  static Integer power_of_two(unsigned exponent);

  [[nodiscard]] bool is_zero() const { return !large_ && small_ == 0; }
  [[nodiscard]] bool is_one() const { return !large_ && small_ == 1; }
  [[nodiscard]] bool is_odd() const;
  [[nodiscard]] int sign() const;
  // Position of the highest set bit of |n| plus one; 0 for 0.
  [[nodiscard]] std::size_t bits() const;
  [[nodiscard]] bool fits_int64() const { return !large_; }
  // Requires fits_int64().
  [[nodiscard]] std::int64_t to_int64() const { return small_; }
  [[nodiscard]] std::string to_string() const;

  Integer operator-() const;
  Integer& operator+=(const Integer& other);
  Integer& operator-=(const Integer& other);
  Integer& operator*=(const Integer& other);
  friend Integer operator+(const Integer& x, const Integer& y);
  friend Integer operator-(const Integer& x, const Integer& y);
  friend Integer operator*(const Integer& x, const Integer& y);
  // Shifts act on the absolute value: -5 >> 1 is -2.
  friend Integer operator<<(const Integer& x, unsigned bits);
  friend Integer operator>>(const Integer& x, unsigned bits);

  friend bool operator==(const Integer& x, const Integer& y);
  friend std::strong_ordering operator<=>(const Integer& x, const Integer& y);

  struct Large;

 private:
  struct Owned {
    Large* large;
  };
  explicit Integer(Owned owned) : large_(owned.large) {}
  static Large* copy(const Large* large);
  static void destroy(Large* large);
  friend struct Arithmetic;

  std::int64_t small_ = 0;
  Large* large_ = nullptr;  // owned; a plain pointer, so that the inline members need no complete type
};

// Rounds towards minus infinity. Requires divisor ≠ 0.
Integer floor_divide(const Integer& dividend, const Integer& divisor);
// Requires that divisor ≠ 0 divides dividend.
Integer exact_divide(const Integer& dividend, const Integer& divisor);
// dividend − divisor·⌊dividend/divisor⌋; for a positive divisor in [0, divisor). Requires divisor ≠ 0.
Integer floor_remainder(const Integer& dividend, const Integer& divisor);
// Never negative; gcd(0, 0) = 0.
Integer gcd(const Integer& x, const Integer& y);
// ⌊√n⌋. Requires n ≥ 0.
Integer floor_sqrt(const Integer& n);
// True and the root if n is a perfect square. Requires n ≥ 0.
bool perfect_square(const Integer& n, Integer& root);
// The largest s found with s² | n, and n/s²: every square of a prime below 2^16 is found, and so is a square that is all
// that is left when those primes are divided out. Complete, that is, n/s² is free of squares, whenever what is left is
// below 2^48. Requires n > 0.
struct SquareFactor {
  Integer root;
  Integer rest;
};
SquareFactor pull_square(const Integer& n);
Integer abs(const Integer& n);
Integer power(const Integer& base, unsigned exponent);

}  // namespace normtrace::exact
