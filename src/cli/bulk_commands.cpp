#include "cli/bulk_commands.h"

#include <unistd.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <fstream>
#include <ostream>
#include <utility>

#include "bulk/bench.h"
#include "bulk/error.h"
#include "bulk/files.h"
#include "bulk/npy.h"
#include "bulk/progress.h"
#include "bulk/request.h"
#include "cli/input.h"
#include "exact/decimal.h"
#include "exact/machine.h"
#include "text/error.h"
#include "text/read.h"
#include "text/suggest.h"

namespace normtrace::cli {

namespace {

std::uint64_t whole_number(const Arguments& arguments, std::string_view option, std::uint64_t least, std::uint64_t most,
                           std::uint64_t otherwise) {
  if (!arguments.has(option)) return otherwise;
  const std::string text = arguments.get(option, "");
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
    throw UsageError({"usage.not_taken", {std::string(option), text}},
                     {"usage.whole_from_to", {std::to_string(least), std::to_string(most)}});
  return number;
}

// What the number of an option is in float64.
double to_double(const exact::Rational& value, std::string_view option) {
  const double nearest = exact::nearest_double(exact::Value(value)).value_or(std::numeric_limits<double>::infinity());
  if (nearest == 0 && value.sign() != 0)
    throw UsageError(
        {"bulk.parameter_tiny", {std::string(option), exact::to_exact_text(value, 4, exact::PowerOfTen::superscript)}},
        {"bulk.parameter_tiny_mend", {}});
  return nearest;
}

// One number or one a feature, written out or in a file of text or .npy; a name with a point or a slash is one of a file.
// `added` is added to each.
std::vector<double> parameter(const Arguments& arguments, std::string_view option, const Session& session,
                              const exact::Rational& added = 0) {
  if (!arguments.has(option)) return {};
  const std::string value = arguments.get(option, "");
  std::vector<double> numbers;
  const bool may_be_file = !text::looks_like_vector(value);
  if (may_be_file && bulk::is_npy(value)) {
    for (const double number : bulk::read_npy_numbers(value))
      numbers.push_back(to_double(added + exact::exact_value(number), option));
    return numbers;
  }
  const bool is_file = may_be_file && (std::ifstream(value).good() || value.find_first_of("./") != std::string::npos);
  const text::SourcePointer source =
      is_file ? text::file_source(value, read_file(value, session)) : option_source(option, value);
  text::Remarks remarks;
  for (const text::Cell& cell : text::read_vector(source, &remarks))
    numbers.push_back(to_double(added + cell.value, option));
  for (const words::Message& remark : remarks) session.note(remark);
  return numbers;
}

bulk::Convention convention(const Arguments& arguments, const norm::Norm& norm, const Session& session) {
  // γ and β are read here: how many there have to be is known only with the first row. So is the type of sums, which goes
  // with that of the file instead of a --dtype.
  Arguments rest = arguments;
  for (const char* const option : {"--gamma", "--beta", "--accumulate"}) rest.options.erase(option);
  std::vector<words::Message> notes;
  const norm::Convention exact = read_convention(rest, norm, 0, notes);
  for (const words::Message& note : notes) session.note(note);
  bulk::Convention result;
  result.divisor = exact.divisor;
  result.eps = to_double(exact.eps, "--eps");
  result.eps_place = exact.eps_place;
  for (const bulk::Element type : {bulk::Element::float16, bulk::Element::float32, bulk::Element::float64})
    if (arguments.get("--accumulate", "") == bulk::name_of(type)) result.accumulate = type;
  if (result.accumulate) result.gamma_form = exact.gamma_form;
  // 1 + γ is rounded once, unless a machine is to add it.
  const bool one_plus = exact.gamma_form == norm::GammaForm::one_plus && !result.accumulate;
  result.gamma = parameter(arguments, "--gamma", session, one_plus ? 1 : 0);
  result.beta = parameter(arguments, "--beta", session);
  return result;
}

// The norms that files of vectors can have: one statistic a row, or one a feature.
const norm::Norm& bulk_norm(const Arguments& arguments) {
  const words::Message mend{"usage.which_norm_mend", {}};
  if (arguments.words.empty()) throw UsageError({"usage.which_norm", {}}, mend);
  const norm::Norm* const asked = norm::find(arguments.words[0]);
  if (!asked) throw UsageError({"usage.unknown_norm", {arguments.words[0]}}, mend);
  const norm::Norm* const norm = &computed_norm(arguments, *asked);
  const bool formula = norm->formula == norm::Formula::standardize || norm->formula == norm::Formula::divide_by_rms;
  const bool axis = norm->axis == tensor::Axis::token ||
                    (norm->axis == tensor::Axis::feature && norm->formula == norm::Formula::standardize);
  if (!formula || !axis) throw UsageError({"usage.not_in_bulk", {std::string(norm->name)}}, mend);
  return *norm;
}

bulk::Printing printing(const Arguments& arguments) {
  if (arguments.has("--digits") && arguments.has("--significant"))
    throw UsageError({"usage.exclude", {"--digits", "--significant"}}, {"usage.keep_one", {}});
  if (arguments.has("--digits"))
    return {bulk::Digits::decimals, static_cast<int>(whole_number(arguments, "--digits", 0, 50, 0))};
  if (arguments.has("--significant"))
    return {bulk::Digits::significant, static_cast<int>(whole_number(arguments, "--significant", 1, 17, 0))};
  return {};
}

// A bar on standard error: on a terminal once the work has gone on for a while, or as asked.
class Bar {
 public:
  Bar(const Arguments& arguments, const Session& session) : session_(session) {
    const std::string when = arguments.get("--progress", "auto");
    wanted_ = when == "always" || (when == "auto" && isatty(STDERR_FILENO) != 0);
    patience_ = when == "always" ? 0 : 1.5;
  }
  ~Bar() {
    if (shown_) session_.err << "\r\x1b[K" << std::flush;
  }
  void operator()(const bulk::Progress& progress) {
    const double now = seconds();
    if (!wanted_ || now < patience_ || now < next_) return;
    next_ = now + 0.2;
    shown_ = true;
    session_.err << "\r\x1b[K" << bulk::progress_line(progress, now, session_.language) << std::flush;
  }

 private:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  const Session& session_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool wanted_;
  bool shown_ = false;
  double patience_;
  double next_ = 0;
};

std::optional<bool> yes_or_no(const Arguments& arguments, std::string_view option) {
  const std::string answer = arguments.get(option, "auto");
  if (answer == "auto") return std::nullopt;
  return answer == "yes";
}

// "-" has a name in every language.
std::string spoken_name(const std::string& name, const char* stream, const Session& session) {
  return name == "-" ? say(session.language, stream) : text::printable(name);
}

bulk::Reading reading(const Arguments& arguments, const Session& session, std::size_t file_word) {
  if (arguments.words.size() > file_word + 1)
    throw UsageError({"usage.one_file", {arguments.words[file_word + 1]}}, {"usage.one_file_mend", {}});
  bulk::Reading result;
  if (arguments.words.size() > file_word) result.input = arguments.words[file_word];
  if (result.input == "-" && session.in_is_terminal)
    session.err << say(session.language, "input.type_vectors") << "\n" << std::flush;
  if (arguments.has("--as")) result.format = bulk::format_named(arguments.get("--as", "")).value();
  result.width = whole_number(arguments, "--width", 1, std::uint64_t{1} << 40, 0);
  result.header = yes_or_no(arguments, "--header");
  result.names = yes_or_no(arguments, "--names");
  result.threads = static_cast<unsigned>(whole_number(arguments, "--threads", 1, 1024, 0));
  result.skip_bad_rows = arguments.get("--on-error", "stop") == "skip";
  for (const char* const option : {"--digits", "--significant", "--header", "--names", "--on-error"})
    if (arguments.has(option)) result.text_options.emplace_back(option);
  result.on_skipped = [&session, name = result.input](const bulk::BadLine& bad) {
    session.note({"bulk.skipped",
                  {spoken_name(name, "input.source_stdin", session), std::to_string(bad.line),
                   say(session.language, bad.wrong)}});
  };
  return result;
}

void say_oddities(const bulk::Report& report, const Session& session) {
  for (const words::Message& remark : report.remarks) session.note(remark);
  const bulk::Oddities& odd = report.oddities;
  if (report.skipped > 0)
    session.note({"bulk.skipped_count", {std::to_string(report.skipped), std::to_string(report.rows)}});
  if (odd.nans + odd.infinities > 0)
    session.note({"bulk.non_finite", {std::to_string(odd.nans), std::to_string(odd.infinities)}});
  if (report.one_feature) session.note({"bulk.one_feature", {std::to_string(report.rows)}});
}

// "128,256" as numbers from 1 to `most`.
std::vector<std::size_t> whole_numbers(const Arguments& arguments, std::string_view option, std::size_t most,
                                       std::vector<std::size_t> otherwise) {
  if (!arguments.has(option)) return otherwise;
  const std::string text = arguments.get(option, "");
  std::vector<std::size_t> numbers;
  const char* at = text.data();
  const char* const last = at + text.size();
  while (true) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(at, last, number);
    if (error != std::errc() || number < 1 || number > most || (end != last && *end != ','))
      throw UsageError({"usage.not_taken", {std::string(option), text}}, {"usage.sizes_mend", {std::to_string(most)}});
    numbers.push_back(number);
    if (end == last) return numbers;
    at = end + 1;
  }
}

// Errors of the files of vectors, in the words of the command line.
int guarded(const Session& session, const std::function<int()>& run) {
  // Whoever has closed standard error does not end the work, and standard output says so itself.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run();
  } catch (const bulk::Error& error) {
    words::Message wrong = error.wrong;
    const char* const stream = wrong.id == "bulk.cannot_write" ? "bulk.stdout" : "input.source_stdin";
    for (std::string& argument : wrong.arguments) argument = spoken_name(argument, stream, session);
    if (error.status == bulk::Error::bad_file) throw FileError(wrong);
    throw UsageError(wrong, error.mend);
  } catch (const bulk::ClosedPipe&) {
    return done;
  }
}

}  // namespace

int apply(const Arguments& arguments, const Session& session) {
  return guarded(session, [&] {
    bulk::ApplyRequest request;
    request.norm = &bulk_norm(arguments);
    request.convention = convention(arguments, *request.norm, session);
    request.reading = reading(arguments, session, 1);
    request.output = arguments.get("--output", "-");
    request.printing = printing(arguments);
    request.statistics = arguments.get("--stats", "");
    bulk::Report report;
    {
      Bar bar(arguments, session);
      request.reading.on_progress = std::ref(bar);
      report = bulk::apply(request);
    }
    say_oddities(report, session);
    if (arguments.has("--divisor") && request.norm->formula == norm::Formula::divide_by_rms &&
        request.convention.divisor == norm::Divisor::n_minus_one)
      session.note({"remark.unused_divisor", {}});
    const bool over_batch = request.norm->axis == tensor::Axis::feature;
    if (report.oddities.undefined > 0)
      session.note({report.without_degrees ? "bulk.no_degrees"
                    : over_batch           ? "bulk.undefined_features"
                                           : "bulk.undefined_rows",
                    {std::to_string(report.oddities.undefined)}});
    if (report.oddities.overflows > 0)
      session.note(
          {"bulk.overflows", {std::to_string(report.oddities.overflows), std::string(bulk::name_of(report.element))}});
    return static_cast<int>(done);
  });
}

int stats(const Arguments& arguments, const Session& session) {
  return guarded(session, [&] {
    bulk::StatsRequest request;
    request.output = arguments.get("--output", "-");
    if (arguments.has("--merge")) {
      if (arguments.words.empty()) throw UsageError({"usage.merge_what", {}}, {"usage.merge_what_mend", {}});
      request.merge = arguments.words;
      bulk::stats(request);
      return static_cast<int>(done);
    }
    request.reading = reading(arguments, session, 0);
    bulk::Report report;
    {
      Bar bar(arguments, session);
      request.reading.on_progress = std::ref(bar);
      report = bulk::stats(request);
    }
    say_oddities(report, session);
    return static_cast<int>(done);
  });
}

int bench(const Arguments& arguments, const Session& session) {
  return guarded(session, [&] {
    constexpr std::size_t widest = std::size_t{1} << 16;
    constexpr std::size_t most_rows = std::size_t{1} << 10;
    bulk::BenchRequest request;
    request.sizes = whole_numbers(arguments, "--sizes", widest, request.sizes);
    request.batches = whole_numbers(arguments, "--batches", most_rows, request.batches);
    request.repetitions = static_cast<unsigned>(whole_number(arguments, "--repetitions", 3, 1000, request.repetitions));
    const std::string format = arguments.get("--format", "text");
    if (!arguments.words.empty())
      throw UsageError({"usage.no_words", {"bench", arguments.words[0]}}, {"usage.see_help", {"bench"}});
    std::optional<bulk::Output> picture;
    if (arguments.has("--plot")) picture.emplace(bulk::Output::open(arguments.get("--plot", "")));
    const bulk::BenchResult result = bulk::bench(request);
    if (format == "text") session.show(bulk::bench_text(result, session.language, session.columns));
    if (format == "markdown") session.out << bulk::bench_markdown(result, session.language);
    if (format == "csv") session.out << bulk::bench_csv(result);
    if (format == "json") session.out << bulk::bench_json(result);
    if (picture) {
      const std::string svg = bulk::bench_svg(result, session.language);
      picture->write(svg.data(), svg.size());
      picture->commit();
    }
    return static_cast<int>(done);
  });
}

}  // namespace normtrace::cli
