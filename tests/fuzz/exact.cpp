// Two promises of exact/decimal: what parse_expression accepts is printed in one way only, and every surd comes back from
// its own print. And a third, of the printed decimals: they differ from the value by half a unit of the last place at most.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "exact/decimal.h"

using namespace normtrace::exact;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void parsed_prints_and_parses_again(std::string_view text) {
  const auto parsed = parse_expression(text);
  if (!parsed) return;
  const std::string printed = to_expression(*parsed);
  const auto again = parse_expression(printed);
  require(again && *again == *parsed && to_expression(*again) == printed);
}

// Bytes as small whole numbers, so that fractions, roots and zeros all come up often.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  std::int64_t take() {
    std::int64_t value = 0;
    for (int i = 0; i < 3 && left_ != 0; ++i, --left_) value = value * 256 + *data_++;
    return value - 4096;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

Rational fraction(Bytes& bytes) {
  const std::int64_t numerator = bytes.take();
  const std::int64_t denominator = bytes.take();
  return denominator == 0 ? Rational(numerator) : Rational(numerator, denominator);
}

void surd_survives_its_print(Bytes bytes) {
  const Surd x = Surd(fraction(bytes)) + Surd(fraction(bytes)) * Surd::root(abs(fraction(bytes)));
  const auto back = parse_expression(to_expression(x));
  require(back && *back == x);

  const unsigned places = static_cast<unsigned>(bytes.take() & 31) + 1;
  const Rational unit(1, Integer::power_of_ten(places));
  const Value magnitude = abs(Value(x));
  const Value error = magnitude - Value(Rational(rounded_scaled(x, places)) * unit);
  require(compare(abs(error), Value(unit * Rational(1, 2))) <= 0);

  const auto nearest = nearest_double(x);
  require(nearest && (*nearest == 0) == x.is_zero());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Longer texts only make the numbers longer, and their roots slower.
  if (size > 256) return 0;
  parsed_prints_and_parses_again({reinterpret_cast<const char*>(data), size});
  surd_survives_its_print({data, size});
  return 0;
}
