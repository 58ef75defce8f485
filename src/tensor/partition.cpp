#include "tensor/partition.h"

namespace normtrace::tensor {

std::string_view id(Axis axis) { return axis == Axis::token ? "token" : "feature"; }

std::string feature_name(std::size_t index) { return "f" + std::to_string(index + 1); }

std::size_t parameter_count(const Tensor& x) { return x.width(); }

namespace {

std::vector<Group> by_token(const Tensor& x) {
  std::vector<Group> groups(x.rows());
  for (std::size_t row = 0; row < x.rows(); ++row) {
    groups[row].name = x.tokens[row];
    for (std::size_t column = 0; column < x.width(); ++column) {
      groups[row].members.push_back(row * x.width() + column);
      groups[row].parameters.push_back(column);
    }
  }
  return groups;
}

std::vector<Group> by_feature(const Tensor& x) {
  std::vector<Group> groups(x.width());
  for (std::size_t column = 0; column < x.width(); ++column) {
    groups[column].name = feature_name(column);
    for (std::size_t row = 0; row < x.rows(); ++row) {
      groups[column].members.push_back(row * x.width() + column);
      groups[column].parameters.push_back(column);
    }
  }
  return groups;
}

}  // namespace

std::vector<Group> partition(const Tensor& x, Axis axis) { return axis == Axis::token ? by_token(x) : by_feature(x); }

}  // namespace normtrace::tensor
