#include "cli/convention_commands.h"

#include <algorithm>
#include <ostream>

#include "cli/input.h"
#include "cli/norm_input.h"
#include "cli/view.h"
#include "render/change.h"
#include "render/conventions.h"
#include "text/characters.h"
#include "text/error.h"
#include "text/read.h"
#include "text/suggest.h"

namespace normtrace::cli {

namespace {

using Notes = std::vector<words::Message>;

constexpr unsigned survey_digits = 4;  // as frameworks print

}  // namespace

int conventions(const Arguments& arguments, const Session& session) {
  render::Style style = read_style(arguments, session, "none");
  if (!arguments.has("--digits")) style.digits = survey_digits;
  if (arguments.has("--list")) {
    print(read_view("conventions", render::preset_views(), arguments), render::PresetList{}, {}, style, session);
    return done;
  }
  const auto& view = read_view("conventions", render::survey_views(), arguments);
  Notes notes;
  const tensor::Tensor input = read_tensor(arguments, session, notes);
  const norm::Norm& layernorm = *norm::find("layernorm");
  const norm::Convention base = read_convention(arguments, layernorm, input.width(), notes);
  if (input.rows() == 1) notes.push_back({"note.bn_needs_batch", {}});
  print(view, trace::survey(input, base), notes, style, session);
  return done;
}

namespace {

exact::Rational read_option(const Arguments& arguments, std::string_view option, const exact::Rational& otherwise) {
  if (!arguments.has(option)) return otherwise;
  return text::read_number(option_source(arguments, option)).value;
}

// "2" -> 1; none for what is not a whole number from 1.
std::optional<std::size_t> read_place(std::string_view text) {
  std::size_t place = 0;
  if (text.empty() || text.size() > 9) return std::nullopt;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    place = place * 10 + static_cast<std::size_t>(c - '0');
  }
  return place == 0 ? std::nullopt : std::optional(place - 1);
}

std::size_t read_row(std::string_view text, const tensor::Tensor& input) {
  const auto named = std::ranges::find(input.tokens, text);
  if (named != input.tokens.end()) return static_cast<std::size_t>(named - input.tokens.begin());
  const auto row = read_place(text::normalized_text(text));
  if (row && *row < input.rows()) return *row;
  constexpr std::size_t most_named = 8;
  std::string list;
  for (std::size_t i = 0; i < std::min(input.rows(), most_named); ++i) list += (i == 0 ? "" : ", ") + input.tokens[i];
  if (input.rows() > most_named) list += ", …";
  throw UsageError({"usage.set_row", {std::string(text)}},
                   {"usage.set_row_mend", {std::to_string(input.rows()), list}});
}

std::size_t read_column(std::string_view text, const tensor::Tensor& input) {
  const std::string_view digits = text.starts_with("f") ? text.substr(1) : text;
  const auto column = read_place(digits);
  if (column && *column < input.width()) return *column;
  throw UsageError({"usage.set_column", {std::string(text)}},
                   {"usage.set_column_mend", {std::to_string(input.width())}});
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// 狗,1=7 or, full-width, 狗，１＝７.
trace::Edit::Place read_set(const std::string& text, const tensor::Tensor& input) {
  const std::size_t equals = text::find_last_character(text, '=');
  const std::string_view place = std::string_view(text).substr(0, equals);
  const std::size_t comma = text::find_last_character(place, ',');
  if (equals == std::string::npos || comma == std::string::npos)
    throw UsageError({"usage.set_form", {text}}, {"usage.set_form_mend", {}});
  const std::string column = text::normalized_text(place.substr(comma + text::character_at(text, comma).length));
  std::string value = text.substr(equals + text::character_at(text, equals).length);
  return {read_row(without_blanks(place.substr(0, comma)), input), read_column(without_blanks(column), input),
          text::read_number(option_source("--set", std::move(value))).value};
}

trace::Edit read_edit(const Arguments& arguments, const tensor::Tensor& input) {
  const bool scaled = arguments.has("--scale") || arguments.has("--shift");
  if (arguments.has("--set") && scaled) throw UsageError({"usage.change_both", {}}, {"usage.change_both_mend", {}});
  if (!arguments.has("--set") && !scaled) throw UsageError({"usage.change_what", {}}, {"usage.change_what_mend", {}});
  trace::Edit edit{read_option(arguments, "--scale", 1), read_option(arguments, "--shift", 0), {}};
  if (arguments.has("--set")) edit.set = read_set(arguments.get("--set", ""), input);
  return edit;
}

}  // namespace

int change(const Arguments& given, const Session& session) {
  Arguments arguments = given;
  const auto& view = read_view("change", render::change_views(), arguments);
  const norm::Norm& norm = take_norm("change", arguments);
  Notes notes;
  NormInput asked = read_norm(norm, arguments, session, notes);
  require_one_batch(asked.batches);
  asked.request.input = std::move(asked.batches.front());
  const trace::Edit edit = read_edit(arguments, asked.request.input);
  const render::Style style = read_style(arguments, session, "brief");
  print(view, trace::change(asked.request, edit, style.digits), notes, style, session);
  return done;
}

}  // namespace normtrace::cli
