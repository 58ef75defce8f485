#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classroom/explain/bounds.h"
#include "classroom/explain/grouping.h"
#include "exact/rational.h"

namespace normtrace::classroom::explain {

// A rule is one choice from each of the tables below:
//   output = affine(sign · scale · numerator ÷ denominator),  denominator = root(statistic + ε).
// Every table holds the right choice, at no cost, and the mistakes people make, each with the cost of believing in it. A
// mistake has a `slip`: its name in JSON, and with "slip." before it the id of the sentence that says it.

// What the numerator is measured from.
enum class Centre {
  zero,
  mean,
  least,
  middle_of_range,
  given_mean,
  stepped_mean,
  rounded_mean,
  padded_mean,
  exponential,  // not a difference: e to the power of x, over that of the greatest
};

// What the elements are divided by, before a root is taken.
enum class Statistic {
  one,
  nothing,                      // 0
  mean_squared_deviation,       // of x − μ
  squared_deviation_over_more,  // n + 1
  mean_square,                  // of x
  sum_squared_deviation,
  sum_square,
  mean_absolute_deviation,
  mean_absolute,
  sum_absolute,
  absolute_mean,  // |μ|
  range,
  half_range,
  largest_absolute,
  partial_mean_square,  // of the first k
  given_variance,
  stepped_variance,
  padded_variance,
  padded_mean_square,
  sum,
  sum_of_exponentials,
};

// A numerator and a statistic that meet in practice.
struct Core {
  Centre centre;
  Statistic statistic;
  bool squared;  // the statistic is one of squares, so a root belongs to it
  enum class Over { n, n_minus_one } over;
  std::string_view norm;  // in JSON; empty: that of the grouping
  std::string_view slip;
  double cost;
  bool inference = false;
};
std::span<const Core> cores();
// One of the norms as they are defined, over n.
bool is_standard(const Core& core);

enum class Root { root, none, square, twice };
enum class Scale { one, sqrt_n, one_over_sqrt_n };
enum class Operation { divide, multiply };
enum class AffineUse {
  as_given,
  gamma_ignored,
  both_ignored,
  beta_ignored,
  one_plus,
  beta_first,
  swapped,
  beta_subtracted,
  beta_twice,
};
enum class EpsPlace { none, inside_root, added_to_root, added_to_result, added_to_count, times_max_squared };

template <class Kind>
struct Choice {
  Kind kind;
  std::string_view id;  // in JSON where it has a field of its own
  std::string_view slip;
  double cost;
};
std::span<const Choice<Root>> roots();
std::span<const Choice<Scale>> scales();
std::span<const Choice<Operation>> operations();
std::span<const Choice<AffineUse>> affine_uses();
std::span<const Choice<EpsPlace>> eps_places();

inline constexpr std::string_view sign_slip = "sign";
inline constexpr double sign_cost = 1.2;
inline constexpr double divisor_cost = 1;          // n − 1
inline constexpr double usual_cost = 1.05;         // of a core that is right but for n − 1
inline constexpr double other_norm_cost = 1.5;     // than the one that is known to be meant
inline constexpr double unnamed_eps_cost = 0.8;    // a power of ten that is no known default
inline constexpr double five_eps_cost = 1.6;       // five times one
inline constexpr double vague_eps_cost = 1;        // one of many that would do
inline constexpr double vague_default_cost = 0.3;  // likewise, but a default of the very norm
inline constexpr double rounding_cost = 1.2;       // of intermediate values
inline constexpr double other_eps_cost = 1;        // than the one that is known to be meant
inline constexpr double within_digits_cost = 1.5;  // where another rule meets every number to its last bit
inline constexpr std::size_t most_slips = 2;
inline constexpr double most_cost = 5.5;

// A value of ε that someone uses by default.
struct NamedEps {
  exact::Rational value;
  Wide nearest = 0;
  std::string_view norm;  // id of the norm it belongs to; empty: any
  EpsPlace place;
  std::string_view id;                       // in JSON: of the framework, or of a sentence "eps.…"
  std::vector<std::string_view> frameworks;  // their names; empty if a sentence says whose it is
  double cost = 0;
};
// The defaults of frameworks and models, and what is usual beside them.
const std::vector<NamedEps>& named_epsilons();

// How one batch moves the running statistics.
struct Momentum {
  std::string_view id;
  exact::Rational share;  // of the new batch
  bool torch_variance;    // n − 1 is the usual divisor of what is stored
};
const std::vector<Momentum>& momenta();

// Which intermediate results were rounded, and to how many digits.
struct Rounding {
  bool mean = false;
  bool squares = false;  // the deviations and their squares, each by itself
  bool statistic = false;
  bool root = false;
  unsigned digits = 0;

  [[nodiscard]] int count() const { return int{mean} + int{squares} + int{statistic} + int{root}; }
};

// What had to be granted before a rule fitted.
enum class Tolerance {
  printed,         // nothing: the inputs are exact, and an output stands for what is printed so
  input_prints,    // inputs that look like prints stand for what is printed so
  truncated,       // outputs were cut off instead of rounded
  own_digits,      // each output has the digits it is written with
  whole_numbers,   // outputs were rounded to whole numbers
  float32,         // results of float32 arithmetic
  float32_prints,  // that, and inputs that look like prints
  bfloat16,
  float16,
};
std::string_view id(Tolerance tolerance);

struct Eps {
  EpsPlace place = EpsPlace::none;
  exact::Rational value;
  Bounds bounds;                   // every ε that prints the same, as far as it was solved for
  const NamedEps* name = nullptr;  // null: no default that is known here
};

struct Rule {
  const GroupingKind* grouping = nullptr;
  std::size_t groups = 1;
  const Core* core = nullptr;
  Root root = Root::root;
  Scale scale = Scale::one;
  Operation operation = Operation::divide;
  bool negative = false;
  AffineUse affine = AffineUse::as_given;
  Eps eps;
  std::size_t count = 0;  // k of partial statistics and of padding
  const Momentum* momentum = nullptr;
  std::optional<Rounding> rounding;
  std::vector<std::string_view> outer_slips;  // what was done to the input or the output as a whole
  exact::Rational factor = 1;                 // that every output was multiplied by, and
  exact::Rational shift = 0;                  // what was added then
  std::vector<std::size_t> order;  // of the outputs' rows or columns, where they were permuted: which belongs to each
  bool order_of_rows = false;
  Tolerance tolerance = Tolerance::printed;
  double cost = 0;
  Wide max_error = 0;
  Wide misfit = 0;  // the largest distance from an output, in halves of what its print leaves open

  [[nodiscard]] std::string_view norm() const;
  [[nodiscard]] std::vector<std::string_view> slips() const;
  // Everything but the value of ε.
  [[nodiscard]] std::string structure() const;
};

}  // namespace normtrace::classroom::explain
