#include "text/literal.h"

#include <algorithm>
#include <iterator>

#include "text/characters.h"

namespace normtrace::text {

namespace {

constexpr std::string_view suffixes[] = {"f",  "F",   "l",   "L",   "u",   "U",   "ul",  "UL", "ll",
                                         "LL", "f16", "f32", "f64", "i32", "i64", "u32", "u64"};
constexpr std::string_view suffixes_after_point[] = {"d", "D", "m"};
constexpr char32_t superscripts[] = {0x2070, 0xB9, 0xB2, 0xB3, 0x2074, 0x2075, 0x2076, 0x2077, 0x2078, 0x2079};
constexpr char32_t superscript_minus = 0x207B;
constexpr char32_t ideographic_stop = 0x3002;

// Reads character by character and can step back; characters without width are passed over and remembered.
class Scanner {
 public:
  Scanner(std::string_view text, std::uint32_t at) : text_(text), at_(at) {}

  [[nodiscard]] std::uint32_t at() const { return at_; }
  [[nodiscard]] bool invisible() const { return invisible_; }
  void move_to(std::uint32_t at) { at_ = at; }

  // The next character; 0 at the end.
  char32_t peek() { return look(0); }
  char32_t peek_second() { return look(1); }
  void take() {
    std::uint32_t at = at_;
    const Character character = next_visible(at);
    if (at != at_ && at_ > started_) invisible_ = true;
    at_ = at + character.length;
  }
  bool take(char32_t code) {
    if (peek() != code) return false;
    take();
    return true;
  }
  bool take(std::string_view ascii) {
    const std::uint32_t before = at_;
    for (const char wanted : ascii)
      if (!take(static_cast<char32_t>(static_cast<unsigned char>(wanted)))) {
        at_ = before;
        return false;
      }
    return true;
  }
  void begin() { started_ = at_; }

 private:
  Character next_visible(std::uint32_t& at) const {
    Character character = character_at(text_, at);
    while (character.dropped) {
      at += character.length;
      character = character_at(text_, at);
    }
    return character;
  }
  char32_t look(int ahead) const {
    std::uint32_t at = at_;
    Character character = next_visible(at);
    for (; ahead > 0 && character.length > 0; --ahead) {
      at += character.length;
      character = next_visible(at);
    }
    return character.code;
  }

  std::string_view text_;
  std::uint32_t at_;
  std::uint32_t started_ = 0;
  bool invisible_ = false;
};

bool take_digits(Scanner& scan, std::string& digits) {
  const std::size_t before = digits.size();
  while (is_digit(scan.peek())) {
    digits.push_back(static_cast<char>(scan.peek()));
    scan.take();
  }
  return digits.size() > before;
}

// Digits with groups set off by _ or ', as programming languages write them.
void take_grouped_digits(Scanner& scan, Literal& literal) {
  take_digits(scan, literal.digits);
  while ((scan.peek() == '_' || scan.peek() == '\'') && is_digit(scan.peek_second()) && !literal.digits.empty()) {
    scan.take();
    literal.digit_groups = true;
    take_digits(scan, literal.digits);
  }
}

// [sign]digits of an exponent.
bool take_exponent(Scanner& scan, Literal& literal) {
  const bool negative = scan.take('-');
  if (!negative) scan.take('+');
  std::string digits;
  if (!take_digits(scan, digits)) return false;
  digits.erase(0, digits.find_first_not_of('0'));
  const long size = digits.size() > 6 ? 999999 : digits.empty() ? 0 : std::stol(digits);
  literal.exponent = negative ? -size : size;
  literal.has_exponent = true;
  return true;
}

bool take_superscript_exponent(Scanner& scan, Literal& literal) {
  const bool negative = scan.take(superscript_minus);
  std::string digits;
  for (;;) {
    const auto* const found = std::find(std::begin(superscripts), std::end(superscripts), scan.peek());
    if (found == std::end(superscripts) || digits.size() > 6) break;
    digits.push_back(static_cast<char>('0' + (found - std::begin(superscripts))));
    scan.take();
  }
  if (digits.empty()) return false;
  const long size = std::stol(digits);
  literal.exponent = negative ? -size : size;
  literal.has_exponent = true;
  return true;
}

// 1.5×10⁻⁵, 1.5 * 10^-5, 1.5 \times 10^{-5}
bool take_power_of_ten(Scanner& scan, Literal& literal) {
  scan.take(' ');
  if (!scan.take(0xD7) && !scan.take(0xB7) && !scan.take('*') && !scan.take("\\times") && !scan.take("\\cdot"))
    return false;
  scan.take(' ');
  if (!scan.take("10")) return false;
  if (scan.take('^') || scan.take("**")) {
    const bool braced = scan.take('{');
    return take_exponent(scan, literal) && (!braced || scan.take('}'));
  }
  return take_superscript_exponent(scan, literal);
}

// A step that either reads the whole of its form or nothing.
template <typename Step>
bool attempt(Scanner& scan, Literal& literal, Step step) {
  const std::uint32_t before = scan.at();
  const Literal kept = literal;
  if (step()) return true;
  scan.move_to(before);
  literal = kept;
  return false;
}

void take_any_exponent(Scanner& scan, Literal& literal) {
  const char32_t mark = scan.peek();
  if (mark == 'e' || mark == 'E' || mark == 'd' || mark == 'D') {
    attempt(scan, literal, [&] {
      scan.take();
      return take_exponent(scan, literal);
    });
    return;
  }
  if (mark == '`')  // Mathematica's precision mark: 1.5`, 1.5`10.
    attempt(scan, literal, [&] {
      scan.take();
      std::string precision;
      take_digits(scan, precision);
      if (!precision.empty() && scan.take('.')) take_digits(scan, precision);
      return !precision.empty() || !is_digit(scan.peek());
    });
  if (scan.peek() == '*' && scan.peek_second() == '^') {
    attempt(scan, literal, [&] { return scan.take("*^") && take_exponent(scan, literal); });
  } else if (const char32_t sign = mark == ' ' ? scan.peek_second() : mark;
             sign == 0xD7 || sign == 0xB7 || sign == '*' || sign == '\\') {
    attempt(scan, literal, [&] { return take_power_of_ten(scan, literal); });
  }
}

void take_suffix(Scanner& scan, const Literal& literal) {
  const auto attempt_one = [&](std::string_view suffix) {
    const std::uint32_t before = scan.at();
    scan.take('_');
    if (scan.take(suffix) && !is_word_character(scan.peek())) return true;
    scan.move_to(before);
    return false;
  };
  if (std::any_of(std::begin(suffixes), std::end(suffixes), attempt_one)) return;
  if (!literal.has_point) return;
  for (const std::string_view suffix : suffixes_after_point)
    if (attempt_one(suffix)) return;
}

bool take_latex_fraction(Scanner& scan, Literal& literal) {
  if (!scan.take("\\frac") && !scan.take("\\dfrac") && !scan.take("\\tfrac")) return false;
  const auto part = [&](std::string& digits) { return scan.take('{') && take_digits(scan, digits) && scan.take('}'); };
  return part(literal.digits) && part(literal.denominator);
}

// 1//2, as Julia writes a fraction. A comment would not begin between two digits.
bool take_double_slash(Scanner& scan, Literal& literal) {
  if (scan.peek() != '/' || scan.peek_second() != '/') return false;
  literal.double_slash =
      attempt(scan, literal, [&] { return scan.take("//") && take_digits(scan, literal.denominator); });
  return literal.double_slash;
}

bool point_follows(Scanner& scan, Literal& literal) {
  const char32_t mark = scan.peek();
  if (mark == '.') return scan.peek_second() != '.';
  if (mark != ideographic_stop || literal.digits.empty() || !is_digit(scan.peek_second())) return false;
  literal.ideographic_point = true;
  return true;
}

// -1.5e-3 in ASCII and nothing unusual behind it: what nearly every number of a long text is. False for all else.
bool scan_plain(std::string_view text, std::uint32_t at, Literal& literal) {
  std::size_t i = at;
  const auto here = [&] { return i < text.size() ? text[i] : ','; };
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return text.substr(begin, i - begin);
  };
  literal.negative = here() == '-';
  if (literal.negative || here() == '+') ++i;
  const std::string_view whole = digits();
  std::string_view decimals;
  literal.has_point = here() == '.';
  if (literal.has_point) {
    ++i;
    decimals = digits();
  }
  if (whole.empty() && decimals.empty()) return false;
  if (here() == 'e' || here() == 'E') {
    ++i;
    const bool negative = here() == '-';
    if (negative || here() == '+') ++i;
    const std::string_view exponent = digits();
    if (exponent.empty() || exponent.size() > 6) return false;
    for (const char digit : exponent) literal.exponent = 10 * literal.exponent + (digit - '0');
    if (negative) literal.exponent = -literal.exponent;
    literal.has_exponent = true;
  }
  static constexpr std::string_view ends = ",]\n\r;)}|\t";
  const bool blank = here() == ' ' && i + 1 < text.size() && text[i + 1] >= ' ' && text[i + 1] <= '~' &&
                     text[i + 1] != '*' && text[i + 1] != '\\';
  if (!blank && ends.find(here()) == std::string_view::npos) return false;
  literal.digits.assign(whole);
  literal.digits.append(decimals);
  literal.decimals = static_cast<long>(decimals.size());
  literal.end = static_cast<std::uint32_t>(i);
  return true;
}

}  // namespace

bool scan_literal(std::string_view text, std::uint32_t at, Literal& literal) {
  literal = {};
  if (scan_plain(text, at, literal)) return true;
  literal = {};
  Scanner scan(text, at);
  literal.negative = scan.peek() == '-';
  if (literal.negative || scan.peek() == '+') scan.take();
  scan.begin();
  if (scan.peek() == '\\') {
    if (!take_latex_fraction(scan, literal)) return false;
  } else {
    take_grouped_digits(scan, literal);
    const std::size_t whole = literal.digits.size();
    if (point_follows(scan, literal)) {
      scan.take();
      literal.has_point = true;
      take_digits(scan, literal.digits);
      literal.decimals = static_cast<long>(literal.digits.size() - whole);
    }
    if (literal.digits.empty()) return false;
    if (!literal.has_point && scan.peek() == '/' && is_digit(scan.peek_second())) {
      scan.take();
      take_digits(scan, literal.denominator);
      if (scan.peek() == '/' || scan.peek() == '.') return false;
    } else if (!literal.has_point && take_double_slash(scan, literal)) {
      if (scan.peek() == '/' || scan.peek() == '.') return false;
    } else {
      take_any_exponent(scan, literal);
    }
    take_suffix(scan, literal);
  }
  const std::uint32_t end = scan.at();
  const char32_t next = scan.peek();
  const bool another_point = next == '.' || next == ideographic_stop;
  if (is_word_character(next) || (another_point && is_digit(scan.peek_second()))) return false;
  literal.end = end;
  literal.invisible = scan.invisible();
  return true;
}

Cell value_of(const Literal& literal) {
  Cell cell;
  cell.point = literal.has_point;
  cell.exponent = literal.has_exponent;
  const std::string_view written = literal.digits;
  const std::size_t first = std::min(written.find_first_not_of('0'), written.size());
  cell.decimals = static_cast<int>(literal.decimals - literal.exponent);
  cell.significant = std::max(1, static_cast<int>(written.size() - first));
  if (first == written.size()) return cell;
  const std::size_t last = written.find_last_not_of('0');
  exact::Integer digits = exact::Integer::from_digits(written.substr(first, last + 1 - first));
  if (literal.negative) digits = -digits;
  long exponent = literal.exponent - literal.decimals + static_cast<long>(written.size() - 1 - last);
  if (!literal.denominator.empty()) {
    cell.fraction = true;
    cell.decimals = 0;
    cell.value = exact::Rational(digits * exact::Integer::power_of_ten(static_cast<unsigned>(exponent)),
                                 exact::Integer::from_digits(literal.denominator));
  } else if (exponent >= 0) {
    cell.value = digits * exact::Integer::power_of_ten(static_cast<unsigned>(exponent));
  } else {
    cell.value = exact::Rational::decimal(std::move(digits), static_cast<unsigned>(-exponent));
  }
  return cell;
}

}  // namespace normtrace::text
