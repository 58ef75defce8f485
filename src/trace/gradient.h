#pragma once

#include <string>
#include <vector>

#include "trace/report.h"
#include "trace/trace.h"

namespace normtrace::trace {

// The way back through the elements that share one statistic. With numerators a (x − μ or x), root ρ = √(v + ε), divisor s
// (ρ, or ρ + ε where ε is added to it) and v = Σa²/c: x̂ = a/s. All are derivatives of the loss.
struct GroupGradient {
  std::vector<Value> normalized;  // dx̂ = γ·g, or (1 + γ)·g
  Value divisor;                  // ds = −Σ dx̂·a/s²
  Value statistic;                // dv = ds/(2ρ), undefined where ρ is 0
  std::vector<Value> numerators;  // da = dx̂/s + 2a·dv/c; where ρ is 0 and s is not, dx̂/s: the rest is of second order
  Value mean;                     // dμ = −Σ da; 0 where nothing is subtracted
  std::vector<Value> input;       // dx = da + dμ/n
};

struct Gradient {
  Trace forward;
  std::vector<Value> upstream;  // g = ∂loss/∂y, in the order of the input
  std::vector<GroupGradient> groups;
  std::vector<Value> input;  // dx, in the order of the input
  std::vector<Value> gamma;  // dγ, one a parameter
  std::vector<Value> beta;   // dβ, likewise
};

// Whether the way back is written here: of BatchNorm on its own batch, LayerNorm and RMSNorm.
bool has_gradient(const norm::Norm& norm);
bool has_gradient(const Request& request);
// Requires that it is, and one upstream number for each of the input.
Gradient backward(Trace forward, std::vector<Value> upstream);

// Row j holds ∂x̂ⱼ/∂x.
using Matrix = std::vector<std::vector<Value>>;
Matrix jacobian(const Trace& forward, const GroupTrace& group);
std::vector<Value> multiply(const Matrix& matrix, const std::vector<Value>& x);
// Of the Jacobian, which is symmetric: 1/s for every direction at right angles to a (and to 1 where the mean is subtracted),
// what is left of a itself, and 0 for 1. Largest first.
std::vector<Value> singular_values(const Trace& forward, const GroupTrace& group);

// (loss(x + h·eᵢ) − loss(x − h·eᵢ))/2h with loss = Σ g·y: a witness that knows nothing of derivatives.
std::vector<Value> finite_differences(const Gradient& gradient, const exact::Rational& h);

// With the Jacobian and the witness where the input is small. `norm` is its name and what it was told: "LayerNorm: γ = 2".
Report gradient_report(const Gradient& gradient, const std::string& norm);

}  // namespace normtrace::trace
