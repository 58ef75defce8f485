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

// What shares a statistic.
enum class Axis {
  token,     // the last axes, for each place of the axes before
  feature,   // a channel, over samples and positions
  group,     // some channels of one sample, over positions
  instance,  // one channel of one sample, over positions
  all,       // every number
};
// Where the channels stand: (N, C, L) or (N, L, C). In (N, C) there is no difference.
enum class Channels { first, last };

std::string_view id(Axis axis);          // "token", "feature", …
std::string_view id(Channels channels);  // "first", "last"

struct Layout {
  Axis axis = Axis::token;
  std::size_t axes = 1;    // token: how many of the last axes
  std::size_t groups = 1;  // group: into how many the channels are cut, in order
  Channels channels = Channels::last;

  // Whether each group is one row, so that outputs come by token as they are.
  [[nodiscard]] bool by_row() const { return axis == Axis::token && axes == 1; }
  friend bool operator==(const Layout&, const Layout&) = default;
};

// The axis of the channels: of (N, C, L) the second. For `instance` (C, L) has no axis of samples.
std::size_t channel_axis(std::size_t rank, const Layout& layout);
// Into how many parts each axis is cut: 1 where the statistic runs over the whole axis. Over the whole input a statistic
// has this shape.
std::vector<std::size_t> blocks(const std::vector<std::size_t>& shape, const Layout& layout);

// What γ and β have an entry for: the features or channels, or all of the last axes where those are shared.
std::size_t parameter_count(const Tensor& x, const Layout& layout);
// Requires 1 ≤ axes ≤ rank, a rank of at least 2 for `group` and `instance`, and that `groups` divides the channels.
std::vector<Group> partition(const Tensor& x, const Layout& layout);
// "f1", "f2", …, as features are called throughout.
std::string feature_name(std::size_t index);
// What a row of the last axis is called where the input has samples and channels: "n1 c2" of (N, C, L).
std::vector<std::string> row_names(const Tensor& x, const Layout& layout);

}  // namespace normtrace::tensor
