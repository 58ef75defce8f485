#include "render/report.h"

#include <algorithm>

#include "render/chain.h"
#include "render/json_parts.h"
#include "render/table.h"

namespace normtrace::render {

using exact::Value;
using trace::Expression;
using trace::Item;
using trace::Remark;
using trace::Report;
using trace::Section;
using words::say;
using Notes = std::vector<words::Message>;

namespace {

std::string related(const Value& value, const Style& style) {
  const Shown shown = show(value, style);
  return std::string(shown.relation()) + " " + shown.text;
}

// A fraction, or a number with a power of ten, that is itself raised to a power: (7/6)^3. Negative ones have brackets already.
bool needs_brackets(const std::string& term) {
  return !term.starts_with('(') && (term.find('/') != std::string::npos || term.find("×") != std::string::npos ||
                                    term.find('e') != std::string::npos);
}

Shown substituted(const Expression& expression, const Style& style) {
  Shown shown;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    if (const auto* const text = std::get_if<std::string>(&expression[i])) {
      shown.text += *text;
      continue;
    }
    const Shown term = show_term(std::get<Value>(expression[i]), style);
    const auto* const next = i + 1 < expression.size() ? std::get_if<std::string>(&expression[i + 1]) : nullptr;
    const bool base = next && next->starts_with('^');
    shown.text += base && needs_brackets(term.text) ? "(" + term.text + ")" : term.text;
    shown.rounded |= term.rounded;
  }
  return shown;
}

Shown substituted(const Item& item, const Style& style) {
  if (!item.vector) return item.substitution.empty() ? Shown{} : substituted(item.substitution.front(), style);
  Shown shown;
  std::vector<std::string> parts;
  for (const Expression& expression : item.substitution) {
    Shown part = substituted(expression, style);
    shown.rounded |= part.rounded;
    parts.push_back(std::move(part.text));
  }
  if (!parts.empty()) shown.text = "[" + join(parts, ", ", style) + "]";
  return shown;
}

Shown result(const Item& item, const Style& style) {
  if (item.given && item.vector && std::ranges::all_of(item.values, &Value::rational)) {
    std::vector<exact::Rational> numbers;
    for (const Value& value : item.values) numbers.push_back(*value.rational());
    return {show_input(numbers, style), false};
  }
  return item.vector ? show(item.values, style) : show(item.values.front(), style);
}

std::string exact_form(const Item& item, const Style& style) {
  if (!item.unit.empty() || (item.given && !result(item, style).rounded)) return {};
  return item.vector ? show_exact(item.values, style) : show_exact(item.values.front(), style);
}

words::Message message(const Remark& remark, const Style& style) {
  words::Message message{remark.id, {}};
  for (const trace::Piece& piece : remark.arguments) {
    const auto* const text = std::get_if<std::string>(&piece);
    message.arguments.push_back(text ? *text : related(std::get<Value>(piece), style));
  }
  return message;
}

std::string bold(const std::string& text, const Style& style) {
  return style.color ? "\x1b[1m" + text + "\x1b[0m" : text;
}

std::string label(const Item& item, const Style& style) {
  return spoken({"item." + item.id, item.label_arguments}, style);
}

std::string text(const Report& report, const Notes& /*notes*/, const Style& style) {
  std::string text = bold(spoken(report.title, style), style) + "\n";
  for (const Section& section : report.sections) {
    text += "\n" + bold(spoken(section.title, style), style) + "\n";
    for (const Item& item : section.items) text += "  " + item_line(item, style) + "\n";
    for (const Remark& remark : section.remarks) text += "  " + spoken(remark, style) + "\n";
  }
  if (!report.remarks.empty()) text += "\n";
  for (const Remark& remark : report.remarks) text += spoken(remark, style) + "\n";
  return text;
}

std::string markdown(const Report& report, const Notes& /*notes*/, const Style& style) {
  std::string text = "## " + spoken(report.title, style) + "\n";
  for (const Section& section : report.sections) {
    text += "\n### " + spoken(section.title, style) + "\n\n";
    for (const Item& item : section.items) text += "- " + item_line(item, style) + "\n";
    for (const Remark& remark : section.remarks) text += "- " + spoken(remark, style) + "\n";
  }
  if (!report.remarks.empty()) text += "\n";
  for (const Remark& remark : report.remarks) text += "- " + spoken(remark, style) + "\n";
  return text;
}

void write_remarks(JsonWriter& json, const std::vector<Remark>& remarks, const Style& style) {
  json.key("conclusions");
  json.begin_array();
  for (const Remark& remark : remarks) write_remark(json, remark, style);
  json.end_array();
}

std::string json(const Report& report, const Notes& notes, const Style& style) {
  const Style plain = for_machines(style);
  JsonWriter json(plain);
  json.begin_object();
  json.key("schema");
  json.number(1);
  json.member("command", report.command);
  json.member("title", spoken(report.title, plain));
  json.key("sections");
  json.begin_array();
  for (const Section& section : report.sections) {
    json.begin_object();
    json.member("name", section.name);
    json.member("title", spoken(section.title, plain));
    json.key("items");
    json.begin_array();
    for (const Item& item : section.items) write_item(json, item, plain);
    json.end_array();
    write_remarks(json, section.remarks, plain);
    json.end_object();
  }
  json.end_array();
  write_remarks(json, report.remarks, plain);
  write_messages(json, notes, plain);
  json.end_object();
  return json.take();
}

// Which of the items of its id an item is, from 1; empty where it is the only one.
std::string row_of(const Section& section, std::size_t index) {
  const std::string& id = section.items[index].id;
  const auto same = [&](const Item& item) { return item.id == id; };
  if (std::ranges::count_if(section.items, same) == 1) return {};
  const auto end = section.items.begin() + static_cast<std::ptrdiff_t>(index) + 1;
  return std::to_string(std::count_if(section.items.begin(), end, same));
}

// One line a number; what is undefined leaves its cell empty.
std::string csv(const Report& report, const Notes& /*notes*/, const Style& style) {
  const Style plain = for_machines(style);
  Table table = {{"section", "item", "row", "index", "value"}};
  for (const Section& section : report.sections)
    for (std::size_t index = 0; index < section.items.size(); ++index) {
      const Item& item = section.items[index];
      const std::string row = row_of(section, index);
      for (std::size_t i = 0; i < item.values.size(); ++i)
        table.push_back({section.name, item.id, row, std::to_string(i + 1),
                         item.values[i].is_undefined() ? "" : show(item.values[i], plain).text});
    }
  return csv_table(table);
}

}  // namespace

std::span<const View<Report>> report_views() {
  static constexpr View<Report> views[] = {{"text", text}, {"markdown", markdown}, {"json", json}, {"csv", csv}};
  return views;
}

std::string spoken(const Remark& remark, const Style& style) { return say(style.language, message(remark, style)); }

std::string item_line(const Item& item, const Style& style) {
  Chain chain;
  chain.add({item.formula, false});
  chain.add(substituted(item, style));
  chain.add({exact_form(item, style), false});
  Shown value = result(item, style);
  if (!item.values.front().is_undefined()) value.text += item.unit;
  chain.add(value);
  return label(item, style) + (item.symbol.empty() ? "" : " " + item.symbol) + " " + chain.take();
}

void write_remark(JsonWriter& json, const Remark& remark, const Style& style) {
  json.begin_object();
  json.member("id", remark.id);
  json.member("text", spoken(remark, style));
  json.key("values");
  json.begin_array();
  for (const trace::Piece& piece : remark.arguments)
    if (const auto* const value = std::get_if<Value>(&piece)) json.value(*value);
  json.end_array();
  json.end_object();
}

void write_item(JsonWriter& json, const Item& item, const Style& style) {
  json.begin_object();
  json.member("id", item.id);
  json.member("label", label(item, style));
  json.member("symbol", item.symbol);
  json.member("formula", item.formula);
  json.member("substitution", substituted(item, style).text);
  json.member("unit", item.unit);
  json.key("values");
  json.begin_array();
  for (const Value& value : item.values) json.value(value);
  json.end_array();
  json.end_object();
}

}  // namespace normtrace::render
