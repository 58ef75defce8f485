#pragma once

#include <vector>

#include "tensor/tensor.h"
#include "trace/report.h"

namespace normtrace::trace {

Value dot(const std::vector<Value>& x, const std::vector<Value>& y);
Value length(const std::vector<Value>& x);
// Undefined for a vector of length 0.
Value cosine(const std::vector<Value>& x, const std::vector<Value>& y);
Value distance(const std::vector<Value>& x, const std::vector<Value>& y);

// What both norms do to a token, without ε and γ. Where a length is 0, what is divided by it is undefined.
struct Geometry {
  std::vector<Value> x;
  Value mean;
  std::vector<Value> projection;  // x − μ, on the plane Σ = 0
  std::vector<Value> layernorm;
  std::vector<Value> rmsnorm;
  std::vector<Value> rmsnorm_of_projection;  // the same as layernorm
};
Geometry geometry(const std::vector<Value>& x);

// Token by token, then distances and angles between the tokens if there are several.
Report geometry_report(const tensor::Tensor& tokens);

}  // namespace normtrace::trace
