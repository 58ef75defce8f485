#include "classroom/tables.h"

#include <algorithm>

#include "render/json_parts.h"
#include "render/table.h"
#include "words/width.h"

namespace normtrace::classroom {

using render::JsonWriter;
using render::Style;
using words::say;
using Notes = std::vector<words::Message>;

std::span<const FactTable> tables() {
  static const std::vector<FactTable> all = {
      {"layernorm-rmsnorm",
       "tables.layernorm_rmsnorm",
       {{"", "LayerNorm", "RMSNorm"},
        {"tables.statistics", "tables.mean_and_variance", "tables.mean_square"},
        {"tables.subtracts_mean", "tables.yes", "tables.no"},
        {"tables.parameters", "γ, β (2d)", "γ (d)"}}},
      {"norms",
       "tables.norms",
       {{"", "BatchNorm", "LayerNorm", "RMSNorm"},
        {"tables.over", "tables.batch_of_feature", "tables.features_of_token", "tables.features_of_token"},
        {"tables.takes_mean", "tables.yes", "tables.yes", "tables.no"},
        {"tables.scale", "σ²", "σ²", "mean(x²)"},
        {"tables.needs_batch", "tables.yes", "tables.no", "tables.no"},
        {"tables.couples", "tables.yes", "tables.no", "tables.no"},
        {"tables.train_infer", "tables.different", "tables.same", "tables.same"},
        {"tables.usual_parameters", "γ, β", "γ, β", "γ"},
        {"tables.complexity", "O(N)", "O(N)", "O(N)"},
        {"tables.used_in", "CNN", "Transformer", "tables.language_models"}},
       "tables.scale_remark"},
      {"shapes",
       "tables.shapes",
       {{"", "tables.shape", ""},
        {"x", "(1, 3, 4)", "tables.batch_token_feature"},
        {"x²", "(1, 3, 4)", ""},
        {"mean(x²)", "(1, 3, 1)", "tables.last_axis"},
        {"RMS(x)", "(1, 3, 1)", ""},
        {"x/RMS(x)", "(1, 3, 4)", "tables.broadcast"},
        {"γ", "(4,)", "tables.one_a_feature"},
        {"y", "(1, 3, 4)", ""}}},
      {"gpt2-llama",
       "tables.gpt2_llama",
       {{"", "GPT-2", "LLaMA"},
        {"tables.norm", "LayerNorm", "RMSNorm"},
        {"tables.does", "tables.shifts_and_scales", "tables.scales"},
        {"tables.parameters", "γ, β (2d)", "γ (d)"},
        {"tables.basis", "—", "tables.experience"}}},
  };
  return all;
}

const FactTable* find_table(std::string_view name) {
  const auto found = std::ranges::find(tables(), name, &FactTable::name);
  return found == tables().end() ? nullptr : &*found;
}

const std::vector<std::string_view>* find_row(const FactTable& table, std::string_view first_cell) {
  const auto found = std::ranges::find(table.rows, first_cell, [](const auto& row) { return row.front(); });
  return found == table.rows.end() ? nullptr : &*found;
}

namespace {

std::string spoken(std::string_view cell, words::Language language) {
  return cell.starts_with("tables.") ? say(language, cell) : std::string(cell);
}

render::Table spoken(const FactTable& table, const Style& style) {
  render::Table result;
  for (const auto& row : table.rows) {
    result.emplace_back();
    for (const std::string_view cell : row) result.back().push_back(spoken(cell, style.language));
  }
  return result;
}

std::string remark(const FactTable& table, const Style& style) {
  return table.remark.empty() ? "" : "\n" + say(style.language, table.remark) + "\n";
}

std::string text(const FactTable& table, const Notes& /*notes*/, const Style& style) {
  return say(style.language, table.title) + "\n\n" + render::aligned(spoken(table, style), "  ") + remark(table, style);
}

std::string markdown(const FactTable& table, const Notes& /*notes*/, const Style& style) {
  return "## " + say(style.language, table.title) + "\n\n" + render::markdown_table(spoken(table, style)) +
         remark(table, style);
}

std::string json(const FactTable& table, const Notes& notes, const Style& style) {
  JsonWriter json(style);
  json.begin_object();
  json.key("schema");
  json.number(1);
  json.member("command", "table");
  json.member("name", table.name);
  json.member("title", say(style.language, table.title));
  json.key("rows");
  json.begin_array();
  for (const auto& row : spoken(table, style)) {
    json.begin_array();
    for (const std::string& cell : row) json.string(cell);
    json.end_array();
  }
  json.end_array();
  write_messages(json, notes, style);
  json.end_object();
  return json.take();
}

std::string csv(const FactTable& table, const Notes& /*notes*/, const Style& style) {
  return render::csv_table(spoken(table, style));
}

}  // namespace

std::string list_of_tables(words::Language language) {
  render::Table rows;
  for (const FactTable& table : tables()) rows.push_back({std::string(table.name), say(language, table.title)});
  return render::aligned(rows, "  ");
}

std::span<const render::View<FactTable>> table_views() {
  static constexpr render::View<FactTable> views[] = {
      {"text", text}, {"markdown", markdown}, {"json", json}, {"csv", csv}};
  return views;
}

}  // namespace normtrace::classroom
