#include "render/listing.h"

#include <algorithm>

#include "render/json_parts.h"
#include "render/table.h"

namespace normtrace::render {

namespace {

using Notes = std::vector<words::Message>;

Table table_of(const Listing& list) {
  Table table = {list.columns};
  for (const Listing::Entry& entry : list.entries) table.push_back(entry.cells);
  return table;
}

std::string text(const Listing& list, const Notes& /*notes*/, const Style& style) {
  Table table;
  for (const Listing::Entry& entry : list.entries) table.push_back(entry.line);
  return aligned(table, "  ", style.width);
}

std::string markdown(const Listing& list, const Notes& /*notes*/, const Style& /*style*/) {
  return markdown_table(table_of(list));
}

std::string csv(const Listing& list, const Notes& /*notes*/, const Style& /*style*/) {
  return csv_table(table_of(list));
}

bool is_whole(const std::string& cell) {
  return !cell.empty() && std::ranges::all_of(cell, [](char c) { return c >= '0' && c <= '9'; });
}

std::string json(const Listing& list, const Notes& notes, const Style& style) {
  JsonWriter json(style);
  json.begin_object();
  json.key("schema");
  json.number(1);
  json.member("command", list.command);
  json.key(list.member);
  json.begin_array();
  for (const Listing::Entry& entry : list.entries) {
    json.begin_object();
    for (std::size_t i = 0; i < entry.cells.size(); ++i) {
      json.key(list.columns[i]);
      if (is_whole(entry.cells[i]))
        json.number(std::stoll(entry.cells[i]));
      else
        json.string(entry.cells[i]);
    }
    json.end_object();
  }
  json.end_array();
  write_messages(json, notes, style);
  json.end_object();
  return json.take();
}

}  // namespace

std::span<const View<Listing>> listing_views() {
  static constexpr View<Listing> views[] = {{"text", text}, {"markdown", markdown}, {"json", json}, {"csv", csv}};
  return views;
}

}  // namespace normtrace::render
