#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "bulk/number_text.h"
#include "exact/integer.h"

namespace normtrace::bulk {

namespace {

using exact::Integer;
__extension__ typedef unsigned __int128 Wide;

// |value| = fraction·2^exponent, fraction < 2^53.
struct Binary {
  std::uint64_t fraction;
  int exponent;
};
Binary binary(double value) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const int biased = static_cast<int>(bits >> 52 & 0x7FF);
  return biased ? Binary{fraction | std::uint64_t{1} << 52, biased - 1075} : Binary{fraction, -1074};
}

// digits·10^exponent.
struct Decimal {
  std::uint64_t digits;
  int exponent;
};

constexpr int kMostDigits = 17;
constexpr auto kTens = [] {
  std::array<std::uint64_t, 20> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();
constexpr int kLargestPower5 = 27;  // 5^27 < 2^64
// 5^i = word·2^-zeros, the highest bit of the word being 1.
struct Five {
  std::uint64_t word;
  int zeros;
};
constexpr auto kFives = [] {
  std::array<Five, kLargestPower5 + 1> powers{};
  std::uint64_t power = 1;
  for (Five& five : powers) {
    const int zeros = std::countl_zero(power);
    five = {power << zeros, zeros};
    power *= 5;
  }
  return powers;
}();

int count_digits(std::uint64_t n) {
  const int guess = (64 - std::countl_zero(n | 1)) * 1233 >> 12;
  return guess + (n >= kTens[static_cast<std::size_t>(guess)]);
}

// ---- where the point goes

constexpr int kSmallestPlain = -5;  // exponents of the first digit that are written without e
constexpr int kLargestPlain = 15;

// Eight digits, the first in the lowest byte, as values 0 to 9.
inline std::uint64_t spread(std::uint32_t eight) {
  std::uint64_t word = eight / 10000 | static_cast<std::uint64_t>(eight % 10000) << 32;
  const std::uint64_t hundreds = (word * 10486 >> 20) & 0x0000007F0000007F;
  word = hundreds | (word - 100 * hundreds) << 16;
  const std::uint64_t tens = (word * 103 >> 10) & 0x000F000F000F000F;
  return tens | (word - 10 * tens) << 8;
}
constexpr std::uint64_t kZeroCharacters = 0x3030303030303030;
inline void put(char* out, std::uint64_t characters) {
  if constexpr (std::endian::native == std::endian::big) characters = __builtin_bswap64(characters);
  std::memcpy(out, &characters, sizeof characters);
}
inline int trailing_zeros(std::uint64_t spread_word) { return std::countl_zero(spread_word) / 8; }

char* write_exponent(char* out, int exponent) {
  *out++ = 'e';
  if (exponent < 0) {
    *out++ = '-';
    exponent = -exponent;
  }
  if (exponent >= 100) *out++ = static_cast<char>('0' + exponent / 100);
  if (exponent >= 10) *out++ = static_cast<char>('0' + exponent / 10 % 10);
  *out++ = static_cast<char>('0' + exponent % 10);
  return out;
}

// Digits stay in registers until they are where they belong: what was just stored in parts is slow to load again.

// Where up to eight significant digits go, for an exponent of the first: some before the point, the rest after it.
struct Place {
  std::uint64_t kept;  // mask of the digits before the point
  std::uint64_t put;   // the point behind them, or "0.00000" where there are none
  std::uint8_t whole;  // digits before the point
  std::uint8_t shift;  // bits of them
  std::uint8_t rest;   // where the others go
};
constexpr int kMostShort = 8;
constexpr auto kPlaces = [] {
  std::array<Place, kMostShort - kSmallestPlain> places{};
  for (int exponent = kSmallestPlain; exponent < kMostShort; ++exponent) {
    Place& place = places[static_cast<std::size_t>(exponent - kSmallestPlain)];
    if (exponent < 0) {
      place = {0, 0x3030303030302E30, 0, 0, static_cast<std::uint8_t>(1 - exponent)};
      continue;
    }
    const int bits = 8 * (exponent + 1);
    place.whole = static_cast<std::uint8_t>(exponent + 1);
    place.rest = static_cast<std::uint8_t>(exponent + 2);
    place.kept = ~std::uint64_t{0} >> (64 - bits);
    place.put = bits < 64 ? std::uint64_t{0x2E} << bits : 0;
    place.shift = static_cast<std::uint8_t>(bits < 64 ? bits : 0);
  }
  return places;
}();
// `word` is spread, the first digit is not 0. Requires kSmallestPlain ≤ exponent < kMostShort.
inline char* place_short(char* out, std::uint64_t word, int exponent) {
  const Place& place = kPlaces[static_cast<std::size_t>(exponent - kSmallestPlain)];
  const int length = 8 - trailing_zeros(word);
  const std::uint64_t characters = word + kZeroCharacters;
  put(out, (characters & place.kept) | place.put);
  put(out + place.rest, characters >> place.shift);
  return out + (length > place.whole ? place.rest + length - place.whole : place.whole);
}

// Seventeen digits; length without trailing zeros, at least 1.
struct Long {
  char first;
  std::uint64_t upper;
  std::uint64_t lower;
  int length;
};
inline Long spell(std::uint64_t digits) {
  const std::uint64_t rest = digits % kTens[16];
  const std::uint64_t upper = spread(static_cast<std::uint32_t>(rest / kTens[8]));
  const std::uint64_t lower = spread(static_cast<std::uint32_t>(rest % kTens[8]));
  return {static_cast<char>('0' + digits / kTens[16]), upper + kZeroCharacters, lower + kZeroCharacters,
          lower ? 17 - trailing_zeros(lower) : 9 - trailing_zeros(upper)};
}
inline void put(char* first, char* others, const Long& digits) {
  *first = digits.first;
  put(others, digits.upper);
  put(others + 8, digits.lower);
}

char* place_far_point(char* out, const Long& digits, int exponent, int largest_plain) {
  char text[48];
  std::memset(text + 16, '0', 32);
  put(text, text + 1, digits);
  const bool plain = exponent >= 0 && exponent < largest_plain;
  const int whole = plain ? exponent + 1 : 1;
  std::memcpy(out, text, 24);
  if (digits.length > whole) {
    out[whole] = '.';
    std::memcpy(out + whole + 1, text + whole, 24);
    out += digits.length + 1;
  } else {
    out += whole;
  }
  return plain ? out : write_exponent(out, exponent);
}

// `count` digits, the first of which is not 0 and stands for 10^exponent.
inline char* place_point(char* out, std::uint64_t digits, int count, int exponent, int largest_plain) {
  if (count <= kMostShort && exponent >= kSmallestPlain && exponent < std::min(largest_plain, kMostShort)) {
    const std::uint64_t eight = digits * kTens[static_cast<std::size_t>(kMostShort - count)];
    return place_short(out, spread(static_cast<std::uint32_t>(eight)), exponent);
  }
  const Long all = spell(digits * kTens[static_cast<std::size_t>(kMostDigits - count)]);
  if (exponent == 0) {
    out[1] = '.';
    put(out, out + 2, all);
    return out + (all.length > 1 ? all.length + 1 : 1);
  }
  if (exponent < 0 && exponent >= kSmallestPlain) {
    put(out, 0x3030303030302E30);
    out += 1 - exponent;
    put(out, out + 1, all);
    return out + all.length;
  }
  return place_far_point(out, all, exponent, largest_plain);
}

inline char* place_point(char* out, Decimal value, int largest_plain) {
  const int count = count_digits(value.digits);
  return place_point(out, value.digits, count, value.exponent + count - 1, largest_plain);
}

// ---- rounding, exactly

// magnitude·10^power rounded half away from zero, by whole numbers of any size.
struct Rounded {
  std::string digits;
  bool exact;
};
Rounded rounded(double magnitude, int power) {
  const Binary x = binary(magnitude);
  Integer above = static_cast<std::int64_t>(x.fraction);
  Integer below = 1;
  const auto size = [](int n) { return static_cast<unsigned>(std::abs(n)); };
  (x.exponent < 0 ? below : above) *= Integer::power_of_two(size(x.exponent));
  (power < 0 ? below : above) *= Integer::power_of_ten(size(power));
  const Integer whole = exact::floor_divide(above + above + below, below + below);
  return {whole.to_string(), whole * below == above};
}

// The same where 128 bits hold the whole product fraction·5^power, with the point inside their upper half.
struct ShortRounded {
  std::uint64_t digits;
  bool exact;
};
inline bool rounded_short(Binary x, int power, ShortRounded& result) {
  if (power < 0 || power > kLargestPower5 || x.fraction >> 52 == 0) return false;
  const Five& five = kFives[static_cast<std::size_t>(power)];
  const int below_point = five.zeros - 53 - x.exponent - power;  // bits of the upper half
  if (below_point < 2 || below_point > 63) return false;
  const Wide product = static_cast<Wide>(x.fraction << 11) * five.word;
  const auto upper = static_cast<std::uint64_t>(product >> 64);
  result.digits = ((upper >> (below_point - 1)) + 1) >> 1;
  result.exact = static_cast<std::uint64_t>(product) == 0 && upper << (64 - below_point) == 0;
  return true;
}

// ⌊log₁₀ magnitude⌋, or one less.
int decimal_exponent_at_most(Binary x) {
  const int leading = x.exponent + 63 - std::countl_zero(x.fraction);
  return static_cast<int>((static_cast<std::int64_t>(leading) * 1292913986) >> 32);  // log₁₀2·2^32, cut
}

// The doubles nearest to the powers of ten; above 10^22 and below 1 they are not the powers themselves.
constexpr double kPowers[] = {1e-22, 1e-21, 1e-20, 1e-19, 1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11,
                              1e-10, 1e-9,  1e-8,  1e-7,  1e-6,  1e-5,  1e-4,  1e-3,  1e-2,  1e-1,  1e0,   1e1,
                              1e2,   1e3,   1e4,   1e5,   1e6,   1e7,   1e8,   1e9,   1e10,  1e11,  1e12,  1e13};
constexpr int kFirstOfPowers = -22;
constexpr int kLastOfPowers = 13;

[[gnu::noinline, gnu::cold]] std::uint64_t any_significant_digits(double magnitude, int count, int& exponent) {
  std::string digits = rounded(magnitude, count - 1 - exponent).digits;
  while (digits.size() > static_cast<std::size_t>(count)) digits = rounded(magnitude, count - 1 - ++exponent).digits;
  return std::stoull(digits);
}

// magnitude rounded to `count` significant digits, the first of which stands for 10^exponent.
inline std::uint64_t significant_digits(double magnitude, int count, int& exponent) {
  const std::uint64_t limit = kTens[static_cast<std::size_t>(count)];
  const Binary x = binary(magnitude);
  exponent = decimal_exponent_at_most(x);
  ShortRounded fast;
  if (exponent >= kFirstOfPowers - 1 && exponent < kLastOfPowers) {
    const int likely = exponent + (magnitude >= kPowers[exponent + 1 - kFirstOfPowers]);
    if (rounded_short(x, count - 1 - likely, fast) && fast.digits >= limit / 10) {
      exponent = likely;
      if (fast.digits < limit) return fast.digits;
      ++exponent;  // all nines
      return limit / 10;
    }
  }
  return any_significant_digits(magnitude, count, exponent);
}

inline char* print_significant(char* out, double magnitude, int count) {
  int exponent;
  const std::uint64_t digits = significant_digits(magnitude, count, exponent);
  return place_point(out, digits, count, exponent, std::min(count, kLargestPlain));
}

char* copy(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

// digits·10^−decimals with all its decimals.
char* write_fixed(char* out, std::string digits, std::size_t decimals) {
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  out = copy(out, std::string_view(digits).substr(0, digits.size() - decimals));
  if (decimals == 0) return out;
  *out++ = '.';
  return copy(out, std::string_view(digits).substr(digits.size() - decimals));
}
char* without_trailing_zeros(char* begin, char* end) {
  if (!std::memchr(begin, '.', static_cast<std::size_t>(end - begin))) return end;
  while (end[-1] == '0') --end;
  return end[-1] == '.' ? end - 1 : end;
}

char* print_scientific(char* out, double magnitude, int decimals) {
  int exponent = decimal_exponent_at_most(binary(magnitude));
  Rounded mantissa = rounded(magnitude, decimals - exponent);
  while (mantissa.digits.size() > static_cast<std::size_t>(decimals) + 1)
    mantissa = rounded(magnitude, decimals - ++exponent);
  char* const end = write_fixed(out, mantissa.digits, static_cast<std::size_t>(decimals));
  return write_exponent(mantissa.exact ? without_trailing_zeros(out, end) : end, exponent);
}

char* print_decimals_exactly(char* out, double magnitude, int count) {
  const Rounded all = rounded(magnitude, count);
  if (all.digits == "0") return print_scientific(out, magnitude, count);
  char* const end = write_fixed(out, all.digits, static_cast<std::size_t>(count));
  return all.exact ? without_trailing_zeros(out, end) : end;
}

inline char* print_decimals(char* out, double magnitude, int count) {
  if (magnitude >= 1e15) return print_scientific(out, magnitude, count);
  ShortRounded fast;
  if (count > kMostShort || !rounded_short(binary(magnitude), count, fast) || fast.digits == 0 ||
      fast.digits >= kTens[16])
    return print_decimals_exactly(out, magnitude, count);
  if (fast.exact) return place_point(out, Decimal{fast.digits, -count}, kLargestPlain);
  const std::uint64_t scale = kTens[static_cast<std::size_t>(count)];
  const std::uint64_t whole = fast.digits / scale;
  if (whole < 10) {
    *out++ = static_cast<char>('0' + whole);
  } else {
    const int width = count_digits(whole);
    const Long digits = spell(whole * kTens[static_cast<std::size_t>(kMostDigits - width)]);
    put(out, out + 1, digits);
    out += width;
  }
  if (count == 0) return out;
  *out++ = '.';
  const std::uint64_t eight = fast.digits % scale * kTens[static_cast<std::size_t>(kMostShort - count)];
  put(out, spread(static_cast<std::uint32_t>(eight)) + kZeroCharacters);
  return out + count;
}

// ---- the shortest digits that read back (Schubfach: R. Giulietti, "The Schubfach way to render doubles", 2020)

constexpr int kFirstPower = -292;
constexpr int kLastPower = 324;

int floor_log2_of_ten_to(int k) { return k * 1741647 >> 19; }

struct Power {
  std::uint64_t high;
  std::uint64_t low;
};
// ⌈10^k·2^(127 − ⌊log₂ 10^k⌋)⌉, 128 bits.
Power power_of_ten(int k) {
  const int shift = 127 - floor_log2_of_ten_to(k);
  const auto power = Integer::power_of_ten(static_cast<unsigned>(std::abs(k)));
  const auto two = Integer::power_of_two(static_cast<unsigned>(std::abs(shift)));
  const Integer above = k >= 0 ? (shift >= 0 ? power * two : power) : two;
  const Integer below = k >= 0 ? (shift >= 0 ? Integer(1) : two) : power;
  const Integer scaled = exact::floor_divide(above + below - 1, below);
  const auto word = [](const Integer& n) {  // n < 2^64
    return static_cast<std::uint64_t>((n >> 32).to_int64()) << 32 |
           static_cast<std::uint64_t>((n - ((n >> 32) << 32)).to_int64());
  };
  const Integer high = scaled >> 64;
  return {word(high), word(scaled - (high << 64))};
}
const Power& power(int k) {
  static const auto table = [] {
    std::array<Power, kLastPower - kFirstPower + 1> powers;
    for (int k = kFirstPower; k <= kLastPower; ++k) powers[static_cast<std::size_t>(k - kFirstPower)] = power_of_ten(k);
    return powers;
  }();
  return table[static_cast<std::size_t>(k - kFirstPower)];
}

// The top of power·n with the lost bits folded into the last one.
std::uint64_t round_to_odd(const Power& power, std::uint64_t n) {
  const Wide low = static_cast<Wide>(power.low) * n;
  const Wide sum = static_cast<Wide>(power.high) * n + static_cast<std::uint64_t>(low >> 64);
  return static_cast<std::uint64_t>(sum >> 64) | (static_cast<std::uint64_t>(sum) > 1);
}

Decimal shortest(double magnitude) {
  const Binary x = binary(magnitude);
  if (x.exponent <= 0 && x.exponent > -53 && std::countr_zero(x.fraction) >= -x.exponent)
    return {x.fraction >> -x.exponent, 0};
  const bool even = (x.fraction & 1) == 0;
  const bool lower_is_closer = x.fraction == std::uint64_t{1} << 52 && x.exponent > -1074;
  const int k = (x.exponent * 1262611 - (lower_is_closer ? 524031 : 0)) >> 22;
  const int shift = x.exponent + floor_log2_of_ten_to(-k) + 1;
  const Power& g = power(-k);
  const std::uint64_t middle = round_to_odd(g, 4 * x.fraction << shift);
  const std::uint64_t lower = round_to_odd(g, (4 * x.fraction - 2 + lower_is_closer) << shift) + !even;
  const std::uint64_t upper = round_to_odd(g, (4 * x.fraction + 2) << shift) - !even;
  const std::uint64_t s = middle / 4;
  if (s >= 10) {
    const std::uint64_t shorter = s / 10;
    const bool below_fits = lower <= 40 * shorter;
    const bool above_fits = 40 * shorter + 40 <= upper;
    if (below_fits != above_fits) return {shorter + above_fits, k + 1};
  }
  const bool below_fits = lower <= 4 * s;
  const bool above_fits = 4 * s + 4 <= upper;
  if (below_fits != above_fits) return {s + above_fits, k};
  const std::uint64_t half = 4 * s + 2;
  return {s + (middle > half || (middle == half && (s & 1))), k};
}

// Zero, infinity, NaN.
[[gnu::noinline, gnu::cold]] char* print_special(char* out, double value) {
  return copy(out, std::isnan(value) ? "nan" : value == 0 ? "0" : value < 0 ? "-inf" : "inf");
}

template <Digits kDigits>
inline char* print_as(char* out, double value, int count) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  constexpr std::uint64_t infinity = 0x7FF0000000000000;
  if ((bits << 1 >> 1) - 1 >= infinity - 1) return print_special(out, value);
  // Written in any case and kept if negative: a sign is as good as random.
  *out = '-';
  out += bits >> 63;
  const double magnitude = std::fabs(value);
  if constexpr (kDigits == Digits::significant) return print_significant(out, magnitude, count);
  if constexpr (kDigits == Digits::decimals) return print_decimals(out, magnitude, count);
  return place_point(out, shortest(magnitude), kLargestPlain);
}

template <Digits kDigits>
char* print_all(char* out, std::span<const double> values, char separator, int count) {
  for (const double value : values) {
    out = print_as<kDigits>(out, value, count);
    *out++ = separator;
  }
  return out;
}

}  // namespace

char* print(char* out, std::span<const double> values, char separator, Printing printing) {
  switch (printing.digits) {
    case Digits::significant: return print_all<Digits::significant>(out, values, separator, printing.count);
    case Digits::decimals: return print_all<Digits::decimals>(out, values, separator, printing.count);
    case Digits::shortest: break;
  }
  return print_all<Digits::shortest>(out, values, separator, 0);
}

char* print(char* out, double value, Printing printing) { return print(out, std::span(&value, 1), '\0', printing) - 1; }

}  // namespace normtrace::bulk
