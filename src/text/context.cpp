#include "text/context.h"

#include <algorithm>

#include "text/characters.h"
#include "text/error.h"
#include "text/literal.h"
#include "text/names.h"
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

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

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
    if (token.mark == '?') fail(token, "input.missing_value", {std::string(shown)}, "input.missing_value_mend");
    fail(token, "input.expression", {std::string(shown)}, "input.expression_mend");
  }
  if (token.kind == Kind::string) refuse_quoted_comma(token);
  const WordKind& kind = kind_of_word(text(token));
  // Never cut inside a character.
  std::string whole(shown);
  if (shown.size() < text(token).size()) {
    while (!whole.empty() && (static_cast<unsigned char>(whole.back()) & 0xC0) == 0x80) whole.pop_back();
    if (!whole.empty() && static_cast<unsigned char>(whole.back()) >= 0xC0) whole.pop_back();
    whole += "…";
  }
  fail(token, kind.wrong, {whole}, kind.mend);
}

// "1,5"
void Context::refuse_quoted_comma(const Token& token) const {
  std::string meant = normalized_text(text(token));
  const std::size_t comma = meant.find(',');
  if (comma == std::string::npos) return;
  meant[comma] = '.';
  Literal literal;
  if (!scan_literal(meant, 0, literal) || literal.end != meant.size()) return;
  const std::string written(text(token));
  fail(token, "input.not_a_number", {written}, "input.comma_for_point_mend", {written, meant});
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

void Context::note_place(Span span, std::string_view id, std::vector<std::string> arguments) {
  for (std::string& argument : arguments) argument = printable(argument);
  placed_.add(document_.remarks, {{std::string(id), std::move(arguments)}, source_, span});
}

void Context::note_once(Span span, std::string_view id, std::vector<std::string> arguments) {
  if (noted_.emplace(id).second) note(span, id, std::move(arguments));
}

}  // namespace normtrace::text
