#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/tensor.h"

namespace normtrace::tensor {

// The elements that share one statistic: a token for LayerNorm and RMSNorm, a feature over the batch for BatchNorm.
struct Group {
  std::string name;
  std::vector<std::size_t> members;     // places in Tensor::values, in the order of the formula
  std::vector<std::size_t> parameters;  // for each member, which entry of γ and β belongs to it
};

enum class Axis { token, feature };

std::string_view id(Axis axis);  // "token", "feature"

// What γ and β have an entry for: the features.
std::size_t parameter_count(const Tensor& x);
std::vector<Group> partition(const Tensor& x, Axis axis);
// "f1", "f2", …, as features are called throughout.
std::string feature_name(std::size_t index);

}  // namespace normtrace::tensor
