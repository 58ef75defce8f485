#include "classroom/explain/grouping.h"

#include <algorithm>
#include <optional>

namespace normtrace::classroom::explain {

using tensor::Axis;
using tensor::Channels;

std::span<const GroupingKind> grouping_kinds() {
  static constexpr GroupingKind table[] = {
      {"token", "token", "layernorm", "", 0, false, Axis::token},
      {"channel", "feature", "batchnorm", "", 0.1, true, Axis::feature, Channels::first, true},
      {"feature", "feature", "batchnorm", "", 0.2, true, Axis::feature},
      {"sample", "token", "layernorm", "", 0.5, false, Axis::token, Channels::last, true, true},
      {"instance", "group", "instancenorm", "", 0.3, true, Axis::instance, Channels::first, true},
      {"group", "group", "groupnorm", "", 0.8, false, Axis::group, Channels::first},
      {"whole", "all", "whole", "", 1, false, Axis::all},
      {"batch_alone", "feature", "batchnorm", "batch_axis_only", 1.5, true, Axis::feature, Channels::last, true, false,
       true},
  };
  return table;
}

namespace {

// A flat vector is a token; as a feature over the batch it is a column.
std::vector<std::size_t> seen_as(const std::vector<std::size_t>& shape, bool flat_is_feature) {
  if (shape.size() != 1) return shape;
  return flat_is_feature ? std::vector<std::size_t>{shape[0], 1} : std::vector<std::size_t>{1, shape[0]};
}

// Empty if the kind makes no sense for the shape.
std::optional<Grouping> make_grouping(const GroupingKind& kind, std::size_t groups, tensor::Tensor x) {
  if (kind.positions && x.shape.size() < 3) return std::nullopt;
  if (kind.layout == Axis::group && (groups >= x.shape[1] || x.shape[1] % groups != 0)) return std::nullopt;
  if (kind.flattened) x.shape = {x.shape[0], x.values.size() / x.shape[0]};
  const std::size_t axes = kind.whole_sample ? x.shape.size() - 1 : 1;
  const tensor::Layout layout{kind.layout, axes, groups, kind.channels};
  Grouping grouping{&kind, groups, {}, std::vector<std::size_t>(x.values.size()), parameter_count(x, layout)};
  for (tensor::Group& group : partition(x, layout)) {
    for (std::size_t i = 0; i < group.members.size(); ++i) grouping.parameter[group.members[i]] = group.parameters[i];
    grouping.members.push_back(std::move(group.members));
  }
  return grouping;
}

}  // namespace

std::vector<Grouping> groupings_of(const Sample& sample) {
  const bool flat_is_feature =
      sample.norm == "batchnorm" || !sample.running_mean.empty() || !sample.running_var.empty();
  tensor::Tensor x = sample.input;
  x.shape = seen_as(x.shape, flat_is_feature);
  x.tokens.resize(x.rows());
  std::vector<Grouping> result;
  const auto add = [&](const GroupingKind& kind, std::size_t groups) {
    auto grouping = make_grouping(kind, groups, x);
    if (!grouping) return;
    const auto same = [&](const Grouping& other) { return other.members == grouping->members; };
    // What is known to be meant is kept even where another grouping comes to the same.
    if (kind.norm == sample.norm) std::erase_if(result, same);
    if (std::ranges::none_of(result, same)) result.push_back(std::move(*grouping));
  };
  for (const GroupingKind& kind : grouping_kinds()) {
    if (kind.layout != Axis::group) {
      add(kind, 1);
      continue;
    }
    for (std::size_t groups = 2; groups < x.shape[1]; ++groups) add(kind, groups);
  }
  return result;
}

}  // namespace normtrace::classroom::explain
