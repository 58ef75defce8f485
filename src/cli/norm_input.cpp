#include "cli/norm_input.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/input.h"
#include "text/error.h"
#include "text/read.h"

namespace normtrace::cli {

namespace {

using exact::Rational;
using Notes = std::vector<words::Message>;
using Axis = tensor::Axis;

// The value of an option as one number, and the means to complain of it.
struct Given {
  text::SourcePointer source;
  text::Cell cell;

  [[nodiscard]] const Rational& value() const { return cell.value; }
  [[noreturn]] void refuse(words::Message wrong, words::Message mend) const {
    throw text::Error(source, cell.span, std::move(wrong), std::move(mend));
  }
};

Given read_given(std::string_view option, std::string text) {
  const text::SourcePointer source = option_source(option, std::move(text));
  return {source, text::read_number(source)};
}

std::size_t read_count(const Arguments& arguments, std::string_view option, std::size_t most) {
  const Given given = read_given(option, arguments.get(option, ""));
  const Rational& value = given.value();
  if (!value.is_whole() || value.sign() <= 0 || value > Rational(static_cast<std::int64_t>(most)))
    given.refuse({"usage.whole_number", {arguments.get(option, "")}},
                 {"usage.whole_number_mend", {std::to_string(most)}});
  return static_cast<std::size_t>(value.numerator().to_int64());
}

bool is_share(const Rational& value) { return value.sign() > 0 && value <= Rational(1); }

// P as 0.5 or 50%.
Rational read_partial(const Arguments& arguments) {
  const std::string text = arguments.get("--partial", "");
  const bool percent = text.ends_with('%');
  const text::SourcePointer source = option_source("--partial", text);
  const Given given = read_given("--partial", text.substr(0, text.size() - (percent ? 1 : 0)));
  const Rational share = percent ? given.value() / Rational(100) : given.value();
  if (!is_share(share))
    throw text::Error(source, {0, static_cast<std::uint32_t>(text.size())}, {"usage.share", {}},
                      {"usage.partial_mend", {}});
  return share;
}

std::string divisors_of(std::size_t count) {
  std::string list;
  for (std::size_t i = 1; i <= count; ++i)
    if (count % i == 0) list += (list.empty() ? "" : ", ") + std::to_string(i);
  return list;
}

std::size_t read_groups(const Arguments& arguments, std::size_t channels) {
  const std::string all = std::to_string(channels);
  if (!arguments.has("--groups")) throw UsageError({"usage.groups_missing", {}}, {"usage.groups_missing_mend", {all}});
  const std::size_t groups = read_count(arguments, "--groups", channels);
  if (channels % groups != 0)
    read_given("--groups", arguments.get("--groups", ""))
        .refuse({"usage.groups_divide", {all, std::to_string(groups)}},
                {"usage.groups_divide_mend", {divisors_of(channels)}});
  return groups;
}

// One number of the residual for each of the input: all of them, or those of one token for every token.
std::vector<Rational> read_residual(const Arguments& arguments, const tensor::Tensor& input, Notes& notes) {
  const text::SourcePointer source = option_source(arguments, "--residual");
  const std::size_t all = input.values.size();
  const std::size_t width = input.width();
  std::vector<text::Cell> cells;
  bool in_rows = true;
  const std::vector<text::Array> arrays = text::read_matrix(source, notes);
  for (const text::Array& array : arrays) {
    in_rows = in_rows && array.width() == width;
    std::ranges::copy(array.cells, std::back_inserter(cells));
  }
  const bool flat = arrays.size() == 1 && arrays.front().width() == cells.size();
  if (!(cells.size() == all && (flat || in_rows)) && !(cells.size() == width && flat)) {
    const words::Message mend =
        width == all ? words::Message{"usage.residual_count_one", {std::to_string(all)}}
                     : words::Message{"usage.residual_count_mend", {std::to_string(width), std::to_string(all)}};
    throw text::Error(
        source, {cells.front().span.begin, cells.back().span.end},
        {"usage.residual_count", {std::to_string(cells.size()), std::to_string(input.rows()), std::to_string(width)}},
        mend);
  }
  if (cells.size() != all) notes.push_back({"note.residual_for_all", {std::to_string(width)}});
  std::vector<Rational> residual;
  for (std::size_t i = 0; i < all; ++i) residual.push_back(cells[i % cells.size()].value);
  return residual;
}

// Gives a tensor the axes that a norm over channels needs, and says how its own were understood.
tensor::Tensor with_channels(const norm::Norm& norm, tensor::Tensor x, const Arguments& arguments, Notes& notes) {
  if (norm.axis == Axis::feature) x = as_batch(std::move(x), arguments, notes);
  if (norm.axis == Axis::token) return x;
  if (x.shape.size() == 1) {
    notes.push_back(
        {norm.axis == Axis::group ? "note.flat_is_sample" : "note.flat_is_channel", {std::to_string(x.width())}});
    x.shape.insert(x.shape.begin(), 1);
    return x;
  }
  if (norm.axis == Axis::instance && x.shape.size() == 2 && !arguments.has("--channels"))
    notes.push_back({"note.instance_without_samples", {extents_of(x)}});
  if (x.shape.size() > 2 && !arguments.has("--channels"))
    notes.push_back({"note.read_channels_first", {extents_of(x)}});
  return x;
}

void require_same_features(const std::vector<tensor::Tensor>& batches, const tensor::Layout& layout) {
  const std::size_t first = tensor::parameter_count(batches.front(), layout);
  for (std::size_t i = 1; i < batches.size(); ++i) {
    const std::size_t count = tensor::parameter_count(batches[i], layout);
    if (count != first || batches[i].shape.size() != batches.front().shape.size())
      throw UsageError({"usage.batch_shape", {std::to_string(i + 1), std::to_string(count), std::to_string(first)}},
                       {"usage.batch_shape_mend", {}});
  }
}

[[noreturn]] void needs(std::string_view option, std::string_view other) {
  throw UsageError({"usage.running_alone", {std::string(option), std::string(other)}},
                   {"usage.running_alone_mend", {std::string(other), std::string(option)}});
}

std::vector<exact::Value> read_statistics(const Arguments& arguments, std::string_view option, std::size_t features,
                                          Notes& notes) {
  const std::vector<Rational> values = read_parameters(arguments, option, features, notes);
  return {values.begin(), values.end()};
}

// The statistics that inference, or further training, begins with. Empty if none are given.
trace::Running read_running(const Arguments& arguments, std::size_t features, Notes& notes) {
  const std::string_view mean = "--running-mean";
  const std::string_view variance = "--running-var";
  if (!arguments.has(mean) && !arguments.has(variance)) return {};
  if (!arguments.has(mean)) needs(variance, mean);
  if (!arguments.has(variance)) needs(mean, variance);
  trace::Running running;
  running.mean = read_statistics(arguments, mean, features, notes);
  running.variance = read_statistics(arguments, variance, features, notes);
  const text::SourcePointer source = option_source(arguments, variance);
  for (const text::Cell& cell : text::read_vector(source))
    if (cell.value.sign() < 0)
      throw text::Error(source, cell.span, {"usage.negative_variance", {}}, {"usage.negative_variance_mend", {}});
  return running;
}

// Training where anything asks for it; inference where statistics are given and nothing does.
void choose_mode(NormInput& asked, const Arguments& arguments, Notes& notes) {
  const bool given = !asked.request.running.mean.empty();
  asked.evaluate = arguments.has("--eval");
  if (given && !arguments.has("--momentum")) {
    if (asked.evaluate) throw UsageError({"usage.eval_without_training", {}}, {"usage.eval_without_training_mend", {}});
    if (arguments.has("--running-divisor")) needs("--running-divisor", "--momentum");
    asked.request.mode = trace::Mode::inference;
    return;
  }
  const bool told = arguments.has("--momentum") || arguments.has("--running-divisor") || asked.evaluate;
  if (!told && asked.batches.size() == 1) return;
  asked.request.mode = trace::Mode::training;
  if (!arguments.has("--momentum") && !arguments.has("--like")) notes.push_back({"note.default_momentum", {}});
}

}  // namespace

std::string extents_of(const tensor::Tensor& x) {
  std::string text;
  for (const std::size_t extent : x.shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return text;
}

norm::Options read_options(const norm::Norm& norm, const Arguments& arguments, const tensor::Tensor& input,
                           tensor::Channels channels, Notes& notes) {
  norm::Options options;
  options.channels = channels;
  if (arguments.has("--channels"))
    options.channels = arguments.get("--channels", "") == tensor::id(tensor::Channels::first) ? tensor::Channels::first
                                                                                              : tensor::Channels::last;
  const std::size_t rank = input.shape.size();
  if (norm.axis == Axis::group)
    options.groups = read_groups(arguments, input.shape[tensor::channel_axis(rank, norm::layout(norm, options))]);
  if (arguments.has("--axes")) options.axes = read_count(arguments, "--axes", rank);
  if (arguments.has("--partial")) options.partial = read_partial(arguments);
  if (!norm.alpha.empty()) options.alpha = read_given("--alpha", arguments.get("--alpha", norm.alpha)).value();
  if (arguments.has("--residual")) options.residual = read_residual(arguments, input, notes);
  return options;
}

NormInput read_norm(const norm::Norm& norm, const Arguments& arguments, const Session& session, Notes& notes) {
  NormInput asked;
  asked.request.norm = &computed_norm(arguments, norm);
  const bool watched = arguments.has("--running");
  if (norm.axis == Axis::feature || watched)
    asked.batches = read_batches(arguments, session, notes);
  else
    asked.batches.push_back(read_tensor(arguments, session, notes));
  for (tensor::Tensor& batch : asked.batches) {
    batch = with_channels(norm, std::move(batch), arguments, notes);
    round_input(arguments, batch, notes);
  }
  asked.request.options = read_options(norm, arguments, asked.batches.front(), tensor::Channels::first, notes);
  const tensor::Layout layout = asked.request.layout();
  require_same_features(asked.batches, layout);
  for (tensor::Tensor& batch : asked.batches) batch.tokens = tensor::row_names(batch, layout);
  const std::size_t features = tensor::parameter_count(asked.batches.front(), layout);
  asked.request.convention = read_convention(arguments, norm, features, notes);
  asked.request.running = read_running(arguments, features, notes);
  if (norm.axis == Axis::feature)
    choose_mode(asked, arguments, notes);
  else if (watched)
    asked.request.mode = trace::Mode::watched;
  else if (arguments.has("--momentum"))
    needs("--momentum", "--running");
  return asked;
}

}  // namespace normtrace::cli
