#include "text/read.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "text/characters.h"
#include "text/context.h"
#include "text/groups.h"
#include "text/literal.h"
#include "text/rows.h"

namespace normtrace::text {

namespace {

using Kind = Token::Kind;

// Methods that give back the same numbers.
constexpr std::string_view harmless_methods[] = {
    ".tolist", ".numpy",  ".detach",         ".cpu",  ".cuda",       ".to",   ".float", ".double", ".clone", ".astype",
    ".data",   ".values", ".requires_grad_", ".half", ".contiguous", ".eval", ".copy"};
// Words of a declaration that are no part of the name.
constexpr std::string_view declaration_words[] = {"auto",   "const",    "constexpr", "static", "let",     "mut",
                                                  "var",    "val",      "double",    "float",  "int",     "long",
                                                  "short",  "unsigned", "new",       "final",  "local",   "my",
                                                  "public", "half",     "real",      "define", "float32", "float64"};
constexpr std::string_view declaration_types[] = {
    "std::vector", "std::array",    "vector", "array", "std::initializer_list", "torch::Tensor", "at::Tensor", "Tensor",
    "valarray",    "std::valarray", "List",   "Vec"};

template <std::size_t n>
bool holds(const std::string_view (&table)[n], std::string_view word) {
  return std::find(std::begin(table), std::end(table), word) != std::end(table);
}

// Goes through a text line by line and hands brackets to Groups, all else to Rows.
class Reader {
 public:
  Reader(const SourcePointer& source, Document& document)
      : context_(source, document),
        groups_(context_),
        rows_(context_, groups_),
        document_(document),
        first_array_(document.arrays.size()) {}

  void run() {
    const std::vector<Token>& tokens = context_.tokens();
    for (std::uint32_t first = 0; first < tokens.size();) {
      std::uint32_t last = first;
      while (last < tokens.size() && tokens[last].kind != Kind::newline)
        last = tokens[last].kind == Kind::open ? tokens[last].match + 1 : last + 1;
      if (last > first) read_line(first, last);
      line_before_ = first;
      first = last + 1;
    }
    finish_rows();
    if (const Span span = pending_span_; !rows_.take_pending_name().empty())
      context_.fail(span, "input.name_without_numbers", {std::string(context_.name(pending_first_, pending_last_))},
                    "input.name_without_numbers_mend");
    settle_text_lines();
    note_precision();
    drop_scalars_beside_brackets();
    merge_spaced_column();
    if (document_.arrays.size() == first_array_) fail_empty();
  }

 private:
  struct TextLine {
    std::uint32_t odd;  // the word that makes it one
    Span line;
  };

  void finish_rows() {
    const std::size_t before = document_.arrays.size();
    rows_.finish();
    for (std::size_t i = before; i < document_.arrays.size(); ++i) row_arrays_.push_back(i);
  }

  void read_line(std::uint32_t first, std::uint32_t last) {
    const bool typed = context_.token(first).kind == Kind::prompt;
    if (typed) ++first;
    if (first == last) return;
    const Token& begin = context_.token(first);
    if (begin.kind == Kind::border) {
      read_border();
      return;
    }
    if (begin.after_blank_line && rows_.ends_at_blank_line()) finish_rows();
    if (is_rule(first, last)) return;
    if (read_heading(first, last) || read_indexed(first, last) || read_type_tag(first, last) || read_item(first, last))
      return;
    const std::vector<Token>& tokens = context_.tokens();
    const auto outside = [&](Kind kind) {
      for (std::uint32_t i = first; i < last; i = tokens[i].kind == Kind::open ? tokens[i].match + 1 : i + 1)
        if (tokens[i].kind == kind) return true;
      return false;
    };
    if (outside(Kind::open)) {
      if (outside(Kind::bar)) {
        rows_.read_vector_cells(first, last);
      } else {
        read_statement_of(first, last, typed);
      }
      return;
    }
    const auto numbers = std::count_if(tokens.begin() + first, tokens.begin() + last,
                                       [&](const Token& token) { return context_.is_numeric(token); });
    if (typed && numbers < 2) return;  // code without data
    if (tokens[last - 1].kind == Kind::assign) {
      name_what_follows(first, last);
    } else {
      read_row(first, last);
    }
  }

  // A ruled line of a table: +-----+-----+
  [[nodiscard]] bool is_rule(std::uint32_t first, std::uint32_t last) const {
    return last - first >= 3 &&
           std::all_of(context_.tokens().begin() + first, context_.tokens().begin() + last, [](const Token& token) {
             return token.kind == Kind::bar || ((token.kind == Kind::symbol || token.kind == Kind::assign) &&
                                                std::string_view("-+=:~").find(token.mark) != std::string_view::npos);
           });
  }

  void name_what_follows(std::uint32_t first, std::uint32_t last) {
    const bool equals = context_.token(last - 1).mark == '=';
    finish_rows();
    rows_.begin_named(first, last, equals);
    pending_first_ = first;
    pending_last_ = last;
    pending_span_ = context_.span(first, last);
  }

  // A line with words among its numbers, or without numbers below rows, is text if brackets hold the data and a mistake
  // otherwise; which, the end will tell.
  void read_row(std::uint32_t first, std::uint32_t last) {
    const std::uint32_t odd = odd_word(first, last);
    if (odd == last) {
      rows_.read_line(first, last);
    } else if (!first_text_line_) {
      first_text_line_ = TextLine{odd, context_.span(first, last)};
    }
  }
  // The word that makes the line one of text; `last` if none does.
  [[nodiscard]] std::uint32_t odd_word(std::uint32_t first, std::uint32_t last) const {
    for (std::uint32_t i = first; i < last; ++i) {
      const Token& token = context_.token(i);
      if (token.kind == Kind::assign || token.kind == Kind::bar || (token.tabs > 0 && i > first)) return last;
    }
    bool number = false;
    for (std::uint32_t i = first; i < last; ++i) {
      const Token& token = context_.token(i);
      if (token.kind == Kind::semicolon) number = false;
      if (context_.is_numeric(token)) {
        number = true;
      } else if (number && (token.kind == Kind::word || token.kind == Kind::string)) {
        return i;
      }
    }
    return number || !rows_.has_rows() ? last : first;
  }

  void settle_text_lines() {
    if (!first_text_line_) return;
    if (any_bracket_) {
      note_ignored(first_text_line_->line);
      return;
    }
    const Token& odd = context_.token(first_text_line_->odd);
    if (odd.begin != first_text_line_->line.begin) context_.fail_not_a_number(odd);
    context_.fail(first_text_line_->line, "input.name_without_numbers",
                  {shortened(context_.text(first_text_line_->line))}, "input.name_without_numbers_mend");
  }

  void note_ignored(Span span) { context_.note_once(span, "input.text_ignored", {shortened(context_.text(span))}); }
  static std::string shortened(std::string_view text) {
    constexpr std::size_t most = 60;
    if (text.size() <= most) return std::string(text);
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return std::string(text.substr(0, end)) + "…";
  }

  void read_border() {
    finish_rows();
    rows_.leave_pending_name();
    if (document_.arrays.size() > batch_begin_ && document_.arrays.size() > first_array_) ++context_.batch;
    batch_begin_ = document_.arrays.size();
  }

  // Lines that say how what follows is laid out.
  bool read_heading(std::uint32_t first, std::uint32_t last) {
    const Token& begin = context_.token(first);
    const std::string_view word = context_.text(begin);
    if (begin.kind == Kind::word && (word == "Columns" || word == "Column") && first + 1 < last &&
        context_.token(first + 1).kind == Kind::number) {
      rows_.begin_columns(first + 1);
      std::uint32_t i = first + 2;
      if (i + 1 < last && context_.token(i).kind == Kind::word && context_.token(i + 1).kind == Kind::number) i += 2;
      if (i < last && context_.token(i).kind == Kind::assign) ++i;
      if (i < last) rows_.read_line(i, last);
      return true;
    }
    if (begin.kind == Kind::number && first + 2 == last && context_.token(first + 1).kind == Kind::symbol &&
        context_.token(first + 1).mark == '*') {
      if (word.substr(0, 4) != "1.0e" && word.substr(0, 4) != "1.0E")
        context_.fail(begin, "input.old_factor", {}, "input.old_factor_mend");
      rows_.set_factor(first);
      return true;
    }
    if (begin.kind == Kind::comma && first + 2 < last && context_.token(first + 1).kind == Kind::comma)
      context_.fail(context_.span(first, last), "input.last_axis_slices", {}, "input.last_axis_slices_mend");
    return read_slice_heading(first, last) || read_description(first, last);
  }

  // (1,.,.) = of libtorch; (:,:,1) = of MATLAB
  bool read_slice_heading(std::uint32_t first, std::uint32_t last) {
    if (context_.token(last - 1).kind != Kind::assign || last < first + 2 ||
        context_.token(last - 2).kind != Kind::close)
      return false;
    const std::uint32_t close = last - 2;
    const std::uint32_t open = context_.token(close).match;
    if (context_.token(open).mark != '(') return false;
    bool points = false;
    bool colons = false;
    for (std::uint32_t i = open + 1; i < close; ++i) {
      points = points || (context_.token(i).kind == Kind::symbol && context_.token(i).mark == '.');
      colons = colons || (context_.token(i).kind == Kind::assign && context_.token(i).mark == ':');
    }
    if (colons) context_.fail(context_.span(first, last), "input.last_axis_slices", {}, "input.last_axis_slices_mend");
    if (!points || open != first) return false;
    rows_.begin_slice(open);
    return true;
  }

  // What stands around the numbers in prints of pandas and Julia: dtype: float64, 3-element Vector{Float64}:
  bool read_description(std::uint32_t first, std::uint32_t last) {
    static constexpr std::string_view words[] = {"dtype", "Name", "Length", "Freq", "shape", "device"};
    const Token& begin = context_.token(first);
    if (begin.kind == Kind::word && holds(words, context_.text(begin)) && first + 1 < last &&
        context_.token(first + 1).kind == Kind::assign) {
      rows_.finish_series();
      return true;
    }
    if (context_.token(last - 1).kind != Kind::assign || context_.token(last - 1).mark != ':') return false;
    static constexpr std::string_view types[] = {"Vector", "Matrix", "Array"};
    for (std::uint32_t i = first; i + 1 < last; ++i) {
      const Token& next = context_.token(i + 1);
      if (!holds(types, context_.text(context_.token(i))) || next.kind != Kind::open || next.mark != '{') continue;
      finish_rows();
      rows_.expect_vector();
      return true;
    }
    return false;
  }

  // R: [1] 1 2 3; [1,] 1 2 3; [,1] [,2]; [[1]]
  bool read_indexed(std::uint32_t first, std::uint32_t last) {
    const Token& begin = context_.token(first);
    if (begin.kind != Kind::open || begin.mark != '[') return false;
    const std::uint32_t close = begin.match;
    const std::uint32_t size = close - first - 1;
    const auto kind = [&](std::uint32_t ahead) { return context_.token(first + 1 + ahead).kind; };
    if (size == 2 && kind(0) == Kind::comma && kind(1) == Kind::number) return true;
    if (size == 3 && kind(0) == Kind::open && kind(1) == Kind::number && close + 1 == last &&
        next_line_is_indexed(last)) {
      finish_rows();
      return true;
    }
    const bool wraps = size == 1 && kind(0) == Kind::number;
    const bool row = size == 2 && kind(0) == Kind::number && kind(1) == Kind::comma;
    if (!(wraps || row) || close + 1 >= last || !context_.is_numeric(context_.token(close + 1))) return false;
    rows_.read_indexed(close + 1, last, wraps);
    return true;
  }
  [[nodiscard]] bool next_line_is_indexed(std::uint32_t newline) const {
    const std::uint32_t next = newline + 1;
    return next + 4 < context_.tokens().size() && context_.token(next).kind == Kind::open &&
           context_.token(next).match == next + 2 && context_.token(next + 3).kind == Kind::number;
  }

  // [ CPUFloatType{2,3} ], [torch.FloatTensor of size 2x3], [3 rows x 2 columns]
  bool read_type_tag(std::uint32_t first, std::uint32_t last) {
    const Token& begin = context_.token(first);
    if (begin.kind != Kind::open || begin.mark != '[' || begin.match + 1 != last) return false;
    const std::string_view inside = context_.text(context_.span(first + 1, begin.match));
    if (inside.find(" rows x ") != std::string_view::npos) return true;
    const std::size_t brace = inside.find_last_of('{');
    const std::size_t size = inside.find("of size ");
    if (context_.token(first + 1).kind != Kind::word || inside[0] == '\\') return false;
    if (brace == std::string_view::npos && size == std::string_view::npos) return false;
    std::string_view extents = brace != std::string_view::npos ? inside.substr(brace + 1) : inside.substr(size + 8);
    extents = extents.substr(0, extents.find_first_of("}(\n"));
    std::vector<std::size_t> shape;
    std::size_t extent = 0;
    bool digits = false;
    for (const char c : std::string(extents) + ",") {
      if (c >= '0' && c <= '9') {
        extent = std::min<std::size_t>(extent * 10 + static_cast<std::size_t>(c - '0'), most_numbers + 1);
        digits = true;
      } else if (digits) {
        shape.push_back(extent);
        extent = 0;
        digits = false;
      }
    }
    const std::size_t before = document_.arrays.size();
    rows_.finish_with_shape(shape);
    for (std::size_t i = before; i < document_.arrays.size(); ++i) shaped_rows_ = true;
    return true;
  }

  // - 1 or - - 1: a list of YAML; - 猫 1 2 or * 1 2: one of Markdown.
  bool read_item(std::uint32_t first, std::uint32_t last) {
    std::uint32_t marks = 0;
    while (first + marks + 1 < last && is_bullet(first + marks)) ++marks;
    if (marks == 0) return false;
    const std::uint32_t begin = first + marks;
    // One bullet makes no list: it may have been a sign or an operator.
    if (context_.is_numeric(context_.token(begin)) && !is_listed(first, last)) {
      const std::string sign(context_.text(context_.token(begin - 1)));
      context_.fail(context_.token(begin - 1), "input.lone_sign", {sign}, "input.lone_sign_mend", {sign});
    }
    if (last - begin == 1 && context_.is_numeric(context_.token(begin)) && context_.token(first).mark == '-') {
      rows_.read_item(begin, last, marks > 1);
      return true;
    }
    read_line(begin, last);
    return true;
  }
  [[nodiscard]] bool is_bullet(std::uint32_t i) const {
    const Token& token = context_.token(i);
    const bool sign = token.kind == Kind::symbol && (token.mark == '-' || token.mark == '*' || token.mark == '+');
    return (sign || context_.text(token) == "•") && context_.token(i + 1).gap;
  }
  // The line before or behind begins with the same bullet, or the line before names what follows.
  [[nodiscard]] bool is_listed(std::uint32_t first, std::uint32_t last) const {
    const std::vector<Token>& tokens = context_.tokens();
    const auto same = [&](std::uint32_t i) {
      return i + 1 < tokens.size() && is_bullet(i) && tokens[i].mark == tokens[first].mark;
    };
    return same(last + 1) || (first > 1 && (tokens[first - 2].kind == Kind::assign || same(line_before_)));
  }

  void read_statement_of(std::uint32_t first, std::uint32_t last, bool typed) {
    const std::size_t before = document_.arrays.size();
    try {
      read_statement(first, last);
    } catch (const Error& error) {
      if (!typed || error.wrong.id != "input.code") throw;
      document_.arrays.resize(before);
      context_.note_once(context_.span(first, last), "input.code_ignored",
                         {shortened(context_.text(context_.span(first, last)))});
    }
  }

  // Brackets with names before them: x = tensor([…]); 猫[1,2] 狗[3,4]; float x[2] = {1.5f, 2.f};
  void read_statement(std::uint32_t first, std::uint32_t last) {
    finish_rows();
    rows_.refuse_factor();
    std::uint32_t label = first;
    bool after_data = false;
    for (std::uint32_t i = first; i < last;) {
      const Token& token = context_.token(i);
      if (token.kind == Kind::open) {
        const std::uint32_t next = token.match + 1;
        if (is_part_of_label(i, last)) {
          i = next;
          continue;
        }
        refuse_operator_before(label, i);
        if (emit(label, i)) {
          any_bracket_ = after_data = true;
          i = label = skip_methods(next, last);
        } else {
          if (label_is_wholly_call(label, i)) label = next;
          i = next;
        }
        continue;
      }
      if (after_data && i == label) {
        if (token.kind == Kind::comma || token.kind == Kind::semicolon || token.kind == Kind::assign) {
          label = ++i;
          continue;
        }
        refuse_after_data(i);
        after_data = false;
      }
      ++i;
    }
    read_rest_of_line(label, last);
  }

  // Nothing was before a call without data, such as torch.Size([2, 3]).
  [[nodiscard]] bool label_is_wholly_call(std::uint32_t label, std::uint32_t open) const {
    return groups_.is_call(open) && groups_.callee(open) == label;
  }

  void read_rest_of_line(std::uint32_t label, std::uint32_t last) {
    while (label < last && (context_.token(label).kind == Kind::tag || context_.token(label).kind == Kind::comma))
      ++label;
    if (label >= last) return;
    if (context_.token(last - 1).kind == Kind::assign) {
      name_what_follows(label, last);
      return;
    }
    note_ignored(context_.span(label, last));
  }

  // Brackets before a bracket's worth: an index, a type, a remark: x[4] =, x: [f64; 3] =, double[] x, x (input): …
  bool is_part_of_label(std::uint32_t open, std::uint32_t last) const {
    const Token& token = context_.token(open);
    const std::uint32_t next = token.match + 1;
    if (next < last && context_.token(next).kind == Kind::assign &&
        !(context_.token(next).mark == '>' && !groups_.is_call(open)))
      return true;
    if (groups_.is_call(open) && token.mark == '[') {
      const bool empty = token.match == open + 1;
      const bool another = next < last && context_.token(next).kind == Kind::open;
      const bool known = call_of(context_.text(context_.token(groups_.callee(open)))) != Call::unknown;
      if (empty || (another && !known)) return true;
    }
    if (token.mark != '(' || groups_.is_call(open)) return false;
    return std::none_of(context_.tokens().begin() + open + 1, context_.tokens().begin() + token.match,
                        [&](const Token& inner) { return inner.kind == Kind::open || context_.is_numeric(inner); }) &&
           token.match > open + 1;
  }

  bool emit(std::uint32_t label, std::uint32_t open) {
    std::uint32_t name_end = open;
    if (groups_.is_call(open)) {
      const std::uint32_t function = groups_.callee(open);
      const std::string_view word = context_.text(context_.token(function));
      const bool names = call_of(word) == Call::unknown &&
                         (context_.token(open).mark != '(' || static_cast<unsigned char>(word[0]) >= 0x80);
      if (!names) name_end = function;
      if (names && context_.token(open).mark == '(') return emit_named_parenthesis(label, open);
    }
    std::string name = label_name(label, name_end);
    if (is_description_name(name)) return true;
    if (name.empty()) {
      name = rows_.take_pending_name();
    } else {
      rows_.leave_pending_name();
    }
    return groups_.emit(open, name);
  }
  // 猫(1, 2, 3)
  bool emit_named_parenthesis(std::uint32_t label, std::uint32_t open) {
    rows_.leave_pending_name();
    return groups_.emit_list(open, label_name(label, open));
  }

  // The name in a label: the last part between assignments that says more than a type. `open`: what the label stands before.
  std::string label_name(std::uint32_t first, std::uint32_t open) {
    const std::vector<Token>& tokens = context_.tokens();
    std::string name;
    std::uint32_t begin = first;
    for (std::uint32_t i = first; i <= open; ++i) {
      if (i < open && tokens[i].kind == Kind::open) i = std::min(tokens[i].match, open);
      if (i < open && tokens[i].kind != Kind::assign) continue;
      if (std::string part = label_part(begin, i, i < open); !part.empty()) name = std::move(part);
      begin = i + 1;
    }
    return name;
  }
  // Without declarations, types, list marks: float x[4], auto x, std::vector<float> x.
  std::string label_part(std::uint32_t first, std::uint32_t last, bool assigned) {
    const std::vector<Token>& tokens = context_.tokens();
    const auto is_mark = [&](std::uint32_t i) {
      return tokens[i].kind == Kind::symbol || tokens[i].kind == Kind::tag || tokens[i].kind == Kind::comma ||
             tokens[i].kind == Kind::semicolon;
    };
    while (first < last && is_mark(first)) ++first;
    while (first < last && is_mark(last - 1)) --last;
    bool declaration = false;
    while (first < last && tokens[first].kind == Kind::word &&
           (holds(declaration_types, context_.text(tokens[first])) ||
            holds(declaration_words, context_.text(tokens[first])))) {
      if (first + 1 == last && assigned && !declaration) break;  // a variable that is named like a type
      declaration = true;
      ++first;
      while (first < last && (is_mark(first) || tokens[first].kind == Kind::open))
        first = tokens[first].kind == Kind::open ? std::min(tokens[first].match, last - 1) + 1 : first + 1;
    }
    if (first < last && tokens[first].kind == Kind::open) return {};  // [f64; 3]
    if (declaration)                                                  // the extents of an array
      for (std::uint32_t i = first; i < last; ++i)
        if (tokens[i].kind == Kind::open) last = i;
    if (last - first == 1 && tokens[first].kind == Kind::number && !assigned)
      context_.fail(tokens[first], "input.number_outside", {}, "input.number_outside_mend");
    if (!assigned && first < last) check_label(first, last);
    return context_.name(first, last);
  }

  // 2^3 [1, 2]; a sentence before the bracket is no name of this kind.
  void check_label(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first + 1; i < last; ++i)
      if (context_.token(i).gap) return;
    context_.check_name(first, last, true);
  }

  void refuse_operator_before(std::uint32_t label, std::uint32_t open) const {
    const std::uint32_t value = groups_.is_call(open) ? groups_.callee(open) : open;
    if (value <= label) return;
    const Token& before = context_.token(value - 1);
    if (before.kind != Kind::symbol) return;
    const bool operand_before = value - 1 > label && (context_.token(value - 2).kind == Kind::number ||
                                                      context_.token(value - 2).kind == Kind::close);
    const bool glued = !context_.token(value).gap;
    const bool dash_after_name = before.mark == '-' && !operand_before && !glued;
    if (dash_after_name || before.mark == '>' || before.mark == '"' || before.mark == '\'') return;
    if (before.mark == '*' && !operand_before) return;  // **name** [1, 2]
    context_.fail(before, "input.expression", {std::string(context_.text(before))}, "input.code_mend");
  }

  // .tolist() and its kin change nothing; any other method or operator is code.
  std::uint32_t skip_methods(std::uint32_t i, std::uint32_t last) const {
    while (i < last && context_.token(i).kind == Kind::word && !context_.token(i).gap &&
           context_.text(context_.token(i))[0] == '.') {
      const std::string_view method = context_.text(context_.token(i));
      if (!holds(harmless_methods, method))
        context_.fail(context_.token(i), "input.code", {std::string(method)}, "input.code_mend");
      ++i;
      if (i < last && context_.token(i).kind == Kind::open && !context_.token(i).gap) i = context_.token(i).match + 1;
    }
    if (i >= last || context_.token(i).kind != Kind::symbol) return i;
    const Token& sign = context_.token(i);
    const bool power_t =
        sign.mark == '^' && i + 1 < last &&
        (context_.text(context_.token(i + 1)) == "T" || context_.text(context_.token(i + 1)) == "\\top");
    if (sign.mark == '\'' || power_t) {
      if (document_.arrays.back().shape.size() > 1)
        context_.fail(sign, "input.transposed", {}, "input.transposed_mend");
      return i + (power_t ? 2 : 1);
    }
    return i;
  }
  void refuse_after_data(std::uint32_t i) const {
    const Token& token = context_.token(i);
    if (token.kind == Kind::number) context_.fail(token, "input.number_outside", {}, "input.number_outside_mend");
    static constexpr std::string_view operators = "+-*/@^%&!<";
    if (token.kind == Kind::symbol && operators.find(token.mark) != std::string_view::npos)
      context_.fail(token, "input.expression", {std::string(context_.text(token))}, "input.code_mend");
  }

  // Numbers such as `eps = 1e-5` or `mean: 0` beside arrays in brackets are no tokens.
  void drop_scalars_beside_brackets() {
    if (!any_bracket_) return;
    std::size_t kept = first_array_;
    std::size_t row = 0;
    for (std::size_t i = first_array_; i < document_.arrays.size(); ++i) {
      const bool from_rows = row < row_arrays_.size() && row_arrays_[row] == i;
      if (from_rows) ++row;
      if (from_rows && document_.arrays[i].width() == 1) {
        note_ignored(document_.arrays[i].span);
      } else {
        if (kept != i) document_.arrays[kept] = std::move(document_.arrays[i]);
        ++kept;
      }
    }
    document_.arrays.resize(kept);
  }

  // Numbers that were all printed in scientific form with the same number of digits are rounded to these.
  void note_precision() {
    for (std::size_t i = first_array_; i < document_.arrays.size(); ++i) {
      const Array& array = document_.arrays[i];
      int digits = 0;
      bool last_used = false;  // 1.0000e+00 alone says nothing of rounding
      const bool rounded = std::all_of(array.cells.begin(), array.cells.end(), [&](const Cell& cell) {
        if (digits == 0 && !cell.value.is_zero()) digits = cell.significant;
        const std::string_view written = context_.text(cell.span);
        const std::size_t mark = written.find_first_of("eE");
        last_used = last_used || (mark != std::string_view::npos && mark > 0 && written[mark - 1] != '0');
        return cell.point && cell.exponent && (cell.value.is_zero() || cell.significant == digits);
      });
      constexpr int fewest_digits = 3;
      constexpr int most_digits = 6;  // 7 and more is a float32 in full
      if (rounded && last_used && array.cells.size() > 1 && digits >= fewest_digits && digits <= most_digits)
        context_.note_once(array.span, "input.printed_digits", {std::to_string(digits)});
    }
  }

  // One number a line with blank lines between is one vector.
  void merge_spaced_column() {
    std::vector<Array>& arrays = document_.arrays;
    const std::size_t count = arrays.size() - first_array_;
    if (count < 2 || row_arrays_.size() != count) return;
    const bool singles =
        std::all_of(arrays.begin() + static_cast<std::ptrdiff_t>(first_array_), arrays.end(), [&](const Array& array) {
          return array.cells.size() == 1 && array.name.empty() && array.batch == arrays[first_array_].batch;
        });
    if (!singles) return;
    Array& vector = arrays[first_array_];
    for (std::size_t i = first_array_ + 1; i < arrays.size(); ++i) {
      vector.span.end = arrays[i].span.end;
      vector.cells.push_back(std::move(arrays[i].cells[0]));
    }
    vector.shape = {count};
    context_.note(vector.span, "input.column", {std::to_string(count)});
    arrays.resize(first_array_ + 1);
  }

  [[noreturn]] void fail_empty() const {
    const std::string& text = context_.source()->text;
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos)
      throw Error(context_.source(), {0, 0}, {"input.no_numbers", {}}, {"input.no_numbers_mend", {}});
    // The first word that looks like a number tells more than that there is none.
    for (const Token& token : context_.tokens()) {
      const bool word = token.kind == Kind::word || token.kind == Kind::string;
      const std::string start = normalized_text(context_.text(token).substr(0, 12));
      const std::size_t sign = start.find_first_not_of("+-.");
      if (word && sign != std::string::npos && is_digit(static_cast<unsigned char>(start[sign])))
        context_.fail_not_a_number(token);
    }
    const std::size_t end = text.find_first_of("\r\n", begin);
    context_.fail({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::min(end, text.size()))},
                  "input.no_numbers", {}, "input.no_numbers_mend");
  }

  Context context_;
  Groups groups_;
  Rows rows_;
  Document& document_;
  std::size_t first_array_;
  std::size_t batch_begin_ = 0;
  std::vector<std::size_t> row_arrays_;
  std::optional<TextLine> first_text_line_;
  bool any_bracket_ = false;
  bool shaped_rows_ = false;
  std::uint32_t line_before_ = 0;  // the first token of the line before
  std::uint32_t pending_first_ = 0;
  std::uint32_t pending_last_ = 0;
  Span pending_span_;
};

}  // namespace

Document read(const SourcePointer& source) {
  Document document;
  Reader(source, document).run();
  return document;
}

namespace {

// A run of words that belong together.
struct Chunk {
  std::size_t first = 0;
  std::size_t last = 0;
  std::string text;
  long depth = 0;         // brackets still open
  std::size_t batch = 0;  // how many borders stand before it
  bool brackets = false;
  bool commas = false;
  bool name_only = false;

  [[nodiscard]] bool wants_more() const {
    if (depth > 0) return true;
    const std::size_t end = text.find_last_not_of(' ');
    if (end == std::string::npos) return false;
    static constexpr std::string_view ends[] = {",", "=", ":", "，", "、", "＝", "：", "->", "<-"};
    const std::string_view kept = std::string_view(text).substr(0, end + 1);
    return std::any_of(std::begin(ends), std::end(ends), [&](std::string_view mark) {
      return kept.size() >= mark.size() && kept.substr(kept.size() - mark.size()) == mark;
    });
  }
};

struct WordShape {
  long depth = 0;
  bool opens = false;  // begins with a bracket
  bool brackets = false;
  bool commas = false;
  bool assigns = false;
  bool continues = false;  // begins with a separator
  bool digits = false;
  bool line_break = false;
  bool bare_number = false;
};

WordShape shape_of(std::string_view word) {
  WordShape shape;
  for (std::uint32_t at = 0; at < word.size();) {
    const Character c = character_at(word, at);
    const bool first = at == 0;
    at += c.length;
    switch (c.code) {
      case '[':
      case '(':
      case '{':
        ++shape.depth;
        shape.brackets = true;
        shape.opens = shape.opens || first;
        break;
      case ']':
      case ')':
      case '}': --shape.depth; break;
      case ',':
      case ';':
        shape.commas = true;
        shape.continues = shape.continues || first;
        break;
      case '=':
      case ':':
        shape.assigns = true;
        shape.continues = shape.continues || first;
        break;
      case '\n': shape.line_break = true; break;
      default: shape.digits = shape.digits || is_digit(c.code); break;
    }
  }
  Literal literal;
  shape.bare_number = scan_literal(word, 0, literal) && literal.end == word.size();
  static constexpr std::string_view special[] = {"nan", "NaN", "inf", "-inf", "Inf", "-Inf"};
  shape.bare_number = shape.bare_number || std::find(std::begin(special), std::end(special), word) != std::end(special);
  return shape;
}

bool belongs(const Chunk& chunk, const WordShape& word) {
  if (chunk.text.empty()) return false;
  if (chunk.wants_more() || word.continues) return true;
  if (word.bare_number) return !chunk.brackets && !chunk.commas;
  return chunk.name_only && word.opens;
}

}  // namespace

Document read_words(std::span<const std::string> words, std::size_t first) {
  std::vector<Chunk> chunks;
  bool border = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == batch_border) {
      border = true;
      continue;
    }
    const WordShape word = shape_of(words[i]);
    if (chunks.empty() || border || !belongs(chunks.back(), word)) {
      const std::size_t batch = chunks.empty() ? 0 : chunks.back().batch + (border ? 1 : 0);
      border = false;
      chunks.emplace_back();
      chunks.back().batch = batch;
      chunks.back().first = i + first;
      chunks.back().name_only =
          !word.brackets && !word.commas && !word.assigns && !word.bare_number && !word.line_break;
    } else {
      chunks.back().text += ' ';
    }
    Chunk& chunk = chunks.back();
    chunk.last = i + first;
    chunk.text += words[i];
    chunk.depth = std::max(0L, chunk.depth + word.depth);
    chunk.brackets = chunk.brackets || word.brackets || word.line_break;
    chunk.commas = chunk.commas || word.commas;
  }
  if (chunks.empty()) {  // borders and nothing between them
    const SourcePointer source = argument_source(first, first, std::string(batch_border));
    throw Error(source, {0, static_cast<std::uint32_t>(source->text.size())}, {"input.no_numbers", {}},
                {"input.no_numbers_mend", {}});
  }
  Document document;
  for (Chunk& chunk : chunks) {
    const std::size_t before = document.arrays.size();
    Reader(argument_source(chunk.first, chunk.last, std::move(chunk.text)), document).run();
    for (std::size_t i = before; i < document.arrays.size(); ++i) document.arrays[i].batch += chunk.batch;
  }
  return document;
}

bool looks_like_vector(std::string_view word) {
  const WordShape shape = shape_of(word);
  if (shape.bare_number || shape.opens || shape.line_break) return true;
  if (!word.empty() && (character_at(word, 0).code == '"' || character_at(word, 0).code == '\'')) return shape.brackets;
  return shape.brackets || (shape.assigns && !shape.continues) || (shape.commas && shape.digits);
}

}  // namespace normtrace::text
