#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "classroom/explain/sample.h"
#include "tensor/partition.h"

namespace normtrace::classroom::explain {

// Which elements share a statistic, as a row of a table.
struct GroupingKind {
  std::string_view id;
  std::string_view axis;        // in JSON: token, feature, group, all
  std::string_view norm;        // that subtracts a mean over it: layernorm, batchnorm, …
  std::string_view slip;        // what is wrong with it whatever the norm; empty
  double cost;                  // beside the most usual one
  bool has_running_statistics;  // BatchNorm and InstanceNorm keep some
  tensor::Axis layout;
  tensor::Channels channels = tensor::Channels::last;
  bool positions = false;     // it takes more axes than samples and features
  bool whole_sample = false;  // of the last axes, all but the first share a statistic
  bool flattened = false;     // all axes but the first are one
};

std::span<const GroupingKind> grouping_kinds();

// A grouping of one shape.
struct Grouping {
  const GroupingKind* kind = nullptr;
  std::size_t groups = 1;  // of the channels, where they are cut
  std::vector<std::vector<std::size_t>> members;
  std::vector<std::size_t> parameter;  // of γ and β, for every element
  std::size_t parameters = 1;
};

// Empty if the kind makes no sense for the shape. A flat vector is one token, or one feature if the norm is BatchNorm.
std::optional<Grouping> make_grouping(const GroupingKind& kind, std::size_t groups, const Sample& sample);
// Those that differ, the cheapest of equal ones; all but the groups of GroupNorm, of which there may be many.
std::vector<Grouping> groupings_of(const Sample& sample);
// Those of GroupNorm that are none of the others.
std::vector<Grouping> channel_groupings_of(const Sample& sample);
// Keeps them in the sample, for many searches over the same shape.
void prepare(Sample& sample);

}  // namespace normtrace::classroom::explain
