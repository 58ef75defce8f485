#include "text/lexer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "text/characters.h"
#include "text/error.h"
#include "text/literal.h"
#include "text/places.h"
#include "words/utf8.h"

namespace normtrace::text {

namespace {

using Kind = Token::Kind;

struct Pair {
  char open, close;
};
constexpr Pair brackets[] = {{'[', ']'}, {'(', ')'}, {'{', '}'}, {'<', '>'}, {'\\', '\\'}};

char closing(char open) {
  return std::find_if(std::begin(brackets), std::end(brackets), [&](Pair pair) { return pair.open == open; })->close;
}

// How a bracket is written in a message.
std::string written(char open, bool close) {
  if (open == '\\') return close ? "\\end{…}" : "\\begin{…}";
  return {close ? closing(open) : open};
}

// LaTeX commands that only arrange what they stand between.
constexpr std::string_view latex_spacing[] = {
    "left",  "right",        "big",       "Big",    "bigl",   "bigr",   "quad",   "qquad",       "hline",
    "hfill", "displaystyle", "textstyle", "small",  "limits", "mathrm", "mathbf", "mathit",      "boldsymbol",
    "bm",    "vec",          "text",      "textbf", "hat",    "mathbb", "mathsf", "operatorname"};
constexpr std::string_view latex_dots[] = {"dots", "ldots", "cdots", "vdots", "ddots", "dotsc"};

// What interpreters print before a line. Where `#` stands, digits; `typed`: what follows is code that someone typed.
struct Prompt {
  std::string_view form;
  bool typed;
};
constexpr Prompt prompts[] = {
    {">>>", true},
    {">>", true},
    {">", true},
    {"In [#]:=", true},
    {"In[#]:=", true},
    {"In [#]:", true},
    {"In[#]:", true},
    {"julia>", true},
    {"octave:#>", true},
    {"sage:", true},
    {"Out[#]//MatrixForm=", false},
    {"Out[#]=", false},
    {"Out[#]:", false},
    {"Out [#]:", false},
};

class Lexer {
 public:
  explicit Lexer(const SourcePointer& source) : source_(source), text_(source->text) { check_encoding(); }

  Tokens run() {
    while (at_ < text_.size()) step();
    if (!open_.empty()) fail_unclosed();
    emit_newline();
    return {std::move(tokens_), std::move(remarks_)};
  }

 private:
  [[noreturn]] void fail(Span span, std::string_view wrong, std::vector<std::string> arguments, std::string_view mend,
                         std::vector<std::string> mend_arguments = {}) const {
    throw Error(source_, span, {std::string(wrong), std::move(arguments)},
                {std::string(mend), std::move(mend_arguments)});
  }
  void note(Span span, std::string_view id, std::vector<std::string> arguments = {}) {
    remarks_.push_back({{std::string(id), std::move(arguments)}, source_, span});
  }

  void check_encoding() const {
    if (text_.size() > largest_text) throw Error(source_, {}, {"input.too_long", {}}, {"input.too_long_mend", {}});
    for (std::size_t at = 0; at < text_.size();) {
      const words::Decoded character = words::decode(text_, at);
      const Span here{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at) + 1};
      if (!character.valid) fail(here, "input.not_utf8", {}, "input.not_utf8_mend");
      if (character.code == 0) fail(here, "input.binary", {}, "input.not_utf8_mend");
      at += character.length;
    }
  }

  [[nodiscard]] Character here(std::uint32_t ahead = 0) const { return character_at(text_, at_ + ahead); }
  [[nodiscard]] bool outside() const { return open_.empty(); }
  [[nodiscard]] bool starts_with(std::string_view ascii) const { return text_.substr(at_, ascii.size()) == ascii; }
  [[nodiscard]] const Token* previous() const { return tokens_.empty() ? nullptr : &tokens_.back(); }
  // The token directly before, nothing between.
  [[nodiscard]] const Token* glued() const {
    return gap_ || tokens_.empty() || tokens_.back().kind == Kind::newline ? nullptr : &tokens_.back();
  }
  [[nodiscard]] std::uint32_t line_end() const {
    return static_cast<std::uint32_t>(std::min(text_.find('\n', at_), text_.size()));
  }

  void push(Kind kind, std::uint32_t begin, std::uint32_t end, char mark = 0) {
    if (tokens_.size() >= most_tokens) fail({begin, end}, "input.too_many_pieces", {}, "input.too_long_mend");
    Token token{kind};
    token.mark = mark;
    token.gap = gap_ || line_start_;
    token.line_start = line_start_;
    token.after_blank_line = line_start_ && blank_line_;
    token.tight_blank = tight_blank_;
    token.tabs = tabs_;
    token.begin = begin;
    token.end = end;
    tokens_.push_back(token);
    gap_ = line_start_ = tight_blank_ = blank_line_ = false;
    tabs_ = 0;
  }
  void emit_newline() {
    if (!tokens_.empty() && tokens_.back().kind != Kind::newline) push(Kind::newline, at_, at_);
  }

  void step() {
    if (skip_blank() || skip_escape()) return;
    if (line_start_ && (take_border() || take_prompt() || skip_fence())) return;
    if (skip_comment() || take_ellipsis() || skip_latex_layout()) return;
    if (take_number() || take_signed_word() || take_quote() || take_bracket() || take_latex()) return;
    if (take_angle() || take_arrow() || take_punctuation()) return;
    take_word();
  }

  bool skip_blank() {
    const Character c = here();
    if (c.dropped) {
      at_ += c.length;
      return true;
    }
    if (c.code == '\n') {
      if (outside()) emit_newline();
      if (line_start_) blank_line_ = true;
      line_start_ = gap_ = true;
      tight_blank_ = false;
      ++at_;
      return true;
    }
    if (c.code != ' ' && c.code != '\t' && c.code != '\r' && c.code != '\f' && c.code != '\v') return false;
    tight_blank_ = !gap_ && (c.original == 0x2009 || c.original == 0x202F || c.original == 0x2007);
    if (c.code == '\t' && tabs_ < 255) ++tabs_;
    gap_ = true;
    at_ += c.length;
    return true;
  }

  // Colours and other terminal sequences that came along with a copied print.
  bool skip_escape() {
    if (text_[at_] != '\x1b') return false;
    std::uint32_t end = at_ + 1;
    if (end < text_.size() && text_[end] == '[') {
      ++end;
      while (end < text_.size() && (text_[end] < '@' || text_[end] > '~') && text_[end] != '\n') ++end;
      if (end < text_.size() && text_[end] != '\n') ++end;
    }
    if (end < text_.size() && text_[end] == ']') {  // a title: up to BEL
      const std::size_t bell = text_.substr(end, longest_tag).find('\x07');
      if (bell != std::string_view::npos) end += static_cast<std::uint32_t>(bell + 1);
    }
    at_ = end;
    return true;
  }

  bool take_border() {
    if (!outside()) return false;
    std::uint32_t end = at_;
    std::size_t dashes = 0;
    for (Character c = here(); c.code == '-'; c = character_at(text_, end)) {
      end += c.length;
      ++dashes;
    }
    const std::uint32_t dashes_end = end;
    while (is_blank(character_at(text_, end).code) || text_.substr(end, 1) == "\r")
      end += character_at(text_, end).length;
    if (dashes < 3 || (end < text_.size() && text_[end] != '\n')) return false;
    push(Kind::border, at_, dashes_end);
    at_ = end;
    return true;
  }

  [[nodiscard]] std::uint32_t match_prompt(std::string_view form) const {
    std::uint32_t at = at_;
    for (const char wanted : form) {
      if (wanted == '#') {
        const std::uint32_t before = at;
        while (is_digit(character_at(text_, at).code)) at += character_at(text_, at).length;
        if (at == before) return 0;
      } else if (at < text_.size() && text_[at] == wanted) {
        ++at;
      } else {
        return 0;
      }
    }
    return at;
  }
  bool take_prompt() {
    if (!outside()) return continuation_prompt();
    for (const Prompt& prompt : prompts) {
      const std::uint32_t end = match_prompt(prompt.form);
      if (end == 0) continue;
      if (prompt.typed) {
        push(Kind::prompt, at_, end);
        typed_ = true;
      }
      at_ = end;
      return true;
    }
    return false;
  }
  // Python's "... " inside a bracket that was opened after ">>> ".
  bool continuation_prompt() {
    if (!typed_ || !starts_with("... ") || (at_ > 0 && text_[at_ - 1] != '\n')) return false;
    at_ += 4;
    return true;
  }
  bool skip_fence() {
    if (!outside() || !starts_with("```")) return false;
    at_ = line_end();
    return true;
  }

  bool skip_comment() {
    const char first = text_[at_];
    const auto to = [&](std::string_view end_mark) {
      const std::size_t end = text_.find(end_mark, at_ + 2);
      return static_cast<std::uint32_t>(end == std::string_view::npos ? text_.size() : end + end_mark.size());
    };
    std::uint32_t end = at_;
    if (starts_with("/*")) {
      end = to("*/");
    } else if (starts_with("(*")) {
      end = to("*)");
    } else if (starts_with("<!--")) {
      end = to("-->");
    } else if (starts_with("//")) {
      refuse_double_slash();
      end = line_end();
    } else if (here().code == '#' && (gap_ || line_start_ || !glued())) {
      end = line_end();
    } else if (first == '%' && line_comment_by_percent()) {
      end = line_end();
    } else if (line_start_ && outside() && (first == ';' || (starts_with("--") && !starts_with("---")))) {
      end = line_end();
    } else {
      return false;
    }
    note_comment({at_, end});
    at_ = end;
    gap_ = true;
    return true;
  }
  // 1.5//2 is no number with a comment.
  void refuse_double_slash() const {
    const Token* const before = glued();
    const bool operands =
        before && is_digit(character_at(text_, at_ - 1).code) && is_digit(character_at(text_, at_ + 2).code);
    if (!operands) return;
    const Span span{before->begin, at_ + 3};
    fail(span, "input.expression_word", {std::string(text_.substr(span.begin, span.end - span.begin))},
         "input.expression_mend");
  }
  // `%` begins a comment (MATLAB, LaTeX) at the start of a line or after a blank; `50 %` followed by a separator or the
  // end is a percentage.
  [[nodiscard]] bool line_comment_by_percent() const {
    if (line_start_) return true;
    if (!gap_) return false;
    std::uint32_t at = at_ + 1;
    while (is_blank(character_at(text_, at).code)) at += character_at(text_, at).length;
    const char32_t next = character_at(text_, at).code;
    const bool after_number = previous() && previous()->kind == Kind::number;
    return !after_number || !(next == 0 || next == ',' || next == ';' || next == ']' || next == ')' || next == '\n');
  }
  void note_comment(Span span) {
    const std::string_view comment = text_.substr(span.begin, span.end - span.begin);
    if (!comment_noted_ && comment.find_first_of("0123456789") != std::string_view::npos) {
      comment_noted_ = true;
      note(span, "input.comment_ignored");
    }
  }

  bool take_ellipsis() {
    const char32_t code = here().code;
    std::uint32_t length = 0;
    if (code == 0x2026 || code == 0x22EF) {
      length = here().length;
    } else if (starts_with("...")) {
      length = 3;
    } else if (starts_with("..")) {
      length = 2;
    } else if (code == '\\') {
      const auto* const dots = std::find_if(std::begin(latex_dots), std::end(latex_dots), [&](std::string_view name) {
        return text_.substr(at_ + 1, name.size()) == name;
      });
      if (dots != std::end(latex_dots)) length = static_cast<std::uint32_t>(1 + dots->size());
    }
    if (length == 0) return false;
    fail({at_, at_ + length}, "input.ellipsis", {}, "input.ellipsis_mend");
  }

  bool take_number() {
    const char32_t code = here().code;
    if (!is_digit(code) && code != '+' && code != '-' && code != '.' && code != '\\') return false;
    const Token* const before = after_value();
    const bool is_signed = code == '+' || code == '-';
    if (before && !(is_signed && before->kind == Kind::number)) return false;
    if (!scan_literal(text_, at_, literal_)) return false;
    const Span span{at_, literal_.end};
    if (before && !note_glued(*before, span)) return false;
    if (literal_.invisible) fail(span, "input.invisible", {}, "input.invisible_mend");
    if (literal_.digit_groups) note_place(span, "input.digit_groups_read", {typed_at(span)});
    if (literal_.ideographic_point) note_place(span, "input.ideographic_point", {typed_at(span)});
    if (literal_.double_slash)
      note_place(span, "input.double_slash", {typed_at(span), literal_.digits + "/" + literal_.denominator});
    push(Kind::number, span.begin, span.end);
    at_ = span.end;
    return true;
  }
  // The value directly before, nothing between.
  [[nodiscard]] const Token* after_value() const {
    const Token* const before = glued();
    const bool value = before && (before->kind == Kind::number || before->kind == Kind::close ||
                                  before->kind == Kind::word || before->kind == Kind::string);
    return value ? before : nullptr;
  }
  // -inf, +nan, -np.inf, −∞
  bool take_signed_word() {
    const Character sign = here();
    if ((sign.code != '-' && sign.code != '+') || after_value()) return false;
    static constexpr std::string_view words[] = {"inf",      "Inf", "INF", "Infinity", "np.inf",
                                                 "math.inf", "nan", "NaN", "∞"};
    const std::string_view rest = text_.substr(at_ + sign.length, 16);
    for (const std::string_view word : words) {
      const std::uint32_t end = at_ + sign.length + static_cast<std::uint32_t>(word.size());
      if (rest.substr(0, word.size()) != word || is_word_character(character_at(text_, end).code)) continue;
      push(Kind::word, at_, end);
      at_ = end;
      return true;
    }
    return false;
  }
  // 1.0-2.0, as fixed-width prints without room for a blank: two numbers, if both have a point.
  bool note_glued(const Token& before, Span span) {
    const std::string_view first = text_.substr(before.begin, before.end - before.begin);
    if (!literal_.has_point || first.find('.') == std::string_view::npos) return false;
    note_place({before.begin, span.end}, "input.glued",
               {typed_at({before.begin, span.end}), std::string(first) + ", " + typed_at(span)});
    return true;
  }
  [[nodiscard]] std::string typed_at(Span span) const {
    return std::string(text_.substr(span.begin, span.end - span.begin));
  }
  void note_place(Span span, std::string_view id, std::vector<std::string> arguments) {
    placed_.add(remarks_, {{std::string(id), std::move(arguments)}, source_, span});
  }

  // The code of the first character from `at` that is no blank or line break.
  [[nodiscard]] char32_t next_solid(std::uint32_t at) const {
    Character c = character_at(text_, at);
    while (c.length > 0 && (c.dropped || is_blank(c.code) || c.code == '\n' || c.code == '\r')) {
      at += c.length;
      c = character_at(text_, at);
    }
    return c.code;
  }

  bool take_quote() {
    const Character quote = here();
    if (quote.code != '"' && quote.code != '\'' && quote.code != '`') return false;
    if (quote.code == '`') {
      at_ += 1;
      gap_ = true;
      return true;
    }
    if (pending_quote_ == quote.code) {  // the end of a quoted array
      pending_quote_ = 0;
      at_ += quote.length;
      return true;
    }
    if (const Token* const before = glued();
        quote.code == '\'' && before && (before->kind == Kind::close || before->kind == Kind::number)) {
      push(Kind::symbol, at_, at_ + quote.length, '\'');  // MATLAB's transposition
      at_ += quote.length;
      return true;
    }
    if ((starts_with("\"\"\"") && !is_cell(quote)) || starts_with("'''")) {
      at_ += 3;
      gap_ = true;
      return true;
    }
    const std::uint32_t begin = at_ + quote.length;
    const char32_t first = next_solid(begin);
    if (pending_quote_ == 0 && (first == '[' || first == '(' || first == '{') && !names(quote, begin)) {
      pending_quote_ = quote.code;
      at_ = begin;
      return true;
    }
    return take_string(quote, begin);
  }
  // Where the string that begins here is closed, on the same line; where the search ended if it is not.
  struct StringEnd {
    std::uint32_t at;
    bool closed;
  };
  [[nodiscard]] StringEnd string_end(Character quote, std::uint32_t begin) const {
    std::uint32_t end = begin;
    while (at_ >= no_string_before_ && end < text_.size() && text_[end] != '\n' && end < begin + longest_string) {
      const Character c = character_at(text_, end);
      const bool doubled = c.original == '"' && text_.substr(end + 1, 1) == "\"";  // as CSV writes a quote
      if (c.code == '\\') {
        end += 1 + character_at(text_, end + 1).length;
      } else if (c.code == quote.code && doubled && quote.original == '"') {
        end += 2;
      } else if (c.code == quote.code) {
        return {end, true};
      } else {
        end += c.length;
      }
    }
    return {end, false};
  }
  // A quoted cell that begins with a doubled quote: """q"" r",1,2
  [[nodiscard]] bool is_cell(Character quote) const {
    const StringEnd end = string_end(quote, at_ + 1);
    return end.closed && character_at(text_, end.at + 1).code == ',';
  }
  // "[k]": 1 or "(a)",1 and not a quoted array.
  [[nodiscard]] bool names(Character quote, std::uint32_t begin) const {
    const StringEnd end = string_end(quote, begin);
    if (!end.closed) return false;
    const char32_t next = next_solid(end.at + character_at(text_, end.at).length);
    const std::string_view inside = text_.substr(begin, end.at - begin);
    const std::size_t solid = std::min(inside.find_first_not_of("[({ "), inside.size());
    const char first = solid < inside.size() ? inside[solid] : '\0';
    const bool letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || (first & 0x80) != 0;
    return next == ':' || next == '=' || (next == ',' && line_start_ && letter) ||
           inside.find_first_of("0123456789") == std::string_view::npos;
  }
  // Closed on the same line, or the quote is a mere sign.
  bool take_string(Character quote, std::uint32_t begin) {
    const StringEnd end = string_end(quote, begin);
    if (end.closed) {
      push(Kind::string, begin, end.at);
      at_ = end.at + character_at(text_, end.at).length;
      return true;
    }
    no_string_before_ = std::max(no_string_before_, end.at);
    push(Kind::symbol, at_, begin, static_cast<char>(quote.code));
    at_ = begin;
    return true;
  }

  bool take_bracket() {
    const Character c = here();
    if (c.code >= 0x80 || c.code == 0) return false;
    const auto mark = static_cast<char>(c.code);
    if (mark == '[' || mark == '(' || mark == '{') return open(mark, at_ + c.length);
    if (mark == ']' || mark == ')' || mark == '}') return close(mark, at_ + c.length);
    if (mark == '>' && !outside() && tokens_[open_.back()].mark == '<') return close(mark, at_ + c.length);
    return false;
  }
  bool open(char mark, std::uint32_t end) {
    if (open_.size() >= deepest_nesting)
      fail({at_, end}, "input.too_deep", {std::to_string(deepest_nesting)}, "input.too_deep_mend");
    push(Kind::open, at_, end, mark);
    open_.push_back(static_cast<std::uint32_t>(tokens_.size() - 1));
    at_ = end;
    return true;
  }
  bool close(char mark, std::uint32_t end) {
    const Span span{at_, end};
    const std::string shown(1, mark);
    if (open_.empty()) fail(span, "input.unopened", {shown}, "input.unopened_mend", {shown});
    Token& partner = tokens_[open_.back()];
    if (closing(partner.mark) != mark) {
      const std::string wanted = written(partner.mark, true);
      fail(span, "input.mismatched", {shown, written(partner.mark, false), wanted}, "input.mismatched_mend", {wanted});
    }
    const std::uint32_t index = open_.back();
    push(Kind::close, span.begin, span.end, mark);
    tokens_[index].match = static_cast<std::uint32_t>(tokens_.size() - 1);
    tokens_.back().match = index;
    open_.pop_back();
    at_ = end;
    return true;
  }
  [[noreturn]] void fail_unclosed() const {
    std::uint32_t end = static_cast<std::uint32_t>(text_.size());
    while (end > 0 && std::strchr(" \t\r\n", text_[end - 1])) --end;
    const Token& last = tokens_[open_.back()];
    const std::string wanted = written(last.mark, true);
    const auto numbers = std::count_if(tokens_.begin() + open_.front(), tokens_.end(),
                                       [](const Token& token) { return token.kind == Kind::number; });
    fail({end, end}, "input.unclosed", {wanted}, "input.unclosed_mend", {wanted, std::to_string(numbers)});
  }

  // Layout of LaTeX that carries no data; `$` around formulas.
  bool skip_latex_layout() {
    if (text_[at_] == '$') {
      if (!take_list_name() && !take_price()) skip_formula_mark();
      return true;
    }
    if (text_[at_] != '\\') return false;
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (next == '\\') {
      push(Kind::semicolon, at_, at_ + 2, ';');
      at_ += 2;
      if (text_.substr(at_, 1) == "[")  // \\[2pt]
        if (const std::size_t end = text_.substr(at_, 10).find("t]"); end != std::string_view::npos)
          at_ += static_cast<std::uint32_t>(end + 2);
      return true;
    }
    if (next == '{' || next == '}') {
      ++at_;
      return true;
    }
    if (next != '\0' && std::strchr(",;:! []()", next)) {
      at_ += 2;
      gap_ = true;
      return true;
    }
    const std::string_view name = command_name();
    const bool is_spacing =
        std::find(std::begin(latex_spacing), std::end(latex_spacing), name) != std::end(latex_spacing);
    if (!is_spacing) return false;
    at_ += static_cast<std::uint32_t>(1 + name.size());
    skip_matrix_delimiter(name);
    if (const char brace = at_ < text_.size() ? text_[at_] : '\0'; brace == '{') skip_argument_braces();
    gap_ = true;
    return true;
  }
  // The brackets of \left[ \begin{array} … \end{array} \right] are those of the matrix itself.
  void skip_matrix_delimiter(std::string_view command) {
    const char delimiter = at_ < text_.size() ? text_[at_] : '\0';
    if (delimiter == '\0' || !std::strchr("[](){}|.", delimiter)) return;
    const bool before =
        command == "left" && (text_.substr(at_ + 1, 7) == "\\begin{" || text_.substr(at_ + 1, 8) == " \\begin{" ||
                              text_.substr(at_ + 1, 8) == "\n\\begin{");
    const bool behind = command == "right" && previous() && previous()->kind == Kind::close && previous()->mark == '\\';
    if (before || behind || delimiter == '|' || delimiter == '.') ++at_;
  }
  // \mathbf{x}: the braces go, what is inside stays.
  void skip_argument_braces() {
    const std::size_t end = text_.find_first_of("{}\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] != '}') return;
    push(Kind::word, at_ + 1, static_cast<std::uint32_t>(end));
    at_ = static_cast<std::uint32_t>(end + 1);
  }
  [[nodiscard]] std::string_view command_name() const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && ((text_[end] >= 'a' && text_[end] <= 'z') || (text_[end] >= 'A' && text_[end] <= 'Z')))
      ++end;
    return text_.substr(at_ + 1, end - at_ - 1);
  }
  // R prints the members of a list as `$name` on a line of its own.
  bool take_list_name() {
    const std::uint32_t end = line_end();
    std::uint32_t name_end = at_ + 1;
    while (is_word_character(character_at(text_, name_end).code) || text_.substr(name_end, 1) == ".")
      name_end += character_at(text_, name_end).length;
    if (line_start_ && outside() && name_end > at_ + 1 && (name_end == end || text_[name_end] == '\r')) {
      push(Kind::word, at_ + 1, name_end);
      push(Kind::assign, name_end, name_end, ':');
      at_ = name_end;
      return true;
    }
    return false;
  }
  // $5 and 5$, which are no numbers, as opposed to the marks of a formula: $5, 6$.
  bool take_price() {
    if (in_formula_ || starts_with("$$") || begins_formula()) return false;
    const Token* const before = glued();
    std::uint32_t end = at_ + 1;
    if (scan_literal(text_, end, literal_)) end = literal_.end;
    if (end == at_ + 1 && !(before && before->kind == Kind::number)) return false;
    push(Kind::word, at_, end);
    at_ = end;
    return true;
  }
  // As TeX is told from prices: no blank behind the first `$`, none before the second, and no digit behind that.
  bool begins_formula() {
    const std::uint32_t end = line_end();
    if (at_ < no_formula_before_ || at_ + 1 >= end || is_blank(character_at(text_, at_ + 1).code)) return false;
    if (at_ + 2 <= formula_end_) return true;
    for (std::uint32_t i = at_ + 2; i < end; ++i)
      if (text_[i] == '$' && text_[i - 1] != ' ' && text_[i - 1] != '$' && !is_digit(character_at(text_, i + 1).code)) {
        formula_end_ = i;
        return true;
      }
    no_formula_before_ = end;
    return false;
  }
  void skip_formula_mark() {
    if (starts_with("$$"))
      ++at_;
    else
      in_formula_ = !in_formula_ && begins_formula();
    ++at_;
    gap_ = true;
  }

  bool take_latex() {
    if (text_[at_] != '\\') return false;
    const std::string_view name = command_name();
    if (name != "begin" && name != "end") return false;
    const std::uint32_t begin = at_;
    std::uint32_t end = static_cast<std::uint32_t>(at_ + 1 + name.size());
    const std::string_view near = text_.substr(end, longest_tag);
    const std::size_t brace = near.substr(0, 1) == "{" ? near.find('}') : std::string_view::npos;
    if (brace == std::string_view::npos) return false;
    const std::string_view environment = near.substr(1, brace - 1);
    end += static_cast<std::uint32_t>(brace + 1);
    const bool data = environment.find("matrix") != std::string_view::npos || environment == "array";
    if (!data) {
      at_ = end;
      gap_ = true;
      return true;
    }
    if (name == "end") {
      if (open_.empty() || tokens_[open_.back()].mark != '\\')
        fail({begin, end}, "input.unopened", {"\\end"}, "input.unopened_mend", {"\\end"});
      return close('\\', end);
    }
    // \begin{array}{ccc} and \begin{bmatrix*}[r] say how to align.
    const char option = end < text_.size() ? text_[end] : '\0';
    if ((option == '{' && environment == "array") || (option == '[' && environment.back() == '*'))
      if (const std::size_t option_end = text_.substr(end, longest_tag).find(option == '{' ? '}' : ']');
          option_end != std::string_view::npos)
        end += static_cast<std::uint32_t>(option_end + 1);
    return open('\\', end);
  }

  // <tf.Tensor: … numpy=array(…)> holds data, any other <…> on one line holds none.
  bool take_angle() {
    if (here().code != '<') return false;
    if (starts_with("<-") || at_ < no_tag_before_) return false;
    const std::string_view near = text_.substr(at_, longest_tag);
    const std::string_view ahead = near.substr(0, near.find('\n'));
    if (ahead.find('>') == std::string_view::npos && ahead.find("numpy=") == std::string_view::npos) {
      // No use in looking again from every < on the way.
      no_tag_before_ = at_ + static_cast<std::uint32_t>(ahead.size() < near.size() ? ahead.size() : ahead.size() / 2);
      return false;
    }
    std::size_t depth = 0;
    for (std::size_t i = 0; i < ahead.size(); ++i) {
      if (ahead[i] == '<' && ++depth > deepest_tag) return false;
      if (ahead.substr(i, 6) == "numpy=" || ahead.substr(i, 7) == "values=") return open('<', at_ + here().length);
      if (ahead[i] == '>' && --depth == 0) {
        push(Kind::tag, at_, static_cast<std::uint32_t>(at_ + i + 1));
        at_ += static_cast<std::uint32_t>(i + 1);
        return true;
      }
    }
    return false;
  }

  bool take_arrow() {
    for (const std::string_view arrow : {"->", "=>", "<-", ":=", "→", "|->"})
      if (starts_with(arrow)) {
        push(Kind::assign, at_, static_cast<std::uint32_t>(at_ + arrow.size()), '>');
        at_ += static_cast<std::uint32_t>(arrow.size());
        return true;
      }
    return false;
  }

  // A point directly behind something, or last in its line.
  [[nodiscard]] bool ends_sentence() const {
    const std::string_view rest = text_.substr(at_, line_end() - at_).substr(here().length);
    return glued() || (!line_start_ && rest.find_first_not_of(" \t\r") == std::string_view::npos);
  }

  bool take_punctuation() {
    const Character c = here();
    const auto take = [&](Kind kind, char mark) {
      push(kind, at_, at_ + c.length, mark);
      at_ += c.length;
      return true;
    };
    const bool in_latex = !outside() && tokens_[open_.back()].mark == '\\';
    switch (c.code) {
      case ',': return take(Kind::comma, ',');
      case ';': return take(Kind::semicolon, ';');
      case '=':
      case ':': return take(Kind::assign, static_cast<char>(c.code));
      case '|': return take(Kind::bar, '|');
      case '&': return take(in_latex ? Kind::comma : Kind::symbol, in_latex ? ',' : '&');
      case 0x3002:  // 。 ends a sentence; alone it begins none
        if (!ends_sentence()) break;
        at_ += c.length;
        gap_ = true;
        return true;
      case '.':
        if (const char32_t next = here(1).code;
            outside() && ends_sentence() && (next == 0 || next == '\n' || next == ' ' || next == '\r')) {
          at_ += 1;
          gap_ = true;
          return true;
        }
        if (is_word_character(here(1).code)) return false;
        return take(Kind::symbol, '.');
      default: break;
    }
    // A double minus in an array is how masked values print.
    if (c.code == '-' && !outside() && here(c.length).code == '-') {
      push(Kind::word, at_, at_ + 2);
      at_ += 2;
      return true;
    }
    if (c.code < 0x80 && !is_word_character(c.code) && c.code != '.' && c.code != '\\' && c.code != '@')
      return take(Kind::symbol, static_cast<char>(c.code));
    return false;
  }

  // A name goes on through dots, hyphens and slashes inside it (torch.float32, std::vector, pre-norm).
  void take_word() {
    const std::uint32_t begin = at_;
    at_ += here().length;
    const bool number_like = is_digit(character_at(text_, begin).code) || character_at(text_, begin).code == '.';
    const auto is_point = [&](char32_t code) { return code == '.' || (number_like && code == 0x3002); };
    for (;;) {
      const Character c = here();
      const Character next = here(c.length);
      const bool inside = c.length > 0 && is_word_character(next.code) && !next.dropped;
      if (c.length == 0) break;
      if (is_word_character(c.code) || c.dropped || c.code == '@' || c.code == '!') {
        at_ += c.length;
      } else if (c.code == ':' && next.code == ':' && is_word_character(here(2).code)) {
        at_ += 2;
      } else if (is_point(c.code) && (inside || (number_like && c.code == '.' && next.code != '.'))) {
        at_ += c.length;
      } else if (c.code == '-' && inside && !number_like) {
        at_ += c.length;
      } else if (inside && (c.code == '/' || c.code == '\'' || c.code == '+' || c.code == '*' || c.code == '~')) {
        at_ += c.length;
      } else {
        break;
      }
    }
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word == "containing" && !tokens_.empty() && tokens_.back().kind == Kind::word &&
        text_.substr(tokens_.back().begin, 9) == "Parameter" && text_.substr(at_, 1) == ":") {
      tokens_.pop_back();  // PyTorch's heading over a parameter
      at_ += 1;
      return;
    }
    push(Kind::word, begin, at_);
  }

  static constexpr std::uint32_t longest_string = 10'000;
  static constexpr std::uint32_t longest_tag = 400;
  static constexpr std::size_t deepest_tag = 8;

  SourcePointer source_;
  std::string_view text_;
  std::uint32_t at_ = 0;
  std::vector<Token> tokens_;
  std::vector<std::uint32_t> open_;
  std::vector<Remark> remarks_;
  PlacedRemarks placed_;
  Literal literal_;
  char32_t pending_quote_ = 0;
  bool in_formula_ = false;              // between two `$`
  std::uint32_t formula_end_ = 0;        // the last `$` that was found to end one
  std::uint32_t no_formula_before_ = 0;  // a `$` before here was found to have no partner
  std::uint32_t no_tag_before_ = 0;      // a < before here was found to begin no tag
  std::uint32_t no_string_before_ = 0;   // a quote before here was found to have no partner
  std::uint8_t tabs_ = 0;
  bool gap_ = true;
  bool line_start_ = true;
  bool blank_line_ = false;
  bool tight_blank_ = false;
  bool typed_ = false;
  bool comment_noted_ = false;
};

}  // namespace

Tokens tokenize(const SourcePointer& source) { return Lexer(source).run(); }

}  // namespace normtrace::text
