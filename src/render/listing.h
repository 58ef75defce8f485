#pragma once

#include <span>
#include <string>
#include <vector>

#include "render/render.h"

namespace normtrace::render {

// What a command can be asked for, by name.
struct Listing {
  struct Entry {
    std::vector<std::string> line;   // in text: the name and what it is, in the language of the style
    std::vector<std::string> cells;  // for the columns; whole numbers are numbers in JSON
  };
  std::string command;
  std::string member;                // of the JSON that holds the entries: "models"
  std::vector<std::string> columns;  // the same in every language: members in JSON, the head elsewhere
  std::vector<Entry> entries;
};

// text, markdown, json, csv.
std::span<const View<Listing>> listing_views();

}  // namespace normtrace::render
