#include "text/names.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>

#include "text/characters.h"
#include "text/context.h"
#include "text/literal.h"
#include "words/utf8.h"

namespace normtrace::text {

namespace {

using Kind = Token::Kind;

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_with_digit(std::string_view word) {
  const std::size_t first = word.find_first_not_of("+-");
  return first != std::string_view::npos && (is_ascii_digit(word[first]) || word[first] == '.');
}

constexpr WordKind word_kinds[] = {
    {[](std::string_view word) {
       return one_of(word, {"--", "na", "n/a", "none", "null", "nil", "missing", "<na>", "-"});
     },
     "input.missing_value", "input.missing_value_mend"},
    {[](std::string_view word) {
       return one_of(word, {"true", "false"});
     },
     "input.boolean", "input.boolean_mend"},
    {[](std::string_view word) {
       return starts_with_digit(word) && word.find_first_not_of("+-.0123456789") == std::string_view::npos &&
              std::count(word.begin(), word.end(), '.') > 1;
     },
     "input.two_points", "input.two_points_mend", true},
    {[](std::string_view word) { return starts_with_digit(word) && word.substr(0, 2) == "0x"; }, "input.hexadecimal",
     "input.decimal_mend", true},
    {[](std::string_view word) {
       return starts_with_digit(word) && (word.back() == 'j' || word.back() == 'i') &&
              word.find_first_not_of("+-.0123456789eij") == std::string_view::npos;
     },
     "input.complex", "input.decimal_mend", true},
    {[](std::string_view word) {
       return starts_with_digit(word) && word.find_first_of("*/^") != std::string_view::npos;
     },
     "input.expression_word", "input.expression_mend"},
    // 1e, 5_: anything made of the characters of numbers.
    {[](std::string_view word) {
       return starts_with_digit(word) && std::any_of(word.begin(), word.end(), is_ascii_digit) &&
              word.find_first_not_of("0123456789.+-/e_") == std::string_view::npos;
     },
     "input.not_a_number", "input.not_a_number_mend", true},
    {[](std::string_view) { return true; }, "input.not_a_number", "input.not_a_number_mend"},
};

// Signs that may stand before a number which is not read as one.
constexpr std::u32string_view leading_signs = U"+-±∓√∛≈~≤≥<>=×÷·*/^%.$€£¥￥₩₹½⅓⅔¼¾⅛";
constexpr std::u32string_view operators = U"*/^%±∓×÷√≈~=<>!$€£¥￥₩₹²³¹⁰⁴⁵⁶⁷⁸⁹⁻";
// Between two numbers they are operators, before a letter they join the parts of a word.
constexpr std::u32string_view hyphens = U"+-·";

bool contains(std::u32string_view set, char32_t code) { return set.find(code) != std::u32string_view::npos; }

// What a name looks like that nothing marks as one.
enum class Looks : std::uint8_t { name, begins_as_number, signs_alone, number_with_sign, expression };

bool is_operand(std::u32string_view rest) {
  const std::size_t next = rest.find_first_not_of(U' ');
  return next == std::u32string_view::npos || is_digit(rest[next]) || rest[next] == '.' || rest[next] == '(';
}

bool is_date(std::u32string_view name) {
  static constexpr std::u32string_view form = U"0000-00-00";
  return name.size() == form.size() && std::equal(name.begin(), name.end(), form.begin(), [](char32_t c, char32_t f) {
           return f == '0' ? is_digit(c) : c == f;
         });
}

Looks looks_of(std::u32string_view name) {
  std::size_t first = 0;
  while (first < name.size() && (contains(leading_signs, name[first]) || name[first] == ' ')) ++first;
  if (first == name.size()) return Looks::signs_alone;
  if (!is_digit(name[first])) return name[first] == U'π' ? Looks::begins_as_number : Looks::name;
  if (is_date(name)) return Looks::begins_as_number;
  for (std::size_t i = first; i < name.size(); ++i)
    if (contains(operators, name[i]) || (contains(hyphens, name[i]) && is_operand(name.substr(i + 1))))
      return Looks::expression;
  const bool only_point = first == 1 && name[0] == '.';
  return first > 0 && !only_point ? Looks::number_with_sign : Looks::begins_as_number;
}

constexpr std::size_t longest_look = 64;

std::u32string decoded(std::string_view text) {
  std::u32string result;
  for (std::size_t at = 0; at < text.size() && result.size() < longest_look;) {
    const Character character = character_at(text, at);
    at += character.length;
    if (!character.dropped && !words::is_control(character.code)) result += character.code;
  }
  return result;
}

constexpr std::string_view trimmed = " \t\r\n*`#$-\"'=:,;|.";

// The code unit that \uHHHH at byte `at` stands for.
std::optional<char32_t> escaped_unit(std::string_view text, std::size_t at) {
  constexpr std::size_t length = 6;
  const std::string_view escape = text.substr(std::min(at, text.size()), length);
  if (escape.size() != length || escape.substr(0, 2) != "\\u" ||
      escape.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string_view::npos)
    return std::nullopt;
  return static_cast<char32_t>(std::stoul(std::string(escape.substr(2)), nullptr, 16));
}

// Reads \uHHHH, or a pair of them; false for anything else.
bool take_escaped_unit(std::string_view text, std::size_t& at, std::string& result) {
  const std::optional<char32_t> first = escaped_unit(text, at);
  if (!first) return false;
  at += 6;
  if (*first < 0xD800 || *first >= 0xE000) {
    words::append_utf8(result, *first);
    return true;
  }
  const std::optional<char32_t> second = escaped_unit(text, at);
  if (*first < 0xDC00 && second && *second >= 0xDC00 && *second < 0xE000) {
    words::append_utf8(result, 0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00));
    at += 6;
  } else {
    result += "\uFFFD";
  }
  return true;
}

// Backslashes of JSON and doubled quotes of CSV, in the text between quotes.
std::string unescaped(std::string_view quoted) {
  std::string result;
  for (std::size_t i = 0; i < quoted.size();) {
    if (take_escaped_unit(quoted, i, result)) continue;
    const std::string_view two = quoted.substr(i, 2);
    if (two == "\"\"" || two == "\\\"" || two == "\\\\" || two == "\\/" || two == "\\'") {
      result += two[1];
      i += 2;
    } else if (two == "\\n" || two == "\\t" || two == "\\r") {
      result += ' ';
      i += 2;
    } else {
      result += quoted[i++];
    }
  }
  return result;
}

// Runs of blanks become one, what is unsafe or invisible goes.
std::string visible(std::string_view raw) {
  std::string result;
  bool blank = false;
  for (std::size_t at = 0; at < raw.size();) {
    const words::Decoded character = words::decode(raw, at);
    const std::string_view bytes = raw.substr(at, character.length);
    at += character.length;
    const Character normal = character_at(bytes, 0);
    if (is_blank(normal.code) || normal.code == '\n' || normal.code == '\r') {
      blank = true;
      continue;
    }
    const bool joiner = character.code == 0x200D;  // holds an emoji together
    if (words::is_control(character.code) || (normal.dropped && !joiner)) continue;
    if (blank && !result.empty()) result.push_back(' ');
    blank = false;
    result += bytes;
  }
  return result;
}

}  // namespace

const WordKind& kind_of_word(std::string_view word) {
  std::string plain;
  for (std::size_t at = 0; at < word.size();) {
    const Character c = character_at(word, at);
    at += c.length;
    if (c.dropped) continue;
    const bool capital = c.code >= 'A' && c.code <= 'Z';
    words::append_utf8(plain, c.code == U'。' ? U'.' : capital ? c.code - U'A' + U'a' : c.code);
  }
  return *std::find_if(std::begin(word_kinds), std::end(word_kinds),
                       [&](const WordKind& entry) { return entry.matches(plain); });
}

std::string Context::name(std::uint32_t first, std::uint32_t last) const {
  if (first >= last) return {};
  // What stands in quotes is the name, every sign of it.
  if (last - first == 1 && tokens_[first].kind == Kind::string) return visible(unescaped(text(tokens_[first])));
  const std::string result = visible(text(span(first, last)));
  const std::size_t begin = result.find_first_not_of(trimmed);
  if (begin == std::string::npos) return result;  // a name of nothing but signs is a name all the same
  return result.substr(begin, result.find_last_not_of(trimmed) + 1 - begin);
}

void Context::check_name(std::uint32_t first, std::uint32_t last, bool among_names) {
  const Token& token = tokens_[first];
  const bool single = last - first == 1;
  if (single && token.kind == Kind::string) return;
  const Span place = span(first, last);
  const std::string written(text(place));
  const bool word = single && token.kind == Kind::word;
  if (word && kind_of_word(written).mistyped) fail_not_a_number(token);
  const std::u32string shown = decoded(written);
  const auto is_digit_or_point = [](char32_t c) { return is_digit(c) || c == '.'; };
  if (word && std::all_of(shown.begin(), shown.end(), is_digit_or_point))
    fail(token, "input.invisible", {}, "input.invisible_mend");
  switch (looks_of(shown)) {
    case Looks::signs_alone:
      if (!among_names) fail(place, "input.lone_sign", {written}, "input.lone_sign_mend", {written});
      note_place(place, "input.read_as_name", {written});
      return;
    case Looks::number_with_sign: fail(place, "input.not_a_number", {written}, "input.value_or_name_mend", {written});
    case Looks::expression:
      if (written.find('%') != std::string::npos)
        fail(place, "input.percent", {}, "input.value_or_name_mend", {written});
      fail(place, "input.expression_word", {written}, "input.value_or_name_mend", {written});
    case Looks::begins_as_number: note_place(place, "input.read_as_name", {written}); return;
    case Looks::name: break;
  }
  const bool glued = word && is_ascii_digit(written.back()) && !source_->numbered;  // 猫1,2,3 for 猫=1,2,3
  if (glued) note_place(place, "input.read_as_name", {written});
}

}  // namespace normtrace::text
