#include "classroom/claims/view.h"

#include <algorithm>
#include <iterator>

#include "render/json_parts.h"
#include "render/table.h"

namespace normtrace::classroom {

using render::JsonWriter;
using render::Shown;
using render::Style;
using words::say;
using Notes = std::vector<words::Message>;

namespace {

std::string of(std::string_view id, const Style& style) { return say(style.language, "claims." + std::string(id)); }

std::string claimed(const Claim& claim, const Style& style) { return say(style.language, sentence_of(claim)); }

// What the condition is, where the verdict needs one.
std::string condition(const Judged& judged, const Style& style) {
  return judged.verdict == Verdict::conditional ? say(style.language, condition_of(*judged.claim)) : std::string();
}

// "≈ -0.905", "≈ [-1.342, -0.447]", or of a measurement the text it was recorded in, which is never exact.
Shown shown(const Evidence& evidence, const Style& style) {
  const bool power = evidence.recorded.find('e') != std::string::npos;
  if (!evidence.recorded.empty() && !power) return {evidence.recorded, true};
  Shown numbers =
      evidence.values.size() == 1 ? render::show(evidence.values.front(), style) : render::show(evidence.values, style);
  numbers.rounded = numbers.rounded || power;
  return numbers;
}

std::string what(const Evidence& evidence, const Style& style) {
  return evidence.what.starts_with("label.") ? say(style.language, evidence.what) : evidence.what;
}

std::string line(const Claim& claim, const Evidence& evidence, const Style& style) {
  const std::string remark = evidence.remark.empty() ? "" : say(style.language, evidence.remark);
  std::string text = remark;
  if (!evidence.values.empty()) {
    const Shown numbers = shown(evidence, style);
    text = what(evidence, style) + " " + numbers.relation() + " " + numbers.text;
    if (!remark.empty()) text += say(style.language, {"claims.remark", {remark}});
  }
  if (!evidence.recorded.empty()) text += of("recorded", style);
  if (!evidence.within) text += of(claim.kind == Kind::conditional ? "outside_condition" : "outside_claim", style);
  return text;
}

std::vector<std::string> lines_of(const Judged& judged, Side side, const Style& style) {
  std::vector<std::string> lines;
  for (const Evidence& evidence : judged.evidence)
    if (evidence.side == side) lines.push_back(line(*judged.claim, evidence, style));
  return lines;
}

// As they would be typed.
std::vector<std::string> commands(const Claim& claim) {
  std::vector<std::string> lines;
  for (const std::string_view command : claim.commands) lines.push_back("normtrace " + std::string(command));
  if (lines.empty()) lines.push_back("normtrace claim " + std::string(claim.id));
  return lines;
}

// "see: normtrace …", several below each other, or why there is none.
std::string see(const Claim& claim, const Style& style) {
  if (claim.commands.empty()) return say(style.language, alone_of(claim)) + "\n";
  if (claim.commands.size() == 1) return say(style.language, {"claims.see", {commands(claim).front()}}) + "\n";
  std::string text = of("see_all", style) + "\n";
  for (const std::string& command : commands(claim)) text += "  " + command + "\n";
  return text;
}

std::string joined(const std::vector<std::string>& lines, std::string_view separator) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : std::string(separator)) + line;
  return text;
}

constexpr Side sides[] = {Side::supports, Side::opposes, Side::neither};

std::string head(const Judged& judged, const Style& style) {
  const Claim& claim = *judged.claim;
  return say(style.language,
             {"claims.head", {std::string(claim.id), std::string(claim.article), claimed(claim, style)}});
}

// The verdict and its condition, each a line.
std::vector<std::string> verdict_lines(const Judged& judged, const Style& style) {
  std::vector<std::string> lines = {say(style.language, {"claims.verdict_line", {of(id(judged.verdict), style)}})};
  if (const std::string needed = condition(judged, style); !needed.empty())
    lines.push_back(say(style.language, {"claims.condition_line", {needed}}));
  return lines;
}

std::string text(const Judged& judged, const Notes& /*notes*/, const Style& style) {
  std::string result = head(judged, style) + "\n";
  for (const std::string& line : verdict_lines(judged, style)) result += line + "\n";
  for (const Side side : sides) {
    const std::vector<std::string> lines = lines_of(judged, side, style);
    if (lines.empty()) continue;
    result += "\n" + of(id(side), style) + "\n";
    for (const std::string& line : lines) result += "  " + line + "\n";
  }
  return result + "\n" + see(*judged.claim, style);
}

std::string markdown(const Judged& judged, const Notes& /*notes*/, const Style& style) {
  std::string result = "## " + head(judged, style) + "\n\n";
  for (const std::string& line : verdict_lines(judged, style)) result += "- " + line + "\n";
  for (const Side side : sides) {
    const std::vector<std::string> lines = lines_of(judged, side, style);
    if (lines.empty()) continue;
    result += "\n### " + of(id(side), style) + "\n\n";
    for (const std::string& line : lines) result += "- " + line + "\n";
  }
  if (judged.claim->commands.empty()) return result + "\n" + see(*judged.claim, style);
  result += "\n";
  for (const std::string& command : commands(*judged.claim))
    result += (judged.claim->commands.size() == 1 ? "`" : "- `") + command + "`\n";
  return result;
}

void write_members(JsonWriter& json, const Judged& judged, const Style& style) {
  const Claim& claim = *judged.claim;
  json.member("id", claim.id);
  json.member("article", claim.article);
  json.member("claim", claimed(claim, style));
  json.member("verdict", id(judged.verdict));
  json.key("condition");
  if (const std::string needed = condition(judged, style); needed.empty())
    json.null();
  else
    json.string(needed);
  json.key("shown_by");
  json.begin_array();
  for (const std::string& command : commands(claim)) json.string(command);
  json.end_array();
}

void write_evidence(JsonWriter& json, const Evidence& evidence, const Style& style) {
  json.begin_object();
  json.member("what", what(evidence, style));
  json.member("side", id(evidence.side));
  json.key("recorded");
  json.boolean(!evidence.recorded.empty());
  json.key("condition_met");
  json.boolean(evidence.within);
  json.member("remark", evidence.remark.empty() ? "" : say(style.language, evidence.remark));
  json.key("values");
  json.begin_array();
  for (const exact::Value& value : evidence.values) json.value(value);
  json.end_array();
  json.end_object();
}

std::string json(const Judged& judged, const Notes& notes, const Style& style) {
  const Style plain = render::for_machines(style);
  JsonWriter json(plain);
  json.begin_object();
  json.key("schema");
  json.number(1);
  json.member("command", "claim");
  write_members(json, judged, plain);
  json.key("evidence");
  json.begin_array();
  for (const Evidence& evidence : judged.evidence) write_evidence(json, evidence, plain);
  json.end_array();
  write_messages(json, notes, plain);
  json.end_object();
  return json.take();
}

// One line a number.
std::string csv(const Judged& judged, const Notes& /*notes*/, const Style& style) {
  const Style plain = render::for_machines(style);
  render::Table table = {{"side", "condition_met", "recorded", "what", "index", "value"}};
  for (const Evidence& evidence : judged.evidence)
    for (std::size_t i = 0; i < evidence.values.size(); ++i)
      table.push_back({std::string(id(evidence.side)), evidence.within ? "true" : "false",
                       evidence.recorded.empty() ? "false" : "true", what(evidence, plain), std::to_string(i + 1),
                       evidence.values[i].is_undefined() ? "" : render::show(evidence.values[i], plain).text});
  return render::csv_table(table);
}

std::string verdict_text(const Judged& judged, const Style& style) {
  const std::string needed = condition(judged, style);
  return of(id(judged.verdict), style) + (needed.empty() ? "" : say(style.language, {"claims.remark", {needed}}));
}

std::string count_line(const ClaimList& list, const Style& style) {
  const auto count = [&](Verdict verdict) {
    return std::to_string(std::ranges::count(list.claims, verdict, &Judged::verdict));
  };
  return say(style.language, {"claims.count",
                              {std::to_string(list.claims.size()), count(Verdict::holds), count(Verdict::conditional),
                               count(Verdict::fails), count(Verdict::undecidable)}});
}

std::string list_text(const ClaimList& list, const Notes& /*notes*/, const Style& style) {
  std::string result;
  for (const Judged& judged : list.claims) {
    result += head(judged, style) + "\n  " + verdict_text(judged, style) + "\n  " +
              joined(commands(*judged.claim), "\n  ") + "\n";
  }
  return result + "\n" + count_line(list, style) + "\n" + of("articles", style) + "\n";
}

render::Table list_table(const ClaimList& list, const Style& style, const std::vector<std::string>& columns) {
  render::Table table = {columns};
  for (const Judged& judged : list.claims) {
    const Claim& claim = *judged.claim;
    table.push_back({std::string(claim.id), std::string(claim.article), claimed(claim, style),
                     verdict_text(judged, style), joined(commands(claim), "; ")});
  }
  return table;
}

std::string list_markdown(const ClaimList& list, const Notes& /*notes*/, const Style& style) {
  std::vector<std::string> columns;
  for (const char* const column : {"id", "article", "claim", "verdict", "shown_by"})
    columns.push_back(of(column, style));
  return "## " + of("title", style) + "\n\n" + render::markdown_table(list_table(list, style, columns)) + "\n" +
         count_line(list, style) + "\n\n" + of("articles", style) + "\n";
}

std::string list_json(const ClaimList& list, const Notes& notes, const Style& style) {
  const Style plain = render::for_machines(style);
  JsonWriter json(plain);
  json.begin_object();
  json.key("schema");
  json.number(1);
  json.member("command", "claims");
  json.key("claims");
  json.begin_array();
  for (const Judged& judged : list.claims) {
    json.begin_object();
    write_members(json, judged, plain);
    json.end_object();
  }
  json.end_array();
  write_messages(json, notes, plain);
  json.end_object();
  return json.take();
}

std::string list_csv(const ClaimList& list, const Notes& /*notes*/, const Style& style) {
  return render::csv_table(list_table(list, style, {"id", "article", "claim", "verdict", "shown_by"}));
}

}  // namespace

Judged judged(const Claim& claim) {
  std::vector<Evidence> evidence = claim.evidence();
  const Verdict verdict = judge(claim.kind, evidence);
  return {&claim, std::move(evidence), verdict};
}

ClaimList judge_all() {
  ClaimList list;
  std::ranges::transform(claims(), std::back_inserter(list.claims), judged);
  return list;
}

std::span<const render::View<Judged>> claim_views() {
  static constexpr render::View<Judged> views[] = {
      {"text", text}, {"markdown", markdown}, {"json", json}, {"csv", csv}};
  return views;
}

std::span<const render::View<ClaimList>> claim_list_views() {
  static constexpr render::View<ClaimList> views[] = {
      {"text", list_text}, {"markdown", list_markdown}, {"json", list_json}, {"csv", list_csv}};
  return views;
}

}  // namespace normtrace::classroom
