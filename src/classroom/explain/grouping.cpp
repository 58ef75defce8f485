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
      {"group", "group", "groupnorm", "", 1, false, Axis::group, Channels::first},
      {"whole", "all", "whole", "", 1, false, Axis::all},
      {"batch_alone", "feature", "batchnorm", "batch_axis_only", 1.5, true, Axis::feature, Channels::last, true, false,
       true},
  };
  return table;
}

namespace {

// A flat vector is a token; as a feature over the batch it is a column.
tensor::Tensor seen_as_rows(const Sample& sample) {
  tensor::Tensor x = sample.input;
  if (x.shape.size() == 1) {
    const bool is_feature = sample.norm == "batchnorm" || !sample.running_mean.empty() || !sample.running_var.empty();
    const std::size_t count = x.shape[0];
    x.shape = is_feature ? std::vector<std::size_t>{count, 1} : std::vector<std::size_t>{1, count};
  }
  x.tokens.resize(x.rows());
  return x;
}

std::optional<Grouping> make_grouping(const GroupingKind& kind, std::size_t groups, const tensor::Tensor& x) {
  if (kind.positions && x.shape.size() < 3) return std::nullopt;
  if (kind.layout == Axis::group && (groups >= x.shape[1] || x.shape[1] % groups != 0)) return std::nullopt;
  tensor::Tensor flat;
  if (kind.flattened) {
    flat = x;
    flat.shape = {x.shape[0], x.values.size() / x.shape[0]};
    flat.tokens.resize(x.shape[0]);
  }
  const tensor::Tensor& seen = kind.flattened ? flat : x;
  const std::size_t axes = kind.whole_sample ? x.shape.size() - 1 : 1;
  const tensor::Layout layout{kind.layout, axes, groups, kind.channels};
  Grouping grouping{&kind, groups, {}, std::vector<std::size_t>(x.values.size()), parameter_count(seen, layout)};
  for (tensor::Group& group : partition(seen, layout)) {
    for (std::size_t i = 0; i < group.members.size(); ++i) grouping.parameter[group.members[i]] = group.parameters[i];
    grouping.members.push_back(std::move(group.members));
  }
  return grouping;
}

}  // namespace

std::optional<Grouping> make_grouping(const GroupingKind& kind, std::size_t groups, const Sample& sample) {
  return make_grouping(kind, groups, seen_as_rows(sample));
}

void prepare(Sample& sample) { sample.groupings = std::make_shared<const std::vector<Grouping>>(groupings_of(sample)); }

namespace {

bool same_members(const Grouping& a, const Grouping& b) { return a.members == b.members; }

}  // namespace

std::vector<Grouping> groupings_of(const Sample& sample) {
  const tensor::Tensor x = seen_as_rows(sample);
  std::vector<Grouping> result;
  for (const GroupingKind& kind : grouping_kinds()) {
    if (kind.layout == Axis::group) continue;
    auto grouping = make_grouping(kind, 1, x);
    if (!grouping) continue;
    const auto same = [&](const Grouping& other) { return same_members(other, *grouping); };
    // What is known to be meant, or what one position left is called for, is kept even where another grouping comes to
    // the same.
    if (kind.norm == sample.norm || (kind.positions && x.shape.back() == 1)) std::erase_if(result, same);
    if (std::ranges::none_of(result, same)) result.push_back(std::move(*grouping));
  }
  return result;
}

std::vector<Grouping> channel_groupings_of(const Sample& sample) {
  const tensor::Tensor x = seen_as_rows(sample);
  const std::vector<Grouping>& others = *sample.groupings;
  std::vector<Grouping> result;
  for (const GroupingKind& kind : grouping_kinds()) {
    if (kind.layout != Axis::group) continue;
    for (std::size_t groups = 2; groups < x.shape[1]; ++groups)
      if (auto grouping = make_grouping(kind, groups, x))
        if (std::ranges::none_of(others, [&](const Grouping& other) { return same_members(other, *grouping); }))
          result.push_back(std::move(*grouping));
  }
  return result;
}

}  // namespace normtrace::classroom::explain
