#include "render/conventions.h"

#include <algorithm>

#include "norm/presets.h"
#include "render/json_parts.h"
#include "render/lines.h"

namespace normtrace::render {

using exact::Value;
using trace::ConventionResult;
using trace::NormSurvey;
using words::say;
using Notes = std::vector<words::Message>;

namespace {

constexpr std::string_view unconfirmed_mark = " (?)";

std::string group_letter(std::size_t group) { return std::string(1, static_cast<char>('A' + group)); }

// The results that print the same, by letter, and where each result belongs.
struct Grouping {
  std::vector<std::vector<std::size_t>> groups;

  [[nodiscard]] std::size_t of(std::size_t result) const {
    const auto found = std::ranges::find_if(
        groups, [&](const auto& group) { return std::ranges::find(group, result) != group.end(); });
    return static_cast<std::size_t>(found - groups.begin());
  }
};

std::string joined(const std::vector<std::string>& parts, const Style& style) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : say(style.language, "list.separator")) + part;
  return text;
}

// "by n-1, ε = 1e-6 added to the root"
std::string way(const norm::Norm& norm, const norm::Convention& convention, Style style) {
  style.power = exact::PowerOfTen::e_notation;  // as ε stands in everybody's code
  std::vector<std::string> parts;
  if (norm.formula == norm::Formula::divide_by_std) parts.push_back(say(style.language, "conventions.uncentred"));
  if (convention.divisor != norm::Divisor::n) parts.push_back(say(style.language, "conventions.n_minus_one"));
  const bool added = convention.eps_place == norm::EpsPlace::added_to_root && !convention.eps.is_zero();
  parts.push_back(
      say(style.language, {added ? "conventions.eps_added" : "conventions.eps", {show_eps(convention.eps, style)}}));
  if (convention.gamma_form == norm::GammaForm::one_plus) parts.emplace_back("1+γ");
  return joined(parts, style);
}

std::string who(const ConventionResult& result, const Style& style) {
  if (result.presets.empty()) return say(style.language, "conventions.articles");
  std::vector<std::string> names;
  for (const norm::Preset* const preset : result.presets)
    names.push_back(std::string(norm::find_framework(preset->framework)->name) +
                    std::string(preset->confirmed ? "" : unconfirmed_mark));
  return joined(names, style);
}

std::string parting(const NormSurvey& survey, std::size_t result, std::size_t row, const Style& style) {
  if (result == 0) return "-";
  if (const auto decimal = survey.results[result].parting[row]) return std::to_string(*decimal);
  const bool equal = std::ranges::equal(row_of(survey.results.front().trace, row),
                                        row_of(survey.results[result].trace, row), exact::proved_equal);
  return say(style.language, equal ? "conventions.equal" : "conventions.beyond");
}

// "≈ [-1.3411*, -0.4470*]", the numbers of all results of a group; a star where the first group prints something else.
std::string marked(const NormSurvey& survey, const std::vector<std::size_t>& group, std::size_t row,
                   const Style& style) {
  const std::vector<Value> first = row_of(survey.results.front().trace, row);
  std::vector<Shown> entries(first.size());
  std::vector<std::string> stars(first.size());
  for (const std::size_t result : group) {
    const std::vector<Value> output = row_of(survey.results[result].trace, row);
    for (std::size_t i = 0; i < output.size(); ++i) {
      if (!entries[i].rounded) entries[i] = show(output[i], style);
      if (!trace::prints_same(first[i], output[i], style.digits)) stars[i] = "*";
    }
  }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < entries.size(); ++i) parts.push_back(entries[i].text + stars[i]);
  const bool rounded = std::ranges::any_of(entries, &Shown::rounded);
  return std::string(rounded ? "≈ " : "= ") + "[" + join(parts, ", ", style) + "]";
}

Table way_table(const NormSurvey& survey, const Grouping& grouping, std::size_t row, const Style& style) {
  Table table = {{"", say(style.language, "conventions.way"), say(style.language, "conventions.who"),
                  say(style.language, "conventions.parts")}};
  for (std::size_t group = 0; group < grouping.groups.size(); ++group)
    for (const std::size_t result : grouping.groups[group]) {
      const ConventionResult& one = survey.results[result];
      table.push_back({group_letter(group), way(*one.trace.request.norm, one.trace.request.convention, style),
                       who(one, style), parting(survey, result, row, style)});
    }
  return table;
}

std::string row_line(const tensor::Tensor& input, std::size_t row, const Style& style) {
  const auto begin = input.values.begin() + static_cast<std::ptrdiff_t>(row * input.width());
  return input.tokens[row] + " = " + show_input({begin, begin + static_cast<std::ptrdiff_t>(input.width())}, style);
}

// What the marks in a text say; only those that it holds.
std::vector<std::string> legend(const std::string& text, const Style& style) {
  std::vector<std::string> lines;
  if (text.find('*') != std::string::npos) lines.push_back(say(style.language, "conventions.legend_star"));
  if (text.find(unconfirmed_mark) != std::string::npos)
    lines.push_back(say(style.language, "conventions.legend_unconfirmed"));
  return lines;
}

std::string bold(const std::string& text, const Style& style) {
  return style.color ? "\x1b[1m" + text + "\x1b[0m" : text;
}

std::string text(const trace::Survey& survey, const Notes& /*notes*/, const Style& style) {
  std::string text;
  for (std::size_t row = 0; row < survey.input.rows(); ++row) {
    text += (row == 0 ? "" : "\n") + bold(row_line(survey.input, row, style), style) + "\n";
    for (const NormSurvey& norm : survey.norms) {
      const Grouping grouping{grouped(norm, row, style.digits)};
      text += "\n" + bold(std::string(norm.norm->name), style) + "\n";
      for (std::size_t group = 0; group < grouping.groups.size(); ++group)
        text += "  " + group_letter(group) + " " + marked(norm, grouping.groups[group], row, style) + "\n";
      text += "\n" + aligned(way_table(norm, grouping, row, style), "  ", style.width);
    }
  }
  const std::vector<std::string> marks = legend(text, style);
  if (!marks.empty()) text += "\n";
  for (const std::string& mark : marks) text += mark + "\n";
  return text;
}

std::string markdown(const trace::Survey& survey, const Notes& /*notes*/, const Style& style) {
  std::string text;
  for (std::size_t row = 0; row < survey.input.rows(); ++row) {
    text += (row == 0 ? "## " : "\n## ") + row_line(survey.input, row, style) + "\n";
    for (const NormSurvey& norm : survey.norms) {
      const Grouping grouping{grouped(norm, row, style.digits)};
      text += "\n### " + std::string(norm.norm->name) + "\n\n";
      for (std::size_t group = 0; group < grouping.groups.size(); ++group)
        text += "- " + group_letter(group) + " " + marked(norm, grouping.groups[group], row, style) + "\n";
      text += "\n" + markdown_table(way_table(norm, grouping, row, style));
    }
  }
  for (const std::string& mark : legend(text, style)) text += (mark[0] == '*' ? "\n\\" : "\n") + mark + "\n";
  return text;
}

std::string csv(const trace::Survey& survey, const Notes& /*notes*/, const Style& style) {
  const Style plain = for_machines(style);
  Table table = {{"token", "norm", "like", "confirmed", "divisor", "eps", "eps_place", "group", "parts_at"}};
  for (std::size_t column = 0; column < survey.input.width(); ++column)
    table.front().push_back(tensor::feature_name(column));
  for (std::size_t row = 0; row < survey.input.rows(); ++row)
    for (const NormSurvey& norm : survey.norms) {
      const Grouping grouping{grouped(norm, row, style.digits)};
      for (std::size_t i = 0; i < norm.results.size(); ++i) {
        const ConventionResult& result = norm.results[i];
        const norm::Convention& convention = result.trace.request.convention;
        std::vector<std::string> cells = {std::string(norm::id(convention.divisor)), show_input(convention.eps, plain),
                                          std::string(norm::id(convention.eps_place)), group_letter(grouping.of(i)),
                                          result.parting[row] ? std::to_string(*result.parting[row]) : ""};
        for (const Value& value : row_of(result.trace, row))
          cells.push_back(value.is_undefined() ? "" : show(value, plain).text);
        const auto add = [&](std::string_view like, std::string_view confirmed) {
          table.push_back(
              {survey.input.tokens[row], std::string(norm.norm->command), std::string(like), std::string(confirmed)});
          table.back().insert(table.back().end(), cells.begin(), cells.end());
        };
        if (result.presets.empty()) add("", "");
        for (const norm::Preset* const preset : result.presets)
          add(preset->framework, preset->confirmed ? "true" : "false");
      }
    }
  return csv_table(table);
}

void write_presets(JsonWriter& json, const ConventionResult& result) {
  json.key("like");
  json.begin_array();
  for (const norm::Preset* const preset : result.presets) {
    json.begin_object();
    json.member("id", preset->framework);
    json.member("name", norm::find_framework(preset->framework)->name);
    json.key("confirmed");
    json.boolean(preset->confirmed);
    json.end_object();
  }
  json.end_array();
}

void write_way(JsonWriter& json, const NormSurvey& norm, const Grouping& grouping, std::size_t i, std::size_t row) {
  const ConventionResult& result = norm.results[i];
  json.begin_object();
  write_presets(json, result);
  json.member("computes", result.trace.request.norm->id);
  trace::Request request = result.trace.request;
  request.convention.like = {};  // several may do so
  write_convention(json, request);
  json.member("group", group_letter(grouping.of(i)));
  json.key("parts_at");
  if (result.parting[row])
    json.number(*result.parting[row]);
  else
    json.null();
  json.key("values");
  json.begin_array();
  for (const Value& value : row_of(result.trace, row)) json.value(value);
  json.end_array();
  json.end_object();
}

std::string json(const trace::Survey& survey, const Notes& notes, const Style& style) {
  const Style plain = for_machines(style);
  JsonWriter json(plain);
  json.begin_object();
  json.key("schema");
  json.number(1);
  json.member("command", "conventions");
  json.key("digits");
  json.number(style.digits);
  json.key("input");
  write_rows(json, survey.input, survey.input.values, [&](const exact::Rational& value) { json.input(value); });
  json.key("results");
  json.begin_array();
  for (std::size_t row = 0; row < survey.input.rows(); ++row)
    for (const NormSurvey& norm : survey.norms) {
      json.begin_object();
      json.member("name", survey.input.tokens[row]);
      json.member("norm", norm.norm->id);
      json.key("ways");
      json.begin_array();
      const Grouping grouping{grouped(norm, row, style.digits)};
      for (std::size_t i = 0; i < norm.results.size(); ++i) write_way(json, norm, grouping, i, row);
      json.end_array();
      json.end_object();
    }
  json.end_array();
  write_messages(json, notes, plain);
  json.end_object();
  return json.take();
}

norm::Convention convention_of(const norm::Preset& preset) {
  norm::Convention convention;
  norm::apply(preset, convention);
  return convention;
}

std::string running(const norm::Preset& preset, const Style& style) {
  if (preset.running.percent == 0) return "";
  return say(style.language, {"conventions.running_share",
                              {std::to_string(preset.running.percent), std::string(norm::id(preset.running.divisor))}});
}

Table preset_table(const Style& style) {
  Table table = {{"--like"}};
  for (const std::string_view id :
       {"conventions.name", "conventions.norm", "conventions.way", "conventions.running", "conventions.source"})
    table.front().push_back(say(style.language, id));
  for (const norm::Preset& preset : norm::presets()) {
    const norm::Framework& framework = *norm::find_framework(preset.framework);
    table.push_back({std::string(framework.id), std::string(framework.name), std::string(norm::find(preset.norm)->name),
                     way(norm::computed_by(preset), convention_of(preset), style), running(preset, style),
                     std::string(preset.source) + std::string(preset.confirmed ? "" : unconfirmed_mark)});
  }
  return table;
}

std::string list_text(const PresetList& /*all*/, const Notes& /*notes*/, const Style& style) {
  std::string text = aligned(preset_table(style), "", style.width);
  for (const std::string& mark : legend(text, style)) text += "\n" + mark + "\n";
  return text;
}

std::string list_markdown(const PresetList& /*all*/, const Notes& /*notes*/, const Style& style) {
  std::string text = markdown_table(preset_table(style));
  for (const std::string& mark : legend(text, style)) text += "\n" + mark + "\n";
  return text;
}

std::string list_csv(const PresetList& /*all*/, const Notes& /*notes*/, const Style& style) {
  return csv_table(preset_table(for_machines(style)));
}

std::string list_json(const PresetList& /*all*/, const Notes& /*notes*/, const Style& style) {
  JsonWriter json(for_machines(style));
  json.begin_object();
  json.key("schema");
  json.number(1);
  json.member("command", "conventions");
  json.key("presets");
  json.begin_array();
  for (const norm::Preset& preset : norm::presets()) {
    const norm::Convention convention = convention_of(preset);
    json.begin_object();
    json.member("like", preset.framework);
    json.member("name", norm::find_framework(preset.framework)->name);
    json.member("norm", preset.norm);
    json.member("computes", norm::computed_by(preset).id);
    json.member("divisor", norm::id(convention.divisor));
    json.key("eps");
    json.input(convention.eps);
    json.member("eps_place", norm::id(convention.eps_place));
    json.member("gamma_form", norm::id(preset.gamma_form));
    json.member("source", preset.source);
    json.key("confirmed");
    json.boolean(preset.confirmed);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace

std::span<const View<trace::Survey>> survey_views() {
  static constexpr View<trace::Survey> views[] = {{"text", text}, {"markdown", markdown}, {"json", json}, {"csv", csv}};
  return views;
}

std::span<const View<PresetList>> preset_views() {
  static constexpr View<PresetList> views[] = {
      {"text", list_text}, {"markdown", list_markdown}, {"json", list_json}, {"csv", list_csv}};
  return views;
}

}  // namespace normtrace::render
