#include "tensor/partition.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace normtrace::tensor {

namespace {

using Extents = std::vector<std::size_t>;

std::size_t product(const Extents& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
}

// The place with a number in row-major order, and back.
Extents place_of(std::size_t number, const Extents& shape) {
  Extents place(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0; number /= shape[axis]) place[axis] = number % shape[axis];
  return place;
}

std::size_t number_of(const Extents& place, const Extents& shape) {
  std::size_t number = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) number = number * shape[axis] + place[axis];
  return number;
}

// Each axis is cut into equal parts: which part a place lies in.
Extents part_of(const Extents& place, const Extents& shape, const Extents& parts) {
  Extents part(place.size());
  for (std::size_t axis = 0; axis < place.size(); ++axis) part[axis] = place[axis] / (shape[axis] / parts[axis]);
  return part;
}

bool has_channels(const Layout& layout) { return layout.axis != Axis::token && layout.axis != Axis::all; }
bool has_samples(std::size_t rank, const Layout& layout) {
  return has_channels(layout) && rank > (layout.axis == Axis::instance ? 2U : 1U);
}
bool is_channel_axis(std::size_t axis, std::size_t rank, const Layout& layout) {
  return has_channels(layout) && axis == channel_axis(rank, layout);
}

// Whether places that differ along this axis belong to different groups.
bool told_apart(std::size_t axis, std::size_t rank, const Layout& layout) {
  switch (layout.axis) {
    case Axis::token: return axis + layout.axes < rank;
    case Axis::feature: return is_channel_axis(axis, rank, layout);
    case Axis::group:
    case Axis::instance: return is_channel_axis(axis, rank, layout) || (axis == 0 && has_samples(rank, layout));
    case Axis::all: return false;
  }
  return false;
}

// Whether γ and β have an entry for each place along this axis.
bool has_parameters(std::size_t axis, std::size_t rank, const Layout& layout) {
  if (has_channels(layout)) return is_channel_axis(axis, rank, layout);
  return axis + layout.axes >= rank;
}

Extents parameter_shape(const Extents& shape, const Layout& layout) {
  Extents result(shape.size(), 1);
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (has_parameters(axis, shape.size(), layout)) result[axis] = shape[axis];
  return result;
}

// "n1": a letter for the axis and the number of the place along it, from 1. Rows of a matrix have names of their own.
std::string label(const Tensor& x, const Layout& layout, std::size_t axis, std::size_t index) {
  const std::size_t rank = x.shape.size();
  if (rank == 2 && axis == 0) return x.tokens[index];
  if (!is_channel_axis(axis, rank, layout)) return (axis == 0 ? "n" : "p") + std::to_string(index + 1);
  if (layout.axis == Axis::group) return "g" + std::to_string(index + 1);
  return rank == 2 ? feature_name(index) : "c" + std::to_string(index + 1);
}

std::string group_name(const Tensor& x, const Layout& layout, const Extents& part) {
  std::string name;
  for (std::size_t axis = 0; axis < part.size(); ++axis)
    if (told_apart(axis, part.size(), layout)) name += (name.empty() ? "" : " ") + label(x, layout, axis, part[axis]);
  return name.empty() ? "x" : name;
}

}  // namespace

std::string_view id(Axis axis) {
  switch (axis) {
    case Axis::token: return "token";
    case Axis::feature: return "feature";
    case Axis::group: return "group";
    case Axis::instance: return "instance";
    case Axis::all: return "all";
  }
  return {};
}

std::string_view id(Channels channels) { return channels == Channels::first ? "first" : "last"; }

std::string feature_name(std::size_t index) { return "f" + std::to_string(index + 1); }

std::size_t channel_axis(std::size_t rank, const Layout& layout) {
  if (layout.channels == Channels::last) return rank - 1;
  return layout.axis == Axis::instance && rank == 2 ? 0 : std::min<std::size_t>(1, rank - 1);
}

std::vector<std::size_t> blocks(const std::vector<std::size_t>& shape, const Layout& layout) {
  Extents result(shape.size(), 1);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (!told_apart(axis, shape.size(), layout)) continue;
    const bool cut = layout.axis == Axis::group && is_channel_axis(axis, shape.size(), layout);
    result[axis] = cut ? layout.groups : shape[axis];
  }
  return result;
}

std::size_t parameter_count(const Tensor& x, const Layout& layout) { return product(parameter_shape(x.shape, layout)); }

std::vector<Group> partition(const Tensor& x, const Layout& layout) {
  const Extents parts = blocks(x.shape, layout);
  const Extents parameters = parameter_shape(x.shape, layout);
  std::vector<Group> groups(product(parts));
  for (std::size_t number = 0; number < x.values.size(); ++number) {
    const Extents place = place_of(number, x.shape);
    Group& group = groups[number_of(part_of(place, x.shape, parts), parts)];
    group.members.push_back(number);
    Extents parameter(place.size(), 0);
    for (std::size_t axis = 0; axis < place.size(); ++axis)
      if (parameters[axis] > 1) parameter[axis] = place[axis];
    group.parameters.push_back(number_of(parameter, parameters));
  }
  for (std::size_t i = 0; i < groups.size(); ++i)
    groups[i].name = layout.by_row() ? x.tokens[i] : group_name(x, layout, place_of(i, parts));
  return groups;
}

std::vector<std::string> row_names(const Tensor& x, const Layout& layout) {
  if (!has_channels(layout) || x.shape.size() < 3) return x.tokens;
  const Extents rows(x.shape.begin(), x.shape.end() - 1);
  std::vector<std::string> names;
  Layout single = layout;
  single.axis = Axis::instance;
  for (std::size_t row = 0; row < x.rows(); ++row) {
    const Extents place = place_of(row, rows);
    std::string name;
    for (std::size_t axis = 0; axis < rows.size(); ++axis)
      name += (name.empty() ? "" : " ") + label(x, single, axis, place[axis]);
    names.push_back(name);
  }
  return names;
}

}  // namespace normtrace::tensor
