#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classroom/explain/explain.h"
#include "render/style.h"
#include "words/words.h"

// Which rule made this statistic of that batch? A running_var of 1.0259, a std of 1.2910.
namespace normtrace::classroom::explain {

enum class Quantity { mean, variance, std, running_mean, running_var };
std::string_view id(Quantity quantity);  // "running_var"

struct StoredNumber {
  Quantity quantity;
  std::vector<text::Cell> values;  // one, or one a group
};

struct StoredQuestion {
  std::vector<Sample> batches;  // in the order in which they passed; of one shape but for the number of rows
  std::vector<StoredNumber> numbers;
  std::string norm;  // id of the norm that is known to be meant, or empty
};

// How a stored number comes about: the statistics of every batch, and how running ones take them in.
struct StoredRule {
  const GroupingKind* grouping = nullptr;
  std::size_t groups = 1;
  std::optional<std::size_t> group;  // the only one that fits, where one number stands for all
  Core::Over over = Core::Over::n;
  bool uses_variance = false;  // so that `over` says something
  enum class Zeros { kept, left_out, added } zeros = Zeros::kept;
  std::size_t count = 0;                 // of zeros added
  std::string_view slip;                 // of the statistic: no_root, root_taken, not_centered, sum_not_mean
  std::optional<exact::Rational> share;  // of a new batch in running statistics; none: each batch counts alike
  bool running = false;
  std::int64_t start = 1;   // of running_var
  std::size_t steps = 1;    // how often the batches passed
  std::string_view keeper;  // id of who does it so: pytorch, keras, …; empty
  double cost = 0;
  Wide max_error = 0;
  Wide batch_value = 0;  // of the last batch, before it is taken in
};

struct StoredAnswer {
  Verdict verdict = Verdict::none;
  std::vector<StoredRule> rules;
  std::optional<StoredRule> nearest;
};

StoredAnswer explain(const StoredQuestion& question);

std::string sentence(const StoredRule& rule, const StoredQuestion& question, words::Language language);
std::string text(const StoredAnswer& answer, const StoredQuestion& question, const render::Style& style);
std::string json(const StoredAnswer& answer, const StoredQuestion& question, const std::vector<words::Message>& notes,
                 const render::Style& style);

}  // namespace normtrace::classroom::explain
