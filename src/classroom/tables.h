#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/listing.h"
#include "render/render.h"
#include "words/words.h"

// The articles' tables, what else of theirs is no calculation, and what was recorded. A test works out every cell that can
// be checked.
namespace normtrace::classroom {

// Cells are ids of sentences ("tables.…") or, the same in every language, what they say themselves.
struct FactTable {
  std::string_view name;                       // "norms"
  std::string_view title;                      // id of a sentence
  std::vector<std::vector<std::string>> rows;  // the first is the head; the first cell of each names the row
  std::string_view remark = {};                // id of a sentence below; empty for none
};

std::span<const FactTable> tables();
// Null if there is none of that name.
const FactTable* find_table(std::string_view name);
// Null if the table has no such row.
const std::vector<std::string>* find_row(const FactTable& table, std::string_view first_cell);
render::Listing list_of_tables(words::Language language);
// text, markdown, json, csv.
std::span<const render::View<FactTable>> table_views();

}  // namespace normtrace::classroom
