#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "text/document.h"
#include "text/lexer.h"
#include "text/places.h"

namespace normtrace::text {

constexpr std::size_t most_numbers = 1'000'000;

// What the readers of brackets and of rows share: the tokens of one source and the document that grows from them.
class Context {
 public:
  Context(SourcePointer source, Document& document);

  [[nodiscard]] const std::vector<Token>& tokens() const { return tokens_; }
  [[nodiscard]] const Token& token(std::uint32_t index) const { return tokens_[index]; }
  [[nodiscard]] const SourcePointer& source() const { return source_; }
  Document& document() { return document_; }

  [[nodiscard]] std::string_view text(Span span) const;
  [[nodiscard]] std::string_view text(const Token& token) const { return text({token.begin, token.end}); }
  [[nodiscard]] Span span(std::uint32_t first, std::uint32_t last) const;  // of the tokens [first, last)

  // The number that a token is: a literal, a quoted number, nan or inf. Throws Error for anything else.
  Cell cell(const Token& token);
  [[nodiscard]] bool is_numeric(const Token& token) const;  // cell() would not say "not a number"

  // A name for showing: from the tokens [first, last), quotes, signs at the ends and unsafe characters removed.
  [[nodiscard]] std::string name(std::uint32_t first, std::uint32_t last) const;
  // Refuses a name that nothing marks as one and that is more likely a number: 1.2.3, 2^3, 50%, ±1, €5, a sign alone; says
  // so where one could have been meant (5kg). `among_names`: the rows before have names too.
  void check_name(std::uint32_t first, std::uint32_t last, bool among_names);

  [[noreturn]] void fail(Span span, std::string_view wrong, std::vector<std::string> arguments, std::string_view mend,
                         std::vector<std::string> mend_arguments = {}) const;
  [[noreturn]] void fail(const Token& token, std::string_view wrong, std::vector<std::string> arguments,
                         std::string_view mend, std::vector<std::string> mend_arguments = {}) const {
    fail(Span{token.begin, token.end}, wrong, std::move(arguments), mend, std::move(mend_arguments));
  }
  // Refuses a word, sign or string that stands where a number belongs, naming what it looks like.
  [[noreturn]] void fail_not_a_number(const Token& token) const;
  // The same words are not said twice.
  void note(Span span, std::string_view id, std::vector<std::string> arguments = {});
  // One remark of this kind is enough.
  void note_once(Span span, std::string_view id, std::vector<std::string> arguments = {});
  // One remark of this kind is enough, and it names the first places.
  void note_place(Span span, std::string_view id, std::vector<std::string> arguments);

  std::size_t batch = 0;

 private:
  [[nodiscard]] bool special(std::string_view word, Cell& cell) const;
  void refuse_quoted_comma(const Token& token) const;

  SourcePointer source_;
  Document& document_;
  std::vector<Token> tokens_;
  std::unordered_set<std::string> noted_;
  PlacedRemarks placed_;
  std::size_t numbers_ = 0;
};

}  // namespace normtrace::text
