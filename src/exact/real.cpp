#include "exact/real.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <unordered_set>
#include <utility>
#include <vector>

namespace normtrace::exact {

namespace {
// Precisions are first_precision·2^k for everybody: numbers that share nodes then ask for the same few.
constexpr unsigned first_precision = 60;  // the mantissas are then machine words
constexpr unsigned last_precision = 1U << 15;
constexpr unsigned cheap_precision = 1U << 12;
constexpr std::int64_t longest_result = 1 << 17;
constexpr std::int64_t spare_bits = 16;

enum class Operation { fraction, negation, sum, product, quotient, root, exponential, logarithm, arctangent, power };
}  // namespace

struct Real::Node {
  Operation operation = Operation::fraction;
  std::vector<std::shared_ptr<const Node>> operands;
  Rational fraction;      // of a fraction
  unsigned exponent = 0;  // of a power

  // The last enclosure and what it was computed with; nullopt if an operation was not defined at that precision.
  mutable unsigned precision = 0;
  mutable std::optional<Interval> enclosure;

  Node(Operation what, std::vector<std::shared_ptr<const Node>> of, unsigned raised_to = 0)
      : operation(what), operands(std::move(of)), exponent(raised_to) {}
  explicit Node(Rational value) : fraction(std::move(value)) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  void enclose_from_operands(unsigned wanted) const;

 private:
  [[nodiscard]] std::optional<Interval> compute(unsigned wanted) const;
};

// A recipe may be as deep as a sum has terms: nodes that nobody else holds are taken apart one by one, not recursively.
Real::Node::~Node() {
  std::vector<std::shared_ptr<const Node>> left = std::move(operands);
  while (!left.empty()) {
    const std::shared_ptr<const Node> node = std::move(left.back());
    left.pop_back();
    if (node.use_count() != 1) continue;
    auto& below = const_cast<Node&>(*node).operands;  // nobody else can see it any more
    std::move(below.begin(), below.end(), std::back_inserter(left));
    below.clear();
  }
}

std::optional<Interval> Real::Node::compute(unsigned wanted) const {
  if (operation == Operation::fraction) return enclose(fraction, wanted);
  const bool defined =
      std::all_of(operands.begin(), operands.end(), [](const auto& x) { return x->enclosure.has_value(); });
  if (!defined) return std::nullopt;
  const Interval& x = *operands.front()->enclosure;
  switch (operation) {
    case Operation::fraction: break;
    case Operation::negation: return -x;
    case Operation::sum: {
      std::vector<const Interval*> terms;
      terms.reserve(operands.size());
      for (const auto& operand : operands) terms.push_back(&*operand->enclosure);
      return exact::sum(terms, wanted);
    }
    case Operation::product: return multiply(x, *operands.back()->enclosure, wanted);
    case Operation::quotient: return divide(x, *operands.back()->enclosure, wanted);
    case Operation::root: return square_root(x, wanted);
    case Operation::exponential: return exact::exponential(x, wanted);
    case Operation::logarithm: return exact::logarithm(x, wanted);
    case Operation::arctangent: return exact::arctangent(x, wanted);
    case Operation::power: return exact::power(x, exponent, wanted);
  }
  throw std::logic_error("unknown operation");
}

void Real::Node::enclose_from_operands(unsigned wanted) const {
  enclosure = compute(wanted);
  precision = wanted;
}

// What the functions below make and ask.
struct Recipe {
  using Node = Real::Node;

  static Real make(Operation operation, std::vector<std::shared_ptr<const Node>> operands, unsigned exponent = 0) {
    return Real(std::make_shared<const Node>(operation, std::move(operands), exponent));
  }
  static Real make(Operation operation, const Real& x, unsigned exponent = 0) {
    return make(operation, std::vector{x.node_}, exponent);
  }
  static Real make(Operation operation, const Real& x, const Real& y) {
    return make(operation, std::vector{x.node_, y.node_});
  }
  static Real make(Rational fraction) { return Real(std::make_shared<const Node>(std::move(fraction))); }

  // Operands before what is made of them, each once, on a stack of its own: a recipe may be deep.
  static const std::optional<Interval>& enclose(const Node& root, unsigned precision) {
    std::vector<const Node*> pending{&root};
    while (!pending.empty()) {
      const Node* const node = pending.back();
      const std::size_t before = pending.size();
      if (node->precision < precision) {
        for (const auto& operand : node->operands) {
          if (operand->precision < precision) pending.push_back(operand.get());
        }
      }
      if (pending.size() > before) continue;
      if (node->precision < precision) node->enclose_from_operands(precision);
      pending.pop_back();
    }
    return root.enclosure;
  }

  // `question` gives an optional answer from an enclosure; it is asked at rising precision until there is one. The
  // answer itself may need `expected` bits.
  template <class Question>
  static auto decide(const Node& node, unsigned expected, Question question) {
    unsigned precision = first_precision;
    while (precision < expected) precision *= 2;
    const unsigned enough = 2 * precision;  // so that there is a second attempt however long the answer is
    unsigned last = enough + cheap_precision;
    for (; precision <= last; precision *= 2) {
      const std::optional<Interval>& enclosure = enclose(node, precision);
      if (enclosure) {
        if (const auto answer = question(*enclosure)) return *answer;
      }
      if (2 * precision > last) last = enough + affordable_precision(node);
    }
    throw Unproved("more precision than allowed");
  }

  // What keeps nodes·bits² within about 2^40, seconds of work, but no less than what is cheap.
  static unsigned affordable_precision(const Node& root) {
    std::unordered_set<const Node*> seen{&root};
    std::vector<const Node*> pending{&root};
    while (!pending.empty()) {
      const Node* const node = pending.back();
      pending.pop_back();
      for (const auto& operand : node->operands) {
        if (seen.insert(operand.get()).second) pending.push_back(operand.get());
      }
    }
    const auto affordable = static_cast<unsigned>((1U << 20) / std::sqrt(static_cast<double>(seen.size())));
    return std::clamp(affordable, cheap_precision, last_precision);
  }

  static int relation(const Node& x, const Node& y, int& left);

  static bool is(const Real& x, std::int64_t whole) {
    const Rational* const value = x.as_rational();
    return value != nullptr && *value == Rational(whole);
  }
};

Real Real::rational(Rational value) { return Recipe::make(std::move(value)); }

const Rational* Real::as_rational() const {
  return node_->operation == Operation::fraction ? &node_->fraction : nullptr;
}

Real Real::operator-() const {
  if (const Rational* const value = as_rational()) return rational(-*value);
  if (node_->operation == Operation::negation) return Real(node_->operands.front());
  return Recipe::make(Operation::negation, *this);
}

Real operator+(const Real& x, const Real& y) {
  if (x.as_rational() && y.as_rational()) return Real::rational(*x.as_rational() + *y.as_rational());
  if (Recipe::is(x, 0)) return y;
  if (Recipe::is(y, 0)) return x;
  return Recipe::make(Operation::sum, x, y);
}

Real operator-(const Real& x, const Real& y) { return x.node_ == y.node_ ? Real() : x + -y; }

Real operator*(const Real& x, const Real& y) {
  if (x.as_rational() && y.as_rational()) return Real::rational(*x.as_rational() * *y.as_rational());
  if (Recipe::is(x, 0) || Recipe::is(y, 0)) return Real();
  if (Recipe::is(x, 1)) return y;
  if (Recipe::is(y, 1)) return x;
  if (x.node_ == y.node_) return power(x, 2);  // its enclosure knows that it is not negative
  return Recipe::make(Operation::product, x, y);
}

Real operator/(const Real& x, const Real& y) {
  if (const Rational* const divisor = y.as_rational()) {
    if (divisor->is_zero()) throw std::domain_error("division by zero");
    if (const Rational* const dividend = x.as_rational()) return Real::rational(*dividend / *divisor);
    if (divisor->is_one()) return x;
  }
  return Recipe::make(Operation::quotient, x, y);
}

Real sqrt(const Real& x) {
  if (const Rational* const value = x.as_rational()) {
    if (value->sign() < 0) throw std::domain_error("square root of a negative number");
    Integer above;
    Integer below;
    if (perfect_square(value->numerator(), above) && perfect_square(value->denominator(), below)) {
      return Real::rational(Rational(above, below));
    }
  }
  return Recipe::make(Operation::root, x);
}

Real exp(const Real& x) { return Recipe::is(x, 0) ? Real::rational(1) : Recipe::make(Operation::exponential, x); }

Real log(const Real& x) {
  if (const Rational* const value = x.as_rational(); value && value->sign() <= 0) {
    throw std::domain_error("logarithm of a number that is not positive");
  }
  return Recipe::is(x, 1) ? Real() : Recipe::make(Operation::logarithm, x);
}

Real arctan(const Real& x) { return Recipe::is(x, 0) ? x : Recipe::make(Operation::arctangent, x); }

Real power(const Real& x, unsigned exponent) {
  if (exponent == 0) return Real::rational(1);
  if (exponent == 1) return x;
  // The square of a root is what stands under it.
  if (exponent == 2 && x.node_->operation == Operation::root) return Real(x.node_->operands.front());
  if (const Rational* const value = x.as_rational(); value && exponent <= 64) {
    return Real::rational(Rational(power(value->numerator(), exponent), power(value->denominator(), exponent)));
  }
  return Recipe::make(Operation::power, x, exponent);
}

Real sum(std::span<const Real> terms) {
  std::vector<Rational> fractions;
  std::vector<std::shared_ptr<const Real::Node>> operands;
  for (const Real& term : terms) {
    if (const Rational* const value = term.as_rational()) {
      fractions.push_back(*value);
    } else {
      operands.push_back(term.node_);
    }
  }
  const Real fraction = Real::rational(sum(fractions));
  if (operands.empty()) return fraction;
  if (!Recipe::is(fraction, 0)) operands.push_back(fraction.node_);
  return operands.size() == 1 ? Real(operands.front()) : Recipe::make(Operation::sum, std::move(operands));
}

Integer Real::floor_times(const Rational& scale) const {
  if (const Rational* const value = as_rational()) return floor(*value * scale);
  // The first enclosure says how many bits the result has.
  std::int64_t result_bits = 0;
  if (const std::optional<Interval>& rough = Recipe::enclose(*node_, first_precision); rough && !rough->is_zero()) {
    result_bits = rough->top() + static_cast<std::int64_t>(scale.numerator().bits()) -
                  static_cast<std::int64_t>(scale.denominator().bits()) + 1;
    if (result_bits > longest_result) throw Unproved("too long to be written down");
  }
  const auto expected = static_cast<unsigned>(std::max<std::int64_t>(result_bits + spare_bits, 0));
  return Recipe::decide(*node_, expected, [&](const Interval& x) -> std::optional<Integer> {
    Integer low = exact::floor_times(x.low, x.exponent, scale);
    if (low == exact::floor_times(x.high, x.exponent, scale)) return low;
    return std::nullopt;
  });
}

int Real::sign() const {
  if (const Rational* const value = as_rational()) return value->sign();
  return Recipe::decide(*node_, 0, [](const Interval& x) -> std::optional<int> {
    if (x.is_zero()) return 0;
    if (x.may_be_zero()) return std::nullopt;
    return x.low.sign() < 0 ? -1 : 1;
  });
}

// Sums and fractions may differ by a sign as a whole, products and quotients by those of their factors; what stands under
// a root or in a function may not differ at all. Looks at `left` pairs of nodes at most.
int Recipe::relation(const Real::Node& x, const Real::Node& y, int& left) {
  if (&x == &y) return 1;
  if (left-- <= 0) return 0;
  if (x.operation == Operation::negation) return -relation(*x.operands.front(), y, left);
  if (y.operation == Operation::negation) return -relation(x, *y.operands.front(), left);
  if (x.operation != y.operation || x.operands.size() != y.operands.size() || x.exponent != y.exponent) return 0;
  if (x.operation == Operation::fraction) return x.fraction == y.fraction ? 1 : x.fraction == -y.fraction ? -1 : 0;
  int result = 0;
  for (std::size_t i = 0; i < x.operands.size(); ++i) {
    const int of_operand = relation(*x.operands[i], *y.operands[i], left);
    if (of_operand == 0) return 0;
    if (i == 0)
      result = of_operand;
    else if (x.operation == Operation::sum)
      result = of_operand == result ? result : 0;
    else
      result *= of_operand;
    if (result == 0) return 0;
  }
  const bool signs_may_differ =
      x.operation == Operation::sum || x.operation == Operation::product || x.operation == Operation::quotient;
  return result == 1 || signs_may_differ ? result : 0;
}

int same_recipe(const Real& x, const Real& y) {
  constexpr int most_pairs = 1000;
  int left = most_pairs;
  return Recipe::relation(*x.node_, *y.node_, left);
}

std::int64_t Real::magnitude() const {
  if (const Rational* const value = as_rational(); value && value->is_zero())
    throw std::domain_error("magnitude of zero");
  return Recipe::decide(*node_, 0, [](const Interval& x) -> std::optional<std::int64_t> {
    const std::size_t shorter = std::min(x.low.bits(), x.high.bits());
    const std::size_t longer = std::max(x.low.bits(), x.high.bits());
    if (x.may_be_zero() || longer - shorter > 1) return std::nullopt;
    return x.top();
  });
}

}  // namespace normtrace::exact
