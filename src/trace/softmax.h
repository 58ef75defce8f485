#pragma once

#include <string>
#include <vector>

#include "exact/rational.h"
#include "trace/report.h"

namespace normtrace::trace {

// e^sᵢ/Σe^sⱼ. At least one score, none undefined. (n) -> (n)
std::vector<Value> softmax(const std::vector<Value>& scores);

// One query against some keys: score j is q·kⱼ/√d. A bias is what the linear layer adds: q = Wx + b.
struct Attention {
  std::vector<exact::Rational> query;              // (d)
  std::vector<std::vector<exact::Rational>> keys;  // (n, d)
  std::vector<exact::Rational> query_bias = {};    // (d), or empty for none
  std::vector<exact::Rational> key_bias = {};      // likewise
  std::vector<std::string> names = {};             // (n), what the keys are called; or empty

  [[nodiscard]] std::vector<Value> scores() const;
  // When the hidden state x becomes times·x: all but the biases is multiplied.
  [[nodiscard]] Attention scaled(const exact::Rational& times) const;
};

// Scores multiplied by a number.
Report softmax_report(const std::vector<Value>& scores, const exact::Rational& times);
// Scores of which the hidden state is multiplied by a number.
Report attention_report(const Attention& attention, const exact::Rational& times);

}  // namespace normtrace::trace
