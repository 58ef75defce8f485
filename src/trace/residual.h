#pragma once

#include "exact/rational.h"
#include "trace/report.h"

namespace normtrace::trace {

// The gradient through residual layers where every Jacobian is taken as one number: A of the norm, B of the branch.
// x + F(norm(x)) gives 1 + AB a layer, norm(x + F(x)) gives A(1 + B).
struct Residual {
  exact::Rational j_norm;
  exact::Rational j_branch;
  unsigned layers = 1;  // sub-layers that a gradient passes

  [[nodiscard]] exact::Rational pre() const;
  [[nodiscard]] exact::Rational post() const;
  [[nodiscard]] Value pre_power() const;
  [[nodiscard]] Value post_power() const;
  // Of a stream that starts with variance 1 and to which every sub-layer adds an independent branch of variance 1.
  [[nodiscard]] Value stream_std() const;
};

Report residual_report(const Residual& residual);

}  // namespace normtrace::trace
