#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "text/document.h"

namespace normtrace::text {

// Remarks of which one of a kind is enough: it names the first places, and tells by … that there are more.
class PlacedRemarks {
 public:
  // Adds it to `list`, which is always the same, or its arguments to the remark of its kind that stands there.
  void add(std::vector<Remark>& list, Remark remark) {
    const auto known = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& kind) {
      return kind.at < list.size() && list[kind.at].message.id == remark.message.id;
    });
    if (known == kinds_.end()) {
      kinds_.push_back({list.size(), {remark.message.arguments}});
      list.push_back(std::move(remark));
      return;
    }
    if (known->places.size() > most_places ||
        std::find(known->places.begin(), known->places.end(), remark.message.arguments) != known->places.end())
      return;
    known->places.push_back(remark.message.arguments);
    const bool more = known->places.size() > most_places;
    std::vector<std::string>& said = list[known->at].message.arguments;
    for (std::size_t i = 0; i < said.size(); ++i)
      said[i] += "; " + (more ? std::string("…") : remark.message.arguments[i]);
  }

 private:
  static constexpr std::size_t most_places = 3;

  struct Kind {
    std::size_t at;  // in the list
    std::vector<std::vector<std::string>> places;
  };
  std::vector<Kind> kinds_;
};

}  // namespace normtrace::text
