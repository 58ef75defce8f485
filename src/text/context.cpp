#include "text/context.h"

#include <algorithm>

#include "text/characters.h"
#include "text/error.h"
#include "text/literal.h"
#include "words/utf8.h"

namespace normtrace::text {

namespace {

using Kind = Token::Kind;

struct SpecialWord {
  std::string_view word;  // in lower case
  Cell::Kind kind;
};
constexpr SpecialWord special_words[] = {
    {"nan", Cell::Kind::nan},
    {"np.nan", Cell::Kind::nan},
    {"math.nan", Cell::Kind::nan},
    {"indeterminate", Cell::Kind::nan},
    {"inf", Cell::Kind::plus_infinity},
    {"np.inf", Cell::Kind::plus_infinity},
    {"math.inf", Cell::Kind::plus_infinity},
    {"infinity", Cell::Kind::plus_infinity},
    {"∞", Cell::Kind::plus_infinity},
};

// What a word among the numbers is, and how to mend it. `matches` gets the word in lower case.
struct WordKind {
  bool (*matches)(std::string_view word);
  std::string_view wrong;
  std::string_view mend;
};

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
bool starts_with_digit(std::string_view word) {
  const std::size_t first = word.find_first_not_of("+-");
  return first != std::string_view::npos && (is_digit(static_cast<unsigned char>(word[first])) || word[first] == '.');
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
     "input.two_points", "input.two_points_mend"},
    {[](std::string_view word) { return starts_with_digit(word) && word.substr(0, 2) == "0x"; }, "input.hexadecimal",
     "input.decimal_mend"},
    {[](std::string_view word) {
       return starts_with_digit(word) && (word.back() == 'j' || word.back() == 'i') &&
              word.find_first_not_of("+-.0123456789eij") == std::string_view::npos;
     },
     "input.complex", "input.decimal_mend"},
    {[](std::string_view word) {
       return starts_with_digit(word) && word.find_first_of("*/^") != std::string_view::npos;
     },
     "input.expression_word", "input.expression_mend"},
    {[](std::string_view) { return true; }, "input.not_a_number", "input.not_a_number_mend"},
};

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

constexpr std::string_view trimmed = " \t\r\n*`#$-\"'=:,;|.";

}  // namespace

Context::Context(SourcePointer source, Document& document) : source_(std::move(source)), document_(document) {
  Tokens tokens = tokenize(source_);
  tokens_ = std::move(tokens.list);
  std::move(tokens.remarks.begin(), tokens.remarks.end(), std::back_inserter(document_.remarks));
}

std::string_view Context::text(Span span) const {
  return std::string_view(source_->text).substr(span.begin, span.end - span.begin);
}

Span Context::span(std::uint32_t first, std::uint32_t last) const {
  return first < last ? Span{tokens_[first].begin, tokens_[last - 1].end}
                      : Span{tokens_[first].begin, tokens_[first].begin};
}

bool Context::special(std::string_view word, Cell& cell) const {
  if (word.empty() || word.size() > 16) return false;
  const Character sign = character_at(word, 0);
  const bool negative = sign.code == '-';
  if (negative || sign.code == '+') word.remove_prefix(sign.length);
  const std::string plain = lower(word);
  const auto* const found = std::find_if(std::begin(special_words), std::end(special_words),
                                         [&](const SpecialWord& entry) { return entry.word == plain; });
  if (found == std::end(special_words)) return false;
  cell.kind = found->kind == Cell::Kind::plus_infinity && negative ? Cell::Kind::minus_infinity : found->kind;
  return true;
}

bool Context::is_numeric(const Token& token) const {
  if (token.kind == Kind::number) return true;
  Cell cell;
  if (token.kind != Kind::word && token.kind != Kind::string) return false;
  if (special(text(token), cell)) return true;
  if (token.kind == Kind::word) return false;
  Literal literal;
  return scan_literal(source_->text, token.begin, literal) && literal.end == token.end;
}

Cell Context::cell(const Token& token) {
  const Span span{token.begin, token.end};
  if (++numbers_ > most_numbers)
    fail(span, "input.too_many_numbers", {std::to_string(most_numbers)}, "input.too_long_mend");
  Cell cell;
  if ((token.kind == Kind::word || token.kind == Kind::string) && special(text(token), cell)) {
    cell.span = span;
    return cell;
  }
  Literal literal;
  if ((token.kind != Kind::number && token.kind != Kind::string) ||
      !scan_literal(source_->text, token.begin, literal) || literal.end != token.end)
    fail_not_a_number(token);
  if (token.end - token.begin > longest_literal)
    fail(span, "input.long_literal", {std::to_string(longest_literal)}, "input.long_literal_mend");
  if (literal.exponent > largest_exponent || literal.exponent < -largest_exponent)
    fail(span, "input.exponent_limit", {std::to_string(largest_exponent)}, "input.exponent_limit_mend");
  if (!literal.denominator.empty() && literal.denominator.find_first_not_of('0') == std::string::npos)
    fail(span, "input.zero_denominator", {}, "input.zero_denominator_mend");
  cell = value_of(literal);
  cell.span = span;
  return cell;
}

std::string Context::name(std::uint32_t first, std::uint32_t last) const {
  if (first >= last) return {};
  std::string result;
  bool blank = false;
  const std::string_view raw = text(span(first, last));
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
  const std::size_t begin = result.find_first_not_of(trimmed);
  if (begin == std::string::npos) return result;  // a name of nothing but signs is a name all the same
  return result.substr(begin, result.find_last_not_of(trimmed) + 1 - begin);
}

void Context::fail(Span span, std::string_view wrong, std::vector<std::string> arguments, std::string_view mend,
                   std::vector<std::string> mend_arguments) const {
  for (auto* const list : {&arguments, &mend_arguments})
    for (std::string& argument : *list) argument = printable(argument);
  throw Error(source_, span, {std::string(wrong), std::move(arguments)},
              {std::string(mend), std::move(mend_arguments)});
}

void Context::fail_not_a_number(const Token& token) const {
  const std::string_view shown = text(token).substr(0, 40);
  if (token.kind == Kind::assign) fail(token, "input.range", {std::string(shown)}, "input.range_mend");
  if (token.kind == Kind::symbol) {
    if (token.mark == '%') fail(token, "input.percent", {}, "input.expression_mend");
    fail(token, "input.expression", {std::string(shown)}, "input.expression_mend");
  }
  const std::string word = lower(text(token));
  const auto* const kind = std::find_if(std::begin(word_kinds), std::end(word_kinds),
                                        [&](const WordKind& entry) { return entry.matches(word); });
  // Never cut inside a character.
  std::string whole(shown);
  if (shown.size() < text(token).size()) {
    while (!whole.empty() && (static_cast<unsigned char>(whole.back()) & 0xC0) == 0x80) whole.pop_back();
    if (!whole.empty() && static_cast<unsigned char>(whole.back()) >= 0xC0) whole.pop_back();
    whole += "…";
  }
  fail(token, kind->wrong, {whole}, kind->mend);
}

void Context::note(Span span, std::string_view id, std::vector<std::string> arguments) {
  std::string key(id);
  for (std::string& argument : arguments) {
    argument = printable(argument);
    key += '\n' + argument;
  }
  if (!noted_.insert(std::move(key)).second) return;
  document_.remarks.push_back({{std::string(id), std::move(arguments)}, source_, span});
}

void Context::note_once(Span span, std::string_view id, std::vector<std::string> arguments) {
  if (noted_.emplace(id).second) note(span, id, std::move(arguments));
}

}  // namespace normtrace::text
