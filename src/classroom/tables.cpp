#include "classroom/tables.h"

#include <algorithm>

#include "classroom/multisets.h"
#include "classroom/recorded.h"
#include "render/json_parts.h"
#include "render/table.h"
#include "words/width.h"

namespace normtrace::classroom {

using render::JsonWriter;
using render::Style;
using words::say;
using Notes = std::vector<words::Message>;

namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows recorded_rows() {
  Rows rows = {{"claims.id", "tables.measured", "tables.value"}};
  for (const Recorded& one : recorded()) rows.push_back({std::string(one.claim), std::string(one.what), one.text()});
  return rows;
}

Rows whole_rms_rows() {
  Rows rows = {{"RMS", "tables.absolute_values"}};
  for (std::int64_t rms = 1; rms <= 9; ++rms) {
    std::string sets;
    for (const std::vector<std::int64_t>& set : sets_with_rms(rms)) {
      std::string text;
      for (const std::int64_t x : set) text += (text.empty() ? "" : ",") + std::to_string(x);
      sets += (sets.empty() ? "{" : " {") + text + "}";
    }
    rows.push_back({std::to_string(rms), sets});
  }
  return rows;
}

}  // namespace

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
      {"operations",
       "tables.operations",
       {{"", "BatchNorm", "LayerNorm", "RMSNorm"},
        {"tables.sum_of_x", "1", "1", "—"},
        {"x - μ", "1", "1", "—"},
        {"tables.squares", "1", "1", "1"},
        {"tables.sum_of_squares", "1", "1", "1"},
        {"tables.division", "1", "1", "1"},
        {"· γ", "1", "1", "1"},
        {"+ β", "1", "1", "—"},
        {"tables.operations_of_n", "7N", "7N", "4N"},
        {"tables.operations_of_2n", "14N", "14N", "8N"},
        {"tables.complexity", "O(N)", "O(N)", "O(N)"}},
       "tables.operations_remark"},
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
      {"layernorm-shapes",
       "tables.layernorm_shapes",
       {{"", "tables.shape", "B = 2, L = 3, d = 4", ""},
        {"x", "(B, L, d)", "(2, 3, 4)", "tables.batch_token_feature"},
        {"tables.one_token", "(d,)", "(4,)", ""},
        {"μ", "(B, L, 1)", "(2, 3, 1)", "tables.last_axis"},
        {"σ²", "(B, L, 1)", "(2, 3, 1)", ""},
        {"(x-μ)/σ", "(B, L, d)", "(2, 3, 4)", "tables.broadcast"},
        {"γ, β", "(d,)", "(4,)", "tables.one_a_feature"},
        {"y", "(B, L, d)", "(2, 3, 4)", ""}}},
      {"gpt2-llama",
       "tables.gpt2_llama",
       {{"", "GPT-2", "LLaMA"},
        {"tables.norm", "LayerNorm", "RMSNorm"},
        {"tables.does", "tables.shifts_and_scales", "tables.scales"},
        {"tables.parameters", "γ, β (2d)", "γ (d)"},
        {"tables.basis", "—", "tables.experience"}}},
      {"decoder",
       "tables.decoder",
       {{"", "tables.computed"},
        {"Attention", "u = h + Attention(RMSNorm(h))"},
        {"MLP", "h = u + MLP(RMSNorm(u))"},
        {"tables.after_blocks", "h = RMSNorm(h)"},
        {"tables.output_layer", "logits = lm_head(h)"}},
       "tables.decoder_remark"},
      {"post-norm",
       "tables.post_norm",
       {{"", "tables.computed"},
        {"Attention", "a = SelfAttention(x, x, x)"},
        {"tables.sum_and_norm", "x = LayerNorm1(x + Dropout(a))"},
        {"tables.feed_forward", "f = Linear2(Dropout(ReLU(Linear1(x))))"},
        {"tables.sum_and_norm", "x = LayerNorm2(x + Dropout(f))"}},
       "tables.post_norm_remark"},
      {"whole-rms", "tables.whole_rms", whole_rms_rows(), "tables.whole_rms_remark"},
      {"figures",
       "tables.figures",
       {{"", "tables.figure_shows", "claims.shown_by"},
        {"1", "tables.figure_1", "normtrace table norms"},
        {"2", "tables.figure_2", "normtrace rms 1,2,3,4 10,20,30,40 0.1,0.2,0.3,0.4"},
        {"3", "tables.figure_3", "normtrace residual --j-norm 0.5 --j-branch 0.2"}},
       "tables.figures_remark"},
      {"recorded", "tables.recorded", recorded_rows(), "tables.recorded_remark"},
      {"references",
       "tables.references",
       {{"", "tables.authors", ""},
        {"BatchNorm", "Ioffe, Szegedy 2015", "arXiv:1502.03167"},
        {"LayerNorm", "Ba, Kiros, Hinton 2016", "arXiv:1607.06450"},
        {"InstanceNorm", "Ulyanov, Vedaldi, Lempitsky 2016", "arXiv:1607.08022"},
        {"GroupNorm", "Wu, He 2018", "arXiv:1803.08494"},
        {"RMSNorm (D20)", "Zhang, Sennrich 2019", "arXiv:1910.07467, github.com/bzhangGo/rmsnorm"},
        {"Transformer", "Vaswani et al. 2017", "arXiv:1706.03762"},
        {"LLaMA", "Touvron et al. 2023", "arXiv:2302.13971"},
        {"tables.covariate_shift", "Santurkar et al. 2018", "arXiv:1805.11604"},
        {"tables.upcast", "PyTorch, LeetCUDA", "pytorch PR 133085, pytorch PR 66707, LeetCUDA PR 335"},
        {"tables.visible_eps", "BERT-pytorch", "issue 30"},
        {"tables.rounded_sum", "vLLM", "PR 29810"}}},
  };
  return all;
}

const FactTable* find_table(std::string_view name) {
  const auto found = std::ranges::find(tables(), name, &FactTable::name);
  return found == tables().end() ? nullptr : &*found;
}

const std::vector<std::string>* find_row(const FactTable& table, std::string_view first_cell) {
  const auto found = std::ranges::find_if(table.rows, [&](const auto& row) { return row.front() == first_cell; });
  return found == table.rows.end() ? nullptr : &*found;
}

namespace {

std::string spoken(std::string_view cell, words::Language language) {
  const bool sentence = cell.starts_with("tables.") || cell.starts_with("claims.") || cell.starts_with("label.");
  return sentence ? say(language, cell) : std::string(cell);
}

render::Table spoken(const FactTable& table, const Style& style) {
  render::Table result;
  for (const auto& row : table.rows) {
    result.emplace_back();
    for (const std::string& cell : row) result.back().push_back(spoken(cell, style.language));
  }
  return result;
}

std::string remark(const FactTable& table, const Style& style) {
  return table.remark.empty() ? "" : "\n" + say(style.language, table.remark) + "\n";
}

std::string text(const FactTable& table, const Notes& /*notes*/, const Style& style) {
  return say(style.language, table.title) + "\n\n" + render::aligned(spoken(table, style), "  ", style.width) +
         remark(table, style);
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

render::Listing list_of_tables(words::Language language) {
  render::Listing list{"table", "tables", {"name", "title"}, {}};
  for (const FactTable& table : tables()) {
    const std::vector<std::string> both = {std::string(table.name), say(language, table.title)};
    list.entries.push_back({both, both});
  }
  return list;
}

std::span<const render::View<FactTable>> table_views() {
  static constexpr render::View<FactTable> views[] = {
      {"text", text}, {"markdown", markdown}, {"json", json}, {"csv", csv}};
  return views;
}

}  // namespace normtrace::classroom
