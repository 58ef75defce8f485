#include "cli/around_commands.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/input.h"
#include "cli/norm_input.h"
#include "cli/view.h"
#include "render/lines.h"
#include "render/listing.h"
#include "render/report.h"
#include "text/error.h"
#include "text/read.h"
#include "text/suggest.h"
#include "trace/geometry.h"
#include "trace/gradient.h"
#include "trace/parameters.h"
#include "trace/residual.h"
#include "trace/softmax.h"

namespace normtrace::cli {

namespace {

using exact::Rational;
using Notes = std::vector<words::Message>;

const render::View<trace::Report>& report_view(std::string_view command, const Arguments& arguments) {
  return read_view(command, render::report_views(), arguments);
}

void require(std::string_view command, std::string_view option, const Arguments& arguments) {
  if (!arguments.has(option))
    throw UsageError({"usage.needs", {std::string(command), std::string(option)}},
                     {"usage.see_help", {std::string(command)}});
}

// What is wrong with a number, and how to mend it.
struct Limit {
  bool (*holds)(const Rational& x);
  std::string_view wrong;
  std::string_view mend;
  std::string_view example = {};  // for the place in `mend`
};

Rational read_number(const Arguments& arguments, std::string_view option, const Rational& otherwise,
                     const Limit& limit) {
  if (!arguments.has(option)) return otherwise;
  const text::SourcePointer source = option_source(arguments, option);
  const text::Cell cell = text::read_number(source);
  if (!limit.holds(cell.value))
    throw text::Error(source, cell.span, {std::string(limit.wrong), {}},
                      {std::string(limit.mend), {std::string(limit.example)}});
  return cell.value;
}

// A few thousand steps of a power stay short; so does every digit of a score below e^10000.
bool is_factor(const Rational& x) {
  constexpr std::size_t most_bits = 48;
  return x.numerator().bits() <= most_bits && x.denominator().bits() <= most_bits;
}
constexpr Limit factor_limit{is_factor, "usage.factor", "usage.factor_mend"};

constexpr std::int64_t most = 1'000'000'000;
bool is_count(const Rational& x) { return x.is_whole() && x.sign() > 0 && x <= Rational(most); }
bool is_layer_count(const Rational& x) { return is_count(x) && x <= Rational(1000); }
constexpr Limit layer_limit{is_layer_count, "usage.layers", "usage.layers_mend"};
bool is_width(const Rational& x) { return is_count(x) && x <= Rational(1'000'000); }
constexpr Limit size_limit(std::string_view example) { return {is_width, "usage.width", "usage.width_mend", example}; }

std::int64_t read_count(const Arguments& arguments, std::string_view option, std::int64_t otherwise,
                        const Limit& limit) {
  return read_number(arguments, option, otherwise, limit).numerator().to_int64();
}

std::vector<Rational> values_of(const std::vector<text::Cell>& cells) {
  std::vector<Rational> values;
  for (const text::Cell& cell : cells) values.push_back(cell.value);
  return values;
}

// The value of an option that is a vector of `size` numbers; a single number serves for all of them.
std::vector<Rational> read_vector(const Arguments& arguments, std::string_view option, std::optional<std::size_t> size,
                                  Notes& notes) {
  const text::SourcePointer source = option_source(arguments, option);
  const std::vector<text::Cell> cells = text::read_vector(source, &notes);
  if (!size || cells.size() == *size) return values_of(cells);
  if (cells.size() == 1) return std::vector<Rational>(*size, cells.front().value);
  throw text::Error(
      source, {cells.front().span.begin, cells.back().span.end},
      {"usage.parameter_count", {std::string(option), std::to_string(cells.size()), std::to_string(*size)}},
      {"usage.parameter_count_mend", {std::to_string(*size)}});
}

// What --upstream says for each number of the input: one number for all, one a feature, or all of them, flat or in rows.
std::vector<exact::Value> read_upstream(const Arguments& arguments, const tensor::Tensor& input, Notes& notes) {
  const text::SourcePointer source = option_source(arguments, "--upstream");
  std::vector<text::Cell> cells;
  const std::vector<text::Array> arrays = text::read_matrix(source, notes);
  for (const text::Array& array : arrays) cells.insert(cells.end(), array.cells.begin(), array.cells.end());
  const bool flat = arrays.front().width() == cells.size();
  const bool in_rows =
      flat || std::ranges::all_of(arrays, [&](const text::Array& array) { return array.width() == input.width(); });
  const std::size_t all = input.values.size();
  const bool fits = cells.size() == 1 || cells.size() == input.width() || (cells.size() == all && in_rows);
  if (!fits)
    throw text::Error(source, {cells.front().span.begin, cells.back().span.end},
                      {"usage.upstream_count",
                       {std::to_string(cells.size()), std::to_string(input.rows()), std::to_string(input.width())}},
                      {"usage.upstream_count_mend", {std::to_string(input.width())}});
  std::vector<exact::Value> upstream;
  for (std::size_t i = 0; i < all; ++i) upstream.emplace_back(cells[i % cells.size()].value);
  return upstream;
}

std::vector<Rational> row_of(const tensor::Tensor& x, std::size_t row) {
  const auto begin = x.values.begin() + static_cast<std::ptrdiff_t>(row * x.width());
  return {begin, begin + static_cast<std::ptrdiff_t>(x.width())};
}

// e^x is worked out for |x| up to this; nobody pays attention beyond it.
const exact::Value largest_score = 10000;

void check_scores(const std::vector<exact::Value>& scores, const Rational& times) {
  for (const exact::Value& score : scores)
    if (compare(abs(score), largest_score) > 0 || compare(abs(score * exact::Value(times)), largest_score) > 0)
      throw UsageError({"usage.score", {}}, {"usage.score_mend", {}});
}

trace::Report read_attention(const Arguments& arguments, const tensor::Tensor& keys, Notes& notes) {
  trace::Attention attention;
  attention.query = read_vector(arguments, "--qk", std::nullopt, notes);
  const std::size_t d = attention.query.size();
  if (keys.width() != d)
    throw UsageError({"usage.key_width", {std::to_string(d), std::to_string(keys.width())}},
                     {"usage.key_width_mend", {std::to_string(d)}});
  for (std::size_t row = 0; row < keys.rows(); ++row) {
    attention.keys.push_back(row_of(keys, row));
    const std::string number = std::to_string(row + 1);
    const bool named = keys.tokens[row] != "t" + number;  // which is what tokens without a name are called
    attention.names.push_back(named ? keys.tokens[row] : "k" + number);
  }
  if (arguments.has("--q-bias")) attention.query_bias = read_vector(arguments, "--q-bias", d, notes);
  if (arguments.has("--k-bias")) attention.key_bias = read_vector(arguments, "--k-bias", d, notes);
  const Rational times = read_number(arguments, "--times", 2, factor_limit);
  check_scores(attention.scores(), 1);
  check_scores(attention.scaled(times).scores(), 1);
  return attention_report(attention, times);
}

trace::Report read_scores(const Arguments& arguments, const tensor::Tensor& input) {
  for (const std::string_view option : {"--q-bias", "--k-bias"})
    if (arguments.has(option))
      throw UsageError({"usage.bias_without_qk", {std::string(option)}}, {"usage.bias_without_qk_mend", {}});
  if (input.rows() > 1)
    throw UsageError({"usage.one_row_of_scores", {std::to_string(input.rows())}}, {"usage.one_row_of_scores_mend", {}});
  const std::vector<exact::Value> scores(input.values.begin(), input.values.end());
  const Rational times = read_number(arguments, "--times", 4, factor_limit);
  check_scores(scores, times);
  return trace::softmax_report(scores, times);
}

}  // namespace

int softmax(const Arguments& arguments, const Session& session) {
  const auto& view = report_view("softmax", arguments);
  Notes notes;
  const tensor::Tensor input = read_tensor(arguments, session, notes);
  const trace::Report report =
      arguments.has("--qk") ? read_attention(arguments, input, notes) : read_scores(arguments, input);
  print(view, report, notes, read_style(arguments, session, "article"), session);
  return done;
}

int residual(const Arguments& arguments, const Session& session) {
  const auto& view = report_view("residual", arguments);
  refuse_further_words("residual", arguments, 0);
  for (const std::string_view option : {"--j-norm", "--j-branch"}) require("residual", option, arguments);
  const trace::Residual residual{read_number(arguments, "--j-norm", 1, factor_limit),
                                 read_number(arguments, "--j-branch", 0, factor_limit),
                                 static_cast<unsigned>(read_count(arguments, "--layers", 24, layer_limit))};
  print(view, residual_report(residual), {}, read_style(arguments, session, "article"), session);
  return done;
}

namespace {

constexpr unsigned share_digits = 5;  // 0.01543 %

trace::Model read_model(const Arguments& arguments) {
  if (!arguments.words.empty()) {
    for (const std::string_view option : {"--width", "--layers", "--family"})
      if (arguments.has(option))
        throw UsageError({"usage.model_and_option", {arguments.words.front(), std::string(option)}},
                         {"usage.model_and_option_mend", {}});
    if (const trace::Model* const model = trace::find_model(arguments.words.front())) return *model;
    std::vector<std::string_view> names;
    std::string list;
    for (const trace::Model& model : trace::models()) {
      names.push_back(model.name);
      list += (list.empty() ? "" : ", ") + model.name;
    }
    const std::string_view nearest = text::suggest(arguments.words.front(), names);
    throw UsageError({"usage.unknown_model", {arguments.words.front()}},
                     !nearest.empty() ? words::Message{"usage.did_you_mean", {std::string(nearest)}}
                                      : words::Message{"usage.list_models", {list}});
  }
  for (const std::string_view option : {"--width", "--layers"}) require("params", option, arguments);
  const auto family = arguments.get("--family", "gpt2") == "llama" ? trace::Family::llama : trace::Family::gpt2;
  return trace::model_of(family, read_count(arguments, "--width", 1, size_limit("768")),
                         read_count(arguments, "--layers", 1, layer_limit));
}

render::Listing models(words::Language language) {
  render::Listing list{"params", "models", {"name", "width", "layers", "vocabulary", "context", "inner"}, {}};
  for (const trace::Model& model : trace::models()) {
    const std::string width = std::to_string(model.width);
    const std::string layers = std::to_string(model.layers);
    list.entries.push_back({{model.name, say(language, {"params.listed", {width, layers}})},
                            {model.name, width, layers, std::to_string(model.vocabulary), std::to_string(model.context),
                             std::to_string(model.inner)}});
  }
  return list;
}

}  // namespace

int params(const Arguments& arguments, const Session& session) {
  const auto& view = report_view("params", arguments);
  refuse_further_words("params", arguments, 1);
  if (arguments.words.empty() && !arguments.has("--width") && !arguments.has("--layers")) {
    print(read_view("params", render::listing_views(), arguments), models(session.language), {},
          read_style(arguments, session, "none"), session);
    return done;
  }
  trace::Model model = read_model(arguments);
  const bool is_llama = model.family == trace::Family::llama;
  if (const std::string_view stray = is_llama ? "--context" : "--multiple-of"; arguments.has(stray))
    throw UsageError({"usage.family_option", {std::string(stray), is_llama ? "llama" : "gpt2"}},
                     {"usage.family_option_mend", {}});
  model.vocabulary = read_count(arguments, "--vocabulary", model.vocabulary, size_limit("50257"));
  if (!is_llama) model.context = read_count(arguments, "--context", model.context, size_limit("1024"));
  if (arguments.has("--multiple-of")) {
    model.multiple_of = read_count(arguments, "--multiple-of", model.multiple_of, size_limit("256"));
    model.inner = trace::swiglu_width(model.width, model.multiple_of).rounded;
  }
  model.inner = read_count(arguments, "--inner", model.inner, size_limit("3072"));
  render::Style style = read_style(arguments, session, "article");
  if (!arguments.has("--digits")) style.digits = share_digits;
  print(view, parameters_report(model), {}, style, session);
  return done;
}

int geometry(const Arguments& arguments, const Session& session) {
  const auto& view = report_view("geometry", arguments);
  Notes notes;
  const tensor::Tensor tokens = read_tensor(arguments, session, notes);
  constexpr std::size_t most_tokens = 64;
  if (tokens.rows() > most_tokens)
    throw UsageError({"usage.too_many_tokens", {std::to_string(tokens.rows()), std::to_string(most_tokens)}},
                     {"usage.too_many_tokens_mend", {}});
  print(view, trace::geometry_report(tokens), notes, read_style(arguments, session, "article"), session);
  return done;
}

int gradient(const Arguments& given, const Session& session) {
  Arguments arguments = given;
  const auto& view = report_view("gradient", arguments);
  const norm::Norm& norm = take_norm("gradient", arguments, trace::has_gradient);
  Notes notes;
  NormInput asked = read_norm(norm, arguments, session, notes);
  require_one_batch(asked.batches);
  asked.request.input = std::move(asked.batches.front());
  const tensor::Tensor& input = asked.request.input;
  if (!trace::has_gradient(asked.request))
    throw UsageError({"usage.no_gradient", {std::string(norm.name)}}, {"usage.choose_from", {"bn, ln, rms"}});
  std::vector<exact::Value> upstream(input.values.size(), 1);
  if (arguments.has("--upstream"))
    upstream = read_upstream(arguments, input, notes);
  else
    notes.push_back({"note.loss_is_sum", {}});
  if (norm.formula == norm::Formula::divide_by_rms && asked.request.convention.divisor != norm::Divisor::n)
    notes.push_back({"remark.unused_divisor", {}});
  const render::Style style = read_style(arguments, session, "article");
  const trace::Gradient gradient = backward(trace::run(std::move(asked.request)), std::move(upstream));
  print(view, gradient_report(gradient, render::title(gradient.forward.request, style)), notes, style, session);
  return done;
}

}  // namespace normtrace::cli
