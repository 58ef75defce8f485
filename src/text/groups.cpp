#include "text/groups.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "text/characters.h"
#include "text/commas.h"
#include "text/ragged.h"

namespace normtrace::text {

namespace {

using Kind = Token::Kind;

struct Function {
  std::string_view name;  // the last part: array of np.array, tensor of torch::tensor
  Call call;
};

constexpr Function functions[] = {
    // tensors and arrays
    {"array", Call::wrap},
    {"Array", Call::wrap},
    {"DeviceArray", Call::wrap},
    {"asarray", Call::wrap},
    {"as_tensor", Call::wrap},
    {"constant", Call::wrap},
    {"convert_to_tensor", Call::wrap},
    {"from_numpy", Call::wrap},
    {"masked_array", Call::wrap},
    {"mat", Call::wrap},
    {"matrix", Call::wrap},
    {"Matrix", Call::wrap},
    {"ndarray", Call::wrap},
    {"NDArray", Call::wrap},
    {"Parameter", Call::wrap},
    {"parameter", Call::wrap},
    {"tensor", Call::wrap},
    {"Tensor", Call::wrap},
    {"to_tensor", Call::wrap},
    {"Variable", Call::wrap},
    {"var", Call::wrap},
    {"nparray", Call::wrap},
    {"Series", Call::wrap},
    // numbers
    {"Decimal", Call::wrap},
    {"double", Call::wrap},
    {"Float", Call::wrap},
    {"float", Call::wrap},
    {"bfloat16", Call::wrap},
    {"float16", Call::wrap},
    {"float32", Call::wrap},
    {"float64", Call::wrap},
    {"float128", Call::wrap},
    {"longdouble", Call::wrap},
    {"half", Call::wrap},
    {"Float16", Call::wrap},
    {"Float32", Call::wrap},
    {"Float64", Call::wrap},
    {"int", Call::wrap},
    {"int8", Call::wrap},
    {"int16", Call::wrap},
    {"int32", Call::wrap},
    {"int64", Call::wrap},
    {"uint8", Call::wrap},
    {"uint16", Call::wrap},
    {"uint32", Call::wrap},
    {"uint64", Call::wrap},
    {"Int32", Call::wrap},
    {"Int64", Call::wrap},
    {"mpf", Call::wrap},
    {"fraction", Call::fraction},
    {"Fraction", Call::fraction},
    {"Rational", Call::fraction},
    // lists
    {"c", Call::list},
    {"dict", Call::list},
    {"list", Call::list},
    {"List", Call::list},
    {"OrderedDict", Call::list},
    {"rbind", Call::list},
    {"row_stack", Call::list},
    {"stack", Call::wrap},
    {"tuple", Call::list},
    {"vcat", Call::list},
    {"vec", Call::list},
    {"vec!", Call::list},
    {"array!", Call::list},
    {"Vector", Call::list},
    {"vector", Call::list},
    {"valarray", Call::list},
    {"vstack", Call::wrap},
    // arithmetic
    {"abs", Call::arithmetic},
    {"cos", Call::arithmetic},
    {"exp", Call::arithmetic},
    {"ln", Call::arithmetic},
    {"log", Call::arithmetic},
    {"pow", Call::arithmetic},
    {"sin", Call::arithmetic},
    {"sqrt", Call::arithmetic},
    // no data
    {"device", Call::nothing},
    {"dtype", Call::nothing},
    {"Place", Call::nothing},
    {"CPUPlace", Call::nothing},
    {"CUDAPlace", Call::nothing},
    {"shape", Call::nothing},
    {"size", Call::nothing},
    {"Size", Call::nothing},
    {"TensorShape", Call::nothing},
};

// Arguments that hold the data of a call when they are named.
constexpr std::string_view data_arguments[] = {"numpy", "data",          "object", "values",
                                               "value", "initial_value", "tensors"};
// Arguments that give the data another shape than it is written in.
constexpr std::string_view shaping_arguments[] = {"nrow", "ncol", "byrow", "dim", "ndmin", "axis", "repeat"};
// Arguments that say where the numbers of a sparse tensor belong.
constexpr std::string_view places_of_sparse[] = {"indices",     "crow_indices", "col_indices", "ccol_indices",
                                                 "row_indices", "indptr",       "dense_shape"};
constexpr std::string_view shape_arguments[] = {"shape", "size"};
// Members of a record that name it.
constexpr std::string_view name_members[] = {"name", "token", "label", "id", "word",
                                             "text", "key",   "名称",  "词", "名字"};
// Members that describe an array and are never data.
constexpr std::string_view description_members[] = {
    "shape", "dtype", "device",     "requires_grad", "stop_gradient",       "place",  "ndim",
    "size",  "mask",  "fill_value", "names",         "num_batches_tracked", "layout", "grad_fn"};

struct RoleName {
  std::string_view name;
  Role role;
};
constexpr RoleName role_names[] = {
    {"running_mean", Role::running_mean},
    {"moving_mean", Role::running_mean},
    {"running_var", Role::running_var},
    {"moving_variance", Role::running_var},
    {"moving_var", Role::running_var},
    {"_mean", Role::running_mean},
    {"_variance", Role::running_var},
    {"mean", Role::mean},
    {"var", Role::var},
    {"variance", Role::var},
    {"weight", Role::weight},
    {"gamma", Role::weight},
    {"scale", Role::weight},
    {"bias", Role::bias},
    {"beta", Role::bias},
};

template <std::size_t n>
bool holds(const std::string_view (&table)[n], std::string_view word) {
  return std::find(std::begin(table), std::end(table), word) != std::end(table);
}

std::string_view last_part(std::string_view function) {
  const std::size_t separator = function.find_last_of(".:");
  return separator == std::string_view::npos ? function : function.substr(separator + 1);
}

bool is_running(Role role) { return role == Role::running_mean || role == Role::running_var; }

}  // namespace

Call call_of(std::string_view function) {
  std::string_view name = last_part(function);
  const auto find = [](std::string_view wanted) {
    return std::find_if(std::begin(functions), std::end(functions),
                        [&](const Function& entry) { return entry.name == wanted; });
  };
  if (const auto* const found = find(name); found != std::end(functions)) return found->call;
  // \sqrt{2} and Sqrt[2] are what sqrt(2) is.
  if (name.substr(0, 1) == "\\") name.remove_prefix(1);
  std::string small(name.substr(0, 8));
  if (!small.empty() && small[0] >= 'A' && small[0] <= 'Z') small[0] = static_cast<char>(small[0] - 'A' + 'a');
  const auto* const found = find(small);
  if (name.size() == small.size() && found != std::end(functions) && found->call == Call::arithmetic)
    return Call::arithmetic;
  // FloatTensor, LongTensor, EagerTensor …
  return name.size() > 6 && name.substr(name.size() - 6) == "Tensor" ? Call::wrap : Call::unknown;
}

Role role_of(std::string_view name) {
  const std::string_view last = last_part(name);
  const auto* const found = std::find_if(std::begin(role_names), std::end(role_names),
                                         [&](const RoleName& entry) { return entry.name == last; });
  return found == std::end(role_names) ? Role::data : found->role;
}

bool is_description_name(std::string_view name) { return holds(description_members, last_part(name)); }

class Groups::Walk {
 public:
  Walk(const Context& context, std::uint32_t open)
      : context_(context), at_(open + 1), close_(context.token(open).match), braces_(context.token(open).mark == '{') {}

  // The next element. False at the closing bracket.
  bool next(Element& element) {
    row_break_ = comma_ = false;
    for (; at_ < close_; ++at_) {
      const Token& token = context_.token(at_);
      if (token.kind == Kind::comma) {
        if (!had_value_) fail_empty(token);
        had_value_ = false;
        comma_ = true;
      } else if (token.kind == Kind::semicolon) {
        row_break_ = row_break_ || started_;
        had_value_ = false;
        after_semicolon_ = true;
      } else if (token.kind != Kind::tag) {
        break;
      }
    }
    if (at_ >= close_) return false;
    started_ = had_value_ = true;
    after_semicolon_ = false;
    read(element);
    at_ = element.last;
    return true;
  }
  // A `;` stands between this element and the one before.
  [[nodiscard]] bool row_break() const { return row_break_; }
  // A comma does.
  [[nodiscard]] bool comma() const { return comma_; }
  // Whether the bracket ended with a comma: (1,) is a tuple.
  [[nodiscard]] bool trailing_comma() const { return started_ && !had_value_ && !after_semicolon_; }

 private:
  void read(Element& element) const {
    element = {};
    std::uint32_t i = at_;
    // 1:4 is a range except between braces.
    while (i + 1 < close_ && can_be_key(context_.token(i)) && context_.token(i + 1).kind == Kind::assign &&
           (context_.token(i).kind != Kind::number || braces_)) {
      element.keyed = true;
      element.key = i;
      i += 2;
    }
    element.first = i;
    element.last = value_end(i);
  }
  static bool can_be_key(const Token& token) {
    return token.kind == Kind::word || token.kind == Kind::string || token.kind == Kind::number;
  }
  [[nodiscard]] std::uint32_t value_end(std::uint32_t i) const {
    if (i >= close_) return i;
    const Token& token = context_.token(i);
    if (token.kind == Kind::comma || token.kind == Kind::semicolon) return i;
    if (token.kind == Kind::open) return token.match + 1;
    if (token.kind == Kind::word) {
      std::uint32_t j = i + 1;
      if (j < close_ && context_.token(j).kind == Kind::tag && !context_.token(j).gap) ++j;
      if (j < close_ && context_.token(j).kind == Kind::open && !context_.token(j).gap)
        return context_.token(j).match + 1;
    }
    return i + 1;
  }
  [[noreturn]] void fail_empty(const Token& token) const {
    if (started_) context_.fail(token, "input.empty_element", {}, "input.empty_element_mend");
    context_.fail(token, "input.leading_comma", {}, "input.empty_element_mend");
  }

  const Context& context_;
  std::uint32_t at_;
  std::uint32_t close_;
  bool braces_;
  bool started_ = false;
  bool had_value_ = false;
  bool row_break_ = false;
  bool comma_ = false;
  bool after_semicolon_ = false;
};

bool Groups::is_call(std::uint32_t open) const {
  if (open == 0 || context_.token(open).gap) return false;
  const Kind before = context_.token(open - 1).kind;
  if (before == Kind::word) return true;
  return before == Kind::tag && open > 1 && !context_.token(open - 1).gap &&
         context_.token(open - 2).kind == Kind::word;
}

std::uint32_t Groups::callee(std::uint32_t open) const {
  return context_.token(open - 1).kind == Kind::tag ? open - 2 : open - 1;
}

Groups::Value Groups::resolve(const Element& element) const {
  if (element.first >= element.last) return {};
  std::uint32_t at = element.first;
  const Token* token = &context_.token(at);
  if (token->kind == Kind::word && element.last > at + 1) return resolve_call(context_.token(element.last - 1).match);
  if (token->kind == Kind::open) return resolve_call(at);
  if (context_.is_numeric(*token)) return {Form::number, at};
  if (token->kind == Kind::word || token->kind == Kind::string) return {Form::text, at};
  context_.fail_not_a_number(*token);
}

Call Groups::call_at(std::uint32_t open) const {
  const char mark = context_.token(open).mark;
  if (!is_call(open)) return mark == '<' ? Call::wrap : Call::list;
  const Token& function = context_.token(callee(open));
  const Call call = call_of(context_.text(function));
  if (mark != '(' && (call == Call::unknown || call == Call::wrap)) return Call::list;
  if (call == Call::unknown)
    context_.fail({function.begin, context_.token(open).end}, "input.code", {std::string(context_.text(function))},
                  "input.code_mend");
  if (call == Call::arithmetic)
    context_.fail(
        {function.begin, context_.token(context_.token(open).match).end}, "input.expression_word",
        {std::string(context_.text(context_.span(callee(open), context_.token(open).match + 1)).substr(0, 40))},
        "input.expression_mend");
  return call;
}

bool Groups::is_value(const Element& element) const {
  const Token& first = context_.token(element.first);
  return element.first < element.last &&
         (context_.is_numeric(first) || first.kind == Kind::open || element.last > element.first + 1);
}

bool Groups::may_be_data(const Element& element) const {
  if (!is_value(element)) return false;
  if (element.keyed) return holds(data_arguments, context_.text(context_.token(element.key)));
  const Token& first = context_.token(element.first);
  return element.last == element.first + 1 || first.kind != Kind::word ||
         call_of(context_.text(first)) != Call::nothing;
}

void Groups::fail_code(const Token& token) const {
  context_.fail(token, "input.code", {std::string(context_.text(token))}, "input.code_mend");
}

void Groups::refuse_code(const Element& element, Call call) const {
  const Token& first = context_.token(element.first);
  if (!is_value(element) && first.kind == Kind::symbol) {
    if (call == Call::wrap && first.mark == '*' && context_.token(element.first - 1).kind == Kind::number)
      context_.fail({context_.token(element.first - 1).begin, first.end}, "input.old_factor", {},
                    "input.old_factor_mend");
    context_.fail_not_a_number(first);
  }
  if (call == Call::wrap && element.keyed) refuse_sparse(element.key);
  if (call == Call::wrap && element.keyed && holds(shaping_arguments, context_.text(context_.token(element.key))))
    fail_code(context_.token(element.key));
}

Groups::Content Groups::content_of(std::uint32_t open, Call call) const {
  Content content;
  Walk walk(context_, open);
  Element element;
  while (walk.next(element)) {
    if (++content.elements > 1 && call == Call::list) break;
    refuse_code(element, call);
    if (element.keyed && holds(shape_arguments, context_.text(context_.token(element.key)))) content.shape = element;
    if (!may_be_data(element)) continue;
    if (++content.candidates > 1 && call == Call::wrap) fail_code(context_.token(is_call(open) ? callee(open) : open));
    content.data = element;
  }
  content.trailing_comma = walk.trailing_comma();
  return content;
}

// (x), list([1, 2]) and OrderedDict([…]) only wrap one thing; c(1) and (1,) are lists.
bool Groups::only_wraps(std::uint32_t open, Call call, const Content& content) const {
  if (call == Call::wrap) return true;
  if (context_.token(open).mark != '(' || content.elements != 1 || content.trailing_comma) return false;
  return !is_call(open) || (content.candidates == 1 && context_.token(content.data.first).kind != Kind::number);
}

// Goes through calls and parentheses that only wrap, down to the data.
Groups::Value Groups::resolve_call(std::uint32_t open) const {
  Value value;
  const auto is = [&](Form form, std::uint32_t at) {
    value.form = form;
    value.at = at;
    return value;
  };
  for (;;) {
    const Call call = call_at(open);
    if (call == Call::nothing) return is(Form::nothing, open);
    if (call == Call::fraction) return is(Form::fraction, open);
    const Content content = content_of(open, call);
    if (!only_wraps(open, call, content)) return is(Form::list, open);
    // (text) is a remark, tensor([]) an array without numbers.
    if (content.candidates == 0) return is(call == Call::wrap ? Form::list : Form::nothing, open);
    if (call == Call::wrap && content.shape.last > content.shape.first) {
      value.shape_first = content.shape.first;
      value.shape_last = content.shape.last;
    }
    const Element& data = content.data;
    if (context_.token(data.first).kind == Kind::open)
      open = data.first;
    else if (data.last > data.first + 1)
      open = context_.token(data.last - 1).match;
    else
      return is(Form::number, data.first);
  }
}

void Groups::refuse_sparse(std::uint32_t key) const {
  if (holds(places_of_sparse, context_.text(context_.token(key))))
    context_.fail(context_.token(key), "input.sparse", {}, "input.sparse_mend");
}

// None where it is not written in numbers: (None, 3).
std::optional<Groups::Shape> Groups::printed_shape(const Value& value) const {
  Shape shape;
  if (value.shape_first == value.shape_last || context_.token(value.shape_last - 1).kind != Kind::close)
    return std::nullopt;
  for (std::uint32_t i = value.shape_first; i < value.shape_last; ++i) {
    const Token& token = context_.token(i);
    if (token.kind == Kind::open || token.kind == Kind::close || token.kind == Kind::comma) continue;
    if (token.kind == Kind::word && call_of(context_.text(token)) == Call::nothing) continue;
    const std::string_view digits = context_.text(token);
    constexpr std::size_t longest = 7;  // of an extent within most_numbers
    if (token.kind != Kind::number || digits.size() > longest ||
        digits.find_first_not_of("0123456789") != std::string_view::npos)
      return std::nullopt;
    shape.push_back(std::stoul(std::string(digits)));
  }
  return shape;
}

// The shape that was printed with the numbers has to be theirs; numbers without brackets of their own take it.
void Groups::settle_shape(const Value& value, Array& array) const {
  const std::optional<Shape> shape = printed_shape(value);
  if (!shape || *shape == array.shape || (shape->empty() && array.cells.size() == 1)) return;
  std::size_t count = 1;
  for (const std::size_t extent : *shape)
    if (count <= most_numbers) count *= extent;
  if (count == array.cells.size() && array.shape.size() == 1) {
    array.shape = *shape;
    return;
  }
  const auto written = [](const Shape& extents) {
    std::string result;
    for (const std::size_t extent : extents) result += (result.empty() ? "" : ", ") + std::to_string(extent);
    return "(" + result + ")";
  };
  context_.fail(context_.span(value.shape_first, value.shape_last), "input.shape_differs",
                {written(array.shape), written(*shape)}, "input.shape_mismatch_mend");
}

bool Groups::is_object(Value value) const {
  if (value.form != Form::list) return false;
  Walk walk(context_, value.at);
  Element element;
  return walk.next(element) && element.keyed;
}

// ('running_mean', tensor([…])), ["猫", [1, 2]]
bool Groups::is_pair(Value value) const {
  if (value.form != Form::list) return false;
  Walk walk(context_, value.at);
  Element first;
  Element second;
  Element third;
  if (!walk.next(first) || first.keyed || first.first >= first.last || context_.token(first.first).kind != Kind::string)
    return false;
  if (!walk.next(second) || second.first >= second.last || resolve(first).form != Form::text) return false;
  if (walk.next(third)) return false;
  // ('num_batches_tracked', tensor(0)) is a pair, ["猫", 1] a row.
  return resolve(second).form == Form::list || second.last > second.first + 1;
}

bool Groups::emit(std::uint32_t open, const std::string& name) { return emit_value(resolve_call(open), name); }

bool Groups::emit_list(std::uint32_t open, const std::string& name) {
  emit_array({Form::list, open}, name);
  return true;
}

bool Groups::emit_value(Value value, const std::string& name) {
  if (value.form == Form::nothing) return false;
  if (value.form != Form::list) {
    emit_array(value, name);
    return true;
  }
  if (is_object(value)) {
    emit_members(value.at, name);
    return true;
  }
  Walk walk(context_, value.at);
  Element element;
  if (!walk.next(element)) {
    emit_array(value, name);  // says that there are no numbers
    return true;
  }
  const Value first = resolve(element);
  if (is_pair(value)) {
    emit_pair(value.at);
    return true;
  }
  if (first.form == Form::list && (is_object(first) || is_pair(first))) {
    const bool outer = in_state_;
    do {
      emit_value(resolve(element), name);
    } while (walk.next(element));
    in_state_ = outer;
    return true;
  }
  emit_array(value, name);
  return true;
}

void Groups::emit_pair(std::uint32_t open) {
  Walk walk(context_, open);
  Element key;
  Element value;
  walk.next(key);
  walk.next(value);
  in_state_ = true;
  const std::string name = context_.name(key.first, key.first + 1);
  if (!is_description_name(name)) emit_value(resolve(value), name);
}

// A dictionary of arrays, or one record: {"name": "猫", "values": [1, 2]}, {"token": "猫", "f1": 1, "f2": 2}, c(a=1, b=2).
void Groups::emit_members(std::uint32_t open, const std::string& name) {
  struct Member {
    std::string key;
    std::uint32_t key_token;
    Value value;
  };
  std::vector<Member> lists;
  std::vector<Member> numbers;
  std::string own_name = name;
  std::uint32_t shape_first = 0;
  std::uint32_t shape_last = 0;
  std::uint32_t places = 0;
  Walk walk(context_, open);
  Element element;
  while (walk.next(element)) {
    if (!element.keyed) context_.fail(context_.token(element.first), "input.key_missing", {}, "input.key_missing_mend");
    const std::string key = context_.name(element.key, element.key + 1);
    if (holds(shape_arguments, key)) {
      shape_first = element.first;
      shape_last = element.last;
    }
    if (holds(places_of_sparse, key)) places = element.key;
    if (is_description_name(key)) continue;
    if (element.first >= element.last)
      context_.fail(context_.token(element.key), "input.name_without_numbers", {key},
                    "input.name_without_numbers_mend");
    const Value value = resolve(element);
    if (key == "values" && places != 0) refuse_sparse(places);
    if (value.form == Form::text) {
      if (!holds(name_members, key)) context_.fail_not_a_number(context_.token(value.at));
      own_name = context_.name(value.at, value.at + 1);
    } else if (value.form == Form::list) {
      lists.push_back({key, element.key, value});
    } else if (holds(name_members, key) && value.form == Form::number && own_name.empty()) {
      own_name = context_.name(value.at, value.at + 1);
    } else if (value.form != Form::nothing) {
      numbers.push_back({key, element.key, value});
    }
  }
  if (lists.empty() && numbers.empty())
    context_.fail(context_.span(open, context_.token(open).match + 1), "input.no_numbers", {}, "input.no_numbers_mend");
  if (lists.empty()) {
    Array array;
    for (const Member& member : numbers) array.cells.push_back(number(member.value));
    array.shape = {array.cells.size()};
    add(std::move(array), own_name, context_.span(open, context_.token(open).match + 1));
    return;
  }
  for (const Member& member : numbers)
    context_.note(context_.span(member.key_token, member.value.at + 1), "input.member_ignored", {member.key});
  const bool outer = in_state_;
  if (lists.size() == 1 && lists[0].value.shape_first == lists[0].value.shape_last) {
    lists[0].value.shape_first = shape_first;
    lists[0].value.shape_last = shape_last;
  }
  in_state_ = in_state_ || std::any_of(lists.begin(), lists.end(),
                                       [](const Member& member) { return is_running(role_of(member.key)); });
  for (const Member& member : lists)
    emit_value(member.value, lists.size() == 1 && !own_name.empty() && own_name != name ? own_name : member.key);
  in_state_ = outer;
}

void Groups::emit_array(Value value, const std::string& name) {
  Array array;
  std::uint32_t last = value.at + 1;
  if (value.form == Form::list) {
    array.shape = fill(value.at, array);
    last = context_.token(value.at).match + 1;
    if (std::all_of(array.rows.begin(), array.rows.end(), [](const std::string& row) { return row.empty(); }))
      array.rows.clear();
  } else {
    array.cells.push_back(number(value));
    array.shape = {1};
  }
  settle_shape(value, array);
  add(std::move(array), name, context_.span(value.at, last));
}

void Groups::add(Array array, const std::string& name, Span span) {
  array.source = context_.source();
  array.span = span;
  array.name = name;
  array.batch = context_.batch;
  const Role role = role_of(name);
  if (in_state_ || is_running(role)) array.role = role;
  if (array.role != Role::data) context_.note(span, "input.statistic", {name});
  context_.document().arrays.push_back(std::move(array));
}

Cell Groups::number(Value value) {
  return value.form == Form::fraction ? fraction(value.at) : context_.cell(context_.token(value.at));
}

// Fraction(1, 3), Fraction('1/3')
Cell Groups::fraction(std::uint32_t open) {
  Walk walk(context_, open);
  Element element;
  std::vector<Cell> parts;
  while (walk.next(element)) {
    if (resolve(element).form != Form::number || parts.size() == 2)
      context_.fail_not_a_number(context_.token(element.first));
    parts.push_back(context_.cell(context_.token(element.first)));
  }
  const Span span = context_.span(open, context_.token(open).match + 1);
  if (parts.empty()) context_.fail(span, "input.no_numbers", {}, "input.no_numbers_mend");
  Cell cell = parts[0];
  if (parts.size() == 2) {
    if (parts[1].value.is_zero()) context_.fail(span, "input.zero_denominator", {}, "input.zero_denominator_mend");
    cell = {};
    cell.value = parts[0].value / parts[1].value;
  }
  cell.fraction = true;
  cell.span = span;
  return cell;
}

Groups::Shape Groups::fill(std::uint32_t open, Array& array) {
  const Span whole = context_.span(open, context_.token(open).match + 1);
  Walk walk(context_, open);
  Element element;
  bool any = false;
  Shape inner;
  std::size_t count = 0;
  std::vector<std::size_t> begins;
  while (walk.next(element)) {
    if (!any) {
      any = true;
      const Value first = resolve(element);
      if (first.form != Form::list) return fill_numbers(open, array);
    }
    const Value value = resolve(element);
    if (value.form != Form::list)
      context_.fail(context_.token(element.first), "input.number_beside_bracket", {},
                    "input.number_beside_bracket_mend");
    begins.push_back(array.cells.size());
    const Shape shape = fill(value.at, array);
    if (count > 0 && shape.size() != inner.size())
      context_.fail(context_.span(value.at, context_.token(value.at).match + 1), "input.uneven_depth",
                    {std::to_string(count + 1), std::to_string(shape.size()), std::to_string(inner.size())},
                    "input.uneven_depth_mend");
    if (count > 0 && shape != inner && shape.size() > 1)
      context_.fail(context_.span(value.at, context_.token(value.at).match + 1), "input.uneven_shape",
                    {std::to_string(count + 1)}, "input.ragged_mend");
    if (shape.size() > 1 || count == 0) inner = shape;
    ++count;
  }
  if (count == 0) context_.fail(whole, "input.no_numbers", {}, "input.no_numbers_mend");
  if (is_call(open) && context_.text(context_.token(callee(open))) == "c")
    return {array.cells.size() - begins[0]};  // R joins vectors
  if (inner.size() == 1) {
    std::span<const std::string> names(array.rows);
    names = names.size() < count ? std::span<const std::string>() : names.last(count);
    require_equal_lengths(context_.source(), array.cells, begins, names);
  }
  inner.insert(inner.begin(), count);
  return inner;
}

// The numbers of an innermost bracket: one row, or several with `;` between.
Groups::Shape Groups::fill_numbers(std::uint32_t open, Array& array) {
  check_grouping(open);
  std::vector<std::size_t> begins{array.cells.size()};
  std::string name;
  Walk walk(context_, open);
  Element element;
  std::size_t elements = 0;
  while (walk.next(element)) {
    ++elements;
    if (walk.row_break()) begins.push_back(array.cells.size());
    const Value value = resolve(element);
    if (value.form == Form::list)
      context_.fail(context_.token(element.first), "input.number_beside_bracket", {},
                    "input.number_beside_bracket_mend");
    if (value.form == Form::text && elements == 1 && context_.token(value.at).kind == Kind::string) {
      name = context_.name(value.at, value.at + 1);  // ["猫", 1, 2, 3]
      continue;
    }
    if (value.form == Form::nothing || value.form == Form::text)
      context_.fail_not_a_number(context_.token(element.first));
    array.cells.push_back(number(value));
  }
  if (array.cells.size() == begins.front()) {
    const Span whole = context_.span(open, context_.token(open).match + 1);
    if (name.empty()) context_.fail(whole, "input.no_numbers", {}, "input.no_numbers_mend");
    context_.fail_not_a_number(context_.token(open + 1));
  }
  array.rows.push_back(name);
  require_equal_lengths(context_.source(), array.cells, begins);
  const std::size_t width = (array.cells.size() - begins.front()) / begins.size();
  if (begins.size() == 1) return {width};
  array.rows.clear();
  if (width == 1) {
    context_.note_once(context_.span(open, context_.token(open).match + 1), "input.column",
                       {std::to_string(begins.size())});
    return {begins.size()};
  }
  return {begins.size(), width};
}

// Refuses 1 000 000 where it can be told from three numbers, and notes commas that could be decimal ones.
void Groups::check_grouping(std::uint32_t open) const {
  const std::uint32_t close = context_.token(open).match;
  bool commas = false;
  for (std::uint32_t i = open + 1; i < close; ++i) commas = commas || context_.token(i).kind == Kind::comma;
  const auto whole_digits = [&](const Token& token) {
    std::string_view digits = context_.text(token);
    digits.remove_prefix(std::min(digits.find_first_of("0123456789"), digits.size()));
    return digits.find_first_not_of("0123456789") == std::string_view::npos ? digits.size() : 0;
  };
  for (std::uint32_t i = open + 1; i + 1 < close; ++i) {
    const Token& token = context_.token(i);
    const Token& next = context_.token(i + 1);
    if (token.kind != Kind::number || next.kind != Kind::number || !next.gap || next.line_start) continue;
    const std::size_t left = whole_digits(token);
    const std::string_view right = context_.text(next).substr(0, context_.text(next).find_first_of(".,"));
    const bool three = right.size() == 3 && right.find_first_not_of("0123456789") == std::string_view::npos;
    if (left >= 1 && left <= 3 && three && (commas || next.tight_blank || right[0] == '0'))
      context_.fail({token.begin, next.end}, "input.digit_groups",
                    {std::string(context_.text({token.begin, next.end}))}, "input.digit_groups_mend");
  }
  note_commas(context_, open + 1, close);
}

}  // namespace normtrace::text
