#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/context.h"

namespace normtrace::text {

// What the name before a bracket makes of it.
enum class Call : std::uint8_t {
  unknown,     // code that would have to be run
  wrap,        // one argument is the data: tensor([1, 2], dtype=float32), np.float64(1.5)
  list,        // the arguments are the elements: c(1, 2), stack([…], […])
  fraction,    // Fraction(1, 3)
  arithmetic,  // sqrt(2)
  nothing,     // no data: torch.Size([2, 3])
};
Call call_of(std::string_view function);

// Reads what stands in brackets: nested lists, calls, dictionaries, records, matrices with `;`.
class Groups {
 public:
  explicit Groups(Context& context) : context_(context) {}

  // True if the bracket at `open` follows a name without a gap: f(…), vec![…].
  [[nodiscard]] bool is_call(std::uint32_t open) const;
  // Index of that name.
  [[nodiscard]] std::uint32_t callee(std::uint32_t open) const;

  // Adds the arrays that the bracket at `open` holds to the document: one, or one for each member of a dictionary.
  // False if it holds no data by its nature (torch.Size, an empty argument list of a call that is not data).
  bool emit(std::uint32_t open, const std::string& name);
  // The same for 猫(1, 2, 3), where the word before is the name of a token.
  bool emit_list(std::uint32_t open, const std::string& name);

 private:
  struct Element {
    std::uint32_t key = 0;  // index of the token before = or :
    bool keyed = false;
    std::uint32_t first = 0;  // tokens [first, last) of the value; empty for `key=` alone
    std::uint32_t last = 0;
  };
  enum class Form : std::uint8_t { number, text, list, fraction, nothing };
  struct Value {
    Form form = Form::nothing;
    std::uint32_t at = 0;  // the token of a number or text, or the opening bracket
    // Tokens [first, last) of the shape that was printed with it; none if they are equal.
    std::uint32_t shape_first = 0;
    std::uint32_t shape_last = 0;
  };
  // Walks over the elements of a bracket, complaining of empty ones.
  class Walk;
  using Shape = std::vector<std::size_t>;
  // The elements of a bracket, as far as they decide whether it only wraps one of them.
  struct Content {
    Element data;                // the last that may be data
    std::size_t candidates = 0;  // how many may be
    std::size_t elements = 0;
    bool trailing_comma = false;
    Element shape;  // shape=(2, 3); empty if there is none
  };

  // What the name before the bracket, or else its own mark, makes of it; code is refused.
  [[nodiscard]] Call call_at(std::uint32_t open) const;
  [[nodiscard]] bool is_value(const Element& element) const;
  [[nodiscard]] bool may_be_data(const Element& element) const;
  [[noreturn]] void fail_code(const Token& token) const;
  void refuse_code(const Element& element, Call call) const;
  [[nodiscard]] Content content_of(std::uint32_t open, Call call) const;
  [[nodiscard]] bool only_wraps(std::uint32_t open, Call call, const Content& content) const;
  Value resolve(const Element& element) const;
  Value resolve_call(std::uint32_t open) const;
  [[nodiscard]] bool is_object(Value value) const;
  [[nodiscard]] bool is_pair(Value value) const;
  bool emit_value(Value value, const std::string& name);
  void emit_members(std::uint32_t open, const std::string& name);
  void emit_pair(std::uint32_t open);
  void refuse_sparse(std::uint32_t key) const;
  [[nodiscard]] std::optional<Shape> printed_shape(const Value& value) const;
  void settle_shape(const Value& value, Array& array) const;
  void emit_array(Value value, const std::string& name);
  void add(Array array, const std::string& name, Span span);
  Shape fill(std::uint32_t open, Array& array);
  Shape fill_numbers(std::uint32_t open, Array& array);
  void check_grouping(std::uint32_t open) const;
  Cell fraction(std::uint32_t open);
  Cell number(Value value);

  Context& context_;
  bool in_state_ = false;  // inside a print with running statistics
};

Role role_of(std::string_view name);
// shape, dtype, device …: what describes an array and is never data.
bool is_description_name(std::string_view name);

}  // namespace normtrace::text
