// The value of an option. Nobody pastes it out of a longer text, so nothing in it is passed over: it is numbers alone, or a
// print of them, or it is refused.

#include <algorithm>

#include "text/characters.h"
#include "text/context.h"
#include "text/groups.h"
#include "text/read.h"

namespace normtrace::text {

namespace {

using Kind = Token::Kind;

// Refuses what `read` would leave out or take for a name.
class Strictness {
 public:
  explicit Strictness(const Context& context) : context_(context) {}

  void check() const {
    const std::vector<Token>& tokens = context_.tokens();
    std::uint32_t end = 0;
    for (std::uint32_t i = 0; i < tokens.size(); ++i) {
      refuse_left_out(end, tokens[i].begin);
      end = tokens[i].end;
      if (is_glued(i)) refuse(context_.span(i - 1, i + 1), "input.no_separator");
      if (i > 0 && tokens[i].kind == Kind::assign && tokens[i - 1].kind == Kind::word) refuse_name(i);
    }
    refuse_left_out(end, static_cast<std::uint32_t>(context_.source()->text.size()));
    for (std::uint32_t i = 0; i < tokens.size(); i = tokens[i].kind == Kind::open ? tokens[i].match + 1 : i + 1)
      check_outside(i);
  }

 private:
  [[noreturn]] void refuse(Span span, std::string_view wrong) const {
    context_.fail(span, wrong, {std::string(context_.text(span))}, "input.vector_mend");
  }

  // Comments, quotes around an array, `$`: there was no token of them.
  void refuse_left_out(std::uint32_t begin, std::uint32_t end) const {
    const std::string& text = context_.source()->text;
    const auto is_nothing = [&](std::uint32_t at) {
      const Character c = character_at(text, at);
      return c.dropped || is_blank(c.code) || c.code == '\n' || c.code == '\r';
    };
    while (begin < end && is_nothing(begin)) begin += character_at(text, begin).length;
    if (begin >= end) return;
    const auto last = static_cast<std::uint32_t>(text.find_last_not_of(" \t\r\n", end - 1));
    refuse({begin, last + 1}, "input.no_part_of_value");
  }
  // eps=1e-5, {a: 1}; of tensor(…, dtype=float32) only the numbers are taken anyway.
  void refuse_name(std::uint32_t assign) const {
    const Token& name = context_.token(assign - 1);
    if (!is_description_name(context_.text(name)))
      refuse({name.begin, context_.token(assign).end}, "input.no_part_of_value");
  }
  [[nodiscard]] bool is_glued(std::uint32_t i) const {
    return i > 0 && context_.token(i).kind == Kind::number && context_.token(i - 1).kind == Kind::number &&
           !context_.token(i).gap;
  }

  // Outside brackets: numbers, what parts them, and the function of a print.
  void check_outside(std::uint32_t i) const {
    const Token& token = context_.token(i);
    switch (token.kind) {
      case Kind::number:
      case Kind::comma:
      case Kind::semicolon:
      case Kind::newline: return;
      case Kind::open: check_bracket(i); return;
      default: break;
    }
    const Token& next = context_.token(std::min(i + 1, static_cast<std::uint32_t>(context_.tokens().size() - 1)));
    const bool word = token.kind == Kind::word || token.kind == Kind::string;
    if (word && next.kind == Kind::open && !next.gap && call_of(context_.text(token)) != Call::unknown) return;
    context_.fail_not_a_number(token);
  }
  // What follows a bracket directly would be its index or its continuation.
  void check_bracket(std::uint32_t open) const {
    const std::uint32_t close = context_.token(open).match;
    if (context_.token(close + 1).kind == Kind::number)
      context_.fail(context_.token(close + 1), "input.number_outside", {}, "input.number_outside_mend");
  }

  const Context& context_;
};

void check_strictly(const SourcePointer& source) {
  Document scratch;
  Strictness(Context(source, scratch)).check();
  for (const Array& array : read(source).arrays) {
    const bool named = !array.name.empty() || std::any_of(array.rows.begin(), array.rows.end(),
                                                          [](const std::string& row) { return !row.empty(); });
    if (named || array.role != Role::data)
      throw Error(source, array.span, {"input.not_a_vector", {}}, {"input.not_a_vector_mend", {}});
  }
}

words::Message how_to_write(const SourcePointer& source, std::string_view mend) {
  if (source->example.empty()) return {std::string(mend), {}};
  return {"input.option_mend", {source->example}};
}

// Every mistake is mended by an example of this very option. `mend`: where the option has none.
Document read_option(const SourcePointer& source, std::string_view mend) {
  try {
    if (!source->numbered) check_strictly(source);  // a file that an option names may hold names and comments
    Document document = read(source);
    for (const Array& array : document.arrays)
      for (const Cell& cell : array.cells)
        if (cell.kind != Cell::Kind::finite)
          throw Error(source, cell.span, {"input.finite_needed", {}}, {"input.finite_needed_mend", {}});
    return document;
  } catch (const Error& error) {
    throw Error(error.source, error.span, error.wrong, how_to_write(source, mend));
  }
}

// 0,5
bool is_decimal_comma(const SourcePointer& source, const std::vector<Cell>& cells) {
  const std::string_view between = std::string_view(source->text).substr(cells[0].span.end);
  return cells.size() == 2 && !cells[0].point && !cells[1].point && cells[0].span.end + 1 == cells[1].span.begin &&
         between[0] == ',';
}

}  // namespace

std::vector<Array> read_matrix(const SourcePointer& source, Remarks& remarks) {
  Document document = read_option(source, "input.vector_mend");
  for (Remark& remark : document.remarks) remarks.push_back(std::move(remark.message));
  return std::move(document.arrays);
}

std::vector<Cell> read_vector(const SourcePointer& source, Remarks* remarks) {
  Remarks all;
  std::vector<Array> arrays = read_matrix(source, all);
  const Array& last = arrays.back();
  const bool flat = last.shape.size() == 1 || (last.shape.size() == 2 && last.shape[0] == 1);
  if (arrays.size() > 1 || !flat)
    throw Error(source, last.span, {"input.not_a_vector", {}}, how_to_write(source, "input.vector_mend"));
  if (remarks) std::move(all.begin(), all.end(), std::back_inserter(*remarks));
  return std::move(arrays.front().cells);
}

Cell read_number(const SourcePointer& source) {
  Remarks remarks;
  std::vector<Cell> cells = read_vector(source, &remarks);
  if (cells.size() == 1) {
    // 1//2, 1_000: of one number alone nobody has to be told how it was read.
    const Span span = cells[0].span;
    if (!remarks.empty())
      throw Error(source, span, {"input.two_readings", {source->text.substr(span.begin, span.end - span.begin)}},
                  how_to_write(source, "input.number_mend"));
    return std::move(cells[0]);
  }
  if (is_decimal_comma(source, cells)) {
    std::string typed = source->text.substr(cells[0].span.begin, cells[1].span.end - cells[0].span.begin);
    std::string meant = typed;
    meant[meant.find(',')] = '.';
    throw Error(source, {cells[0].span.begin, cells[1].span.end}, {"input.one_number", {}},
                {"input.comma_for_point_mend", {std::move(typed), std::move(meant)}});
  }
  throw Error(source, cells[1].span, {"input.one_number", {}}, how_to_write(source, "input.number_mend"));
}

}  // namespace normtrace::text
