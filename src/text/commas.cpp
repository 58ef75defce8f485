#include "text/commas.h"

#include <string>
#include <vector>

#include "text/characters.h"

namespace normtrace::text {

namespace {

using Kind = Token::Kind;

// How a number is written, as far as commas are concerned.
struct Form {
  std::size_t digits = 0;  // before the first point
  bool leading_zero = false;
  bool whole = true;  // digits alone, with a sign
  bool is_signed = false;
  bool decimals = false;      // digits, one point, digits
  bool points_group = false;  // 1.000 or 1.000.000, as some write thousands
};

Form form_of(std::string_view number) {
  Form form;
  std::size_t points = 0;
  std::size_t since_point = 0;
  bool groups_of_three = true;
  for (std::size_t at = 0; at < number.size();) {
    const Character c = character_at(number, at);
    if (is_digit(c.code)) {
      if (points == 0 && form.digits++ == 0) form.leading_zero = c.code == '0';
      if (points > 0) ++since_point;
    } else if (c.code == '.') {
      groups_of_three = groups_of_three && (points == 0 || since_point == 3);
      ++points;
      since_point = 0;
    } else if (at == 0 && (c.code == '-' || c.code == '+')) {
      form.is_signed = true;
    } else {
      form.whole = groups_of_three = false;
    }
    at += c.length;
  }
  form.leading_zero = form.leading_zero && form.digits > 1;
  form.decimals = form.whole && points == 1;
  form.points_group = form.whole && points > 0 && groups_of_three && since_point == 3 && form.digits <= 3;
  form.whole = form.whole && points == 0 && form.digits > 0;
  return form;
}

// Numbers with commas between and nothing else: 1,234,567.
struct Chain {
  std::uint32_t begin = 0;  // its first number
  std::uint32_t end = 0;    // its last
  std::size_t count = 0;
  Form first;
  bool thousands = true;   // every part behind the first has three digits
  bool decimal = true;     // a whole number and digits: 0,5
  std::uint32_t zero = 0;  // the first part such as 05; 0 if there is none

  [[nodiscard]] bool is_thousands() const { return count > 1 && thousands && first.whole && first.digits <= 3; }
  [[nodiscard]] bool is_decimal() const { return count == 2 && decimal && (first.whole || first.points_group); }
  [[nodiscard]] bool is_one_number() const { return is_thousands() || is_decimal(); }
};

class Commas {
 public:
  explicit Commas(Context& context) : context_(context) {}

  void read(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
      const Token& token = context_.token(i);
      if (token.kind == Kind::semicolon) {
        end_row();
      } else if (token.kind == Kind::open) {
        i = token.match;
        end_chain();
      } else if (token.kind != Kind::number) {
        continue;
      } else if (i > first + 1 && is_tight(i)) {
        extend(i);
      } else {
        if (i > first && context_.token(i - 1).kind == Kind::comma) commas_between_ = true;
        end_chain();
        begin(i);
      }
    }
    end_row();
    if (rows_ > 1 && rows_of_one_pair_ == rows_)
      for (const Chain& chain : pairs_) note(chain);
  }

 private:
  [[nodiscard]] bool is_tight(std::uint32_t i) const {
    const Token& comma = context_.token(i - 1);
    return comma.kind == Kind::comma && !comma.gap && !context_.token(i).gap && chain_.count > 0 && chain_.end == i - 2;
  }
  void begin(std::uint32_t i) {
    chain_ = {};
    chain_.begin = chain_.end = i;
    chain_.count = 1;
    chain_.first = form_of(context_.text(context_.token(i)));
    points_ = points_ || chain_.first.decimals;
  }
  void extend(std::uint32_t i) {
    const Form part = form_of(context_.text(context_.token(i)));
    chain_.end = i;
    ++chain_.count;
    const bool digits = part.whole && !part.is_signed;
    chain_.thousands = chain_.thousands && part.digits == 3 && !part.is_signed && (part.whole || part.decimals);
    chain_.decimal = chain_.decimal && digits;
    if (digits && part.leading_zero && chain_.zero == 0) chain_.zero = i;
  }
  void end_chain() {
    if (chain_.count == 0) return;
    ++chains_;
    if (chain_.count == 1) {
      ++singles_;
    } else {
      regular_ = regular_ && chain_.is_one_number();
      zeros_ = zeros_ || chain_.zero != 0;
      if (candidates_.size() < most_candidates) candidates_.push_back(chain_);
    }
    chain_ = {};
  }
  void end_row() {
    end_chain();
    if (chains_ > 0) ++rows_;
    if (chains_ == 1 && !candidates_.empty()) {
      judge_alone(candidates_.front());
    } else if (!candidates_.empty() && regular_ && (!commas_between_ || singles_ == 0 || zeros_ || points_)) {
      for (const Chain& chain : candidates_) note(chain);
    }
    chains_ = singles_ = 0;
    candidates_.clear();
    regular_ = true;
    commas_between_ = zeros_ = points_ = false;
  }
  // Commas alone part the numbers of this row: only 000 and 05, which nobody writes for a number, tell.
  void judge_alone(const Chain& chain) {
    if (chain.is_decimal()) {
      ++rows_of_one_pair_;
      if (pairs_.size() < most_candidates) pairs_.push_back(chain);
    }
    const bool grouped_by_points = chain.is_decimal() && chain.first.points_group;
    if (chain.zero == 0 && !grouped_by_points) return;
    if (chain.is_one_number()) {
      note(chain);
      return;
    }
    Chain pair = chain;
    pair.begin = chain.zero - 2;
    pair.end = chain.zero;
    pair.count = 2;
    pair.thousands = false;
    note(pair);
  }

  void note(const Chain& chain) {
    const Span span = context_.span(chain.begin, chain.end + 1);
    const std::string written(context_.text(span));
    std::string grouped;
    std::string decimal;
    for (const char c : normalized_text(written)) {
      if (c == ',') {
        decimal += '.';
      } else {
        if (c != '.' || !chain.first.points_group) decimal += c;
        grouped += c;
      }
    }
    const bool only_decimal = !chain.is_thousands() || context_.text(context_.token(chain.begin)) == "0";
    const bool only_grouped = !only_decimal && (chain.count > 2 || !chain.decimal);
    if (only_decimal || only_grouped)
      context_.note_place(span, "input.comma_or_point", {written, only_decimal ? decimal : grouped});
    else
      context_.note_place(span, "input.comma_or_thousands", {written, grouped, decimal});
  }

  static constexpr std::size_t most_candidates = 5;

  Context& context_;
  Chain chain_;
  // Of the row:
  std::vector<Chain> candidates_;
  std::size_t chains_ = 0;
  std::size_t singles_ = 0;
  bool regular_ = true;          // every chain may be one number
  bool commas_between_ = false;  // a comma with a blank stands between two chains
  bool zeros_ = false;
  bool points_ = false;
  // Of all rows:
  std::size_t rows_ = 0;
  std::size_t rows_of_one_pair_ = 0;
  std::vector<Chain> pairs_;
};

}  // namespace

void note_commas(Context& context, std::uint32_t first, std::uint32_t last) { Commas(context).read(first, last); }

}  // namespace normtrace::text
