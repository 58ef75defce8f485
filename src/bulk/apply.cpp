#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <thread>

#include "bulk/columns.h"
#include "bulk/error.h"
#include "bulk/files.h"
#include "bulk/machine_row.h"
#include "bulk/npy.h"
#include "bulk/ordered.h"
#include "bulk/request.h"
#include "bulk/statistics_file.h"
#include "text/error.h"

namespace normtrace::bulk {

namespace {

constexpr std::size_t kBinaryBlock = std::size_t{1} << 18;      // bytes of rows that are normalized at a time
constexpr std::size_t kStatisticsBlock = std::size_t{1} << 20;  // bytes of rows whose moments are merged at a time
constexpr std::uint64_t kLongestRow = std::uint64_t{1} << 30;   // bytes

constexpr std::array<std::string_view, 3> kTextEndings = {"csv", "tsv", "txt"};
constexpr std::array<std::string_view, 3> kBinaryEndings = {"npy", "f32", "f64"};

// Of "x.NPY" it is "NPY".
std::string_view ending_of(std::string_view path) {
  const std::size_t point = path.rfind('.');
  return point == std::string_view::npos ? std::string_view() : path.substr(point + 1);
}
// Whatever the case of the first.
bool same_word(std::string_view any_case, std::string_view lower_case) {
  return std::ranges::equal(any_case, lower_case,
                            [](char a, char b) { return b == (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a); });
}

unsigned threads_of(const Reading& reading) {
  if (reading.threads > 0) return reading.threads;
  const unsigned processors = std::thread::hardware_concurrency();
  return processors > 0 ? processors : 1;
}

// Tells how far the reading has come, pass after pass.
class Meter {
 public:
  Meter(const Reading& reading, std::optional<std::uint64_t> size, unsigned passes) : reading_(reading) {
    if (size) progress_.total = *size * passes;
  }
  void add(std::uint64_t bytes) {
    progress_.bytes += bytes;
    if (reading_.on_progress) reading_.on_progress(progress_);
  }

 private:
  const Reading& reading_;
  Progress progress_;
};

// A row in, a row out: by the row's own statistics, by those of the columns, or as a machine does it.
class RowTransform {
 public:
  // columns is null for the row's own statistics.
  RowTransform(const Convention& convention, std::size_t width, Element element, const ColumnNormalizer* columns)
      : width_(width), largest_(largest(element)), columns_(columns), rows_(convention, width) {
    if (convention.accumulate) machine_.emplace(convention, element);
    // |x̂| is at most √n for the n numbers that share a variance, unless the statistics are those of other numbers.
    const auto size = [](const std::vector<double>& values, double otherwise) {
      return values.empty() ? otherwise
                            : std::abs(*std::ranges::max_element(values, {}, [](double v) { return std::abs(v); }));
    };
    const double most = columns ? std::numeric_limits<double>::infinity() : 2 * std::sqrt(static_cast<double>(width));
    may_overflow_ = !(most * size(convention.gamma, 1) + size(convention.beta, 0) < largest_);
  }

  template <typename T>
  void apply(const T* x, T* y) {
    const std::uint64_t infinite = may_overflow_ ? infinities(x) : 0;
    if (columns_)
      by_columns(x, y);
    else if (machine_)
      machine_->apply(std::span(x, width_), y);
    else
      rows_.apply(x, y);
    if (may_overflow_) overflows_ += infinities(y) - std::min(infinite, infinities(y));
  }
  // What the rows since the last call have met.
  Oddities take_oddities() {
    Oddities taken = machine_ ? machine_->take_oddities() : rows_.take_oddities();
    taken.overflows += std::exchange(overflows_, 0);
    return taken;
  }

 private:
  template <typename T>
  std::uint64_t infinities(const T* values) const {
    return static_cast<std::uint64_t>(
        std::count_if(values, values + width_, [this](T value) { return std::fabs(value) > largest_; }));
  }
  void by_columns(const double* x, double* y) { columns_->apply(x, y, scratch_); }
  void by_columns(const float* x, float* y) { columns_->apply(x, y); }

  std::size_t width_;
  double largest_;  // what the elements can hold
  bool may_overflow_;
  std::uint64_t overflows_ = 0;
  const ColumnNormalizer* columns_;
  RowNormalizer rows_;
  std::optional<MachineRow> machine_;
  std::vector<double> scratch_;
};

// γ and β for each of the features.
void fit(std::vector<double>& parameter, std::size_t width, const char* name) {
  if (parameter.size() == 1) parameter.assign(width, parameter[0]);
  if (!parameter.empty() && parameter.size() != width)
    throw Error(Error::bad_input,
                {"bulk.parameter_count", {name, std::to_string(parameter.size()), std::to_string(width)}});
}
Convention fitted(Convention convention, std::size_t width, Element element) {
  if (convention.accumulate && *convention.accumulate < element) {
    std::string wide(name_of(Element::float64));
    for (const Element type : {Element::float32, Element::float16})
      if (type >= element) wide.append("|").append(name_of(type));
    throw Error(
        Error::bad_input,
        {"usage.accumulate_narrow", {std::string(name_of(*convention.accumulate)), std::string(name_of(element))}},
        {"usage.choose_from", {wide}});
  }
  fit(convention.gamma, width, "γ");
  fit(convention.beta, width, "β");
  return convention;
}

void require_features(const Statistics& statistics, std::size_t width, const std::string& path) {
  if (statistics.features.size() != width)
    throw Error(Error::bad_input,
                {"bulk.statistics_width", {path, std::to_string(statistics.features.size()), std::to_string(width)}});
}
// Where results go: not into the file that is read, and not under the name of another kind of file.
Output open_output(const std::string& path, const Input& input, bool is_text) {
  const std::string_view ending = ending_of(path);
  for (const std::string_view other : is_text ? kBinaryEndings : kTextEndings)
    if (path != "-" && same_word(ending, other))
      throw Error(Error::bad_input, {is_text ? "bulk.text_in_binary" : "bulk.binary_in_text", {path}},
                  {"bulk.name_as_input", {}});
  Output output = Output::open(path);
  if (input.is_also(output))
    throw Error(Error::bad_input, {"bulk.same_file", {input.name()}}, {"bulk.same_file_mend", {}});
  return output;
}

void require_same_names(const std::vector<std::string>& a, const std::vector<std::string>& b, const std::string& path) {
  if (a.empty() || b.empty() || a == b) return;
  const auto differs = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  throw Error(Error::bad_input, {"bulk.statistics_names", {path, *differs.second, *differs.first}});
}

// ---- text

struct TextBlock {
  Buffer text;
  std::size_t bytes = 0;
  Buffer out;
  std::size_t out_bytes = 0;
  std::vector<double> values;
  std::uint64_t rows = 0;
  std::uint64_t lines = 0;
  std::vector<BadLine> bad;
  std::unique_ptr<RowTransform> transform;
  Statistics statistics;
  Oddities oddities;
};

class TextFile {
 public:
  // may_be_empty: whether a file without rows is one with none.
  TextFile(const Reading& reading, Input& input, char separator, bool may_be_empty)
      : reading_(reading), lines_(input), name_(input.name()) {
    const std::string head = lines_.head();
    layout_ = read_layout(head, {separator, reading.header, reading.names, may_be_empty}, name_);
    header_ = head.substr(0, layout_.header);
    lines_.drop(layout_.header);
    if (layout_.width == 0) {  // no row so far: that has to be all of the file
      Buffer more;
      std::size_t bytes;
      if (lines_.next(more, bytes)) throw Error(Error::bad_input, {"bulk.no_rows", {name_}});
    }
  }

  [[nodiscard]] const TextLayout& layout() const { return layout_; }
  // On the layout, and on what the first line promised, once the rows have been read.
  [[nodiscard]] std::vector<words::Message> remarks() const {
    std::vector<words::Message> all = layout_.remarks;
    if (layout_.rows && *layout_.rows != rows_)
      all.push_back({"bulk.counted_rows", {std::to_string(*layout_.rows), std::to_string(rows_)}});
    return all;
  }
  [[nodiscard]] const std::string& header() const { return header_; }
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t skipped() const { return skipped_; }

  void rewind() { lines_.restart(layout_.header); }

  // Calls of one block after another: row(block, TextRow) for its rows, before(block) first and after(block) last, from
  // several threads; then retire(block) in order.
  template <class Before, class Row, class After, class Retire>
  void each_block(Meter& meter, bool tell, Before before, Row row, After after, Retire retire) {
    rows_ = skipped_ = 0;
    std::uint64_t lines = layout_.header_lines;
    Stages<TextBlock> stages;
    stages.produce = [&](TextBlock& block) { return lines_.next(block.text, block.bytes); };
    stages.work = [&](TextBlock& block) {
      block.rows = 0;
      block.bad.clear();
      block.oddities = {};
      before(block);
      RowParser parser(layout_, block.text.data(), block.text.data() + block.bytes);
      for (auto result = parser.next(); result != RowParser::Result::end; result = parser.next()) {
        if (result == RowParser::Result::bad) {
          if (!reading_.skip_bad_rows) throw parser.bad();
          block.bad.push_back(parser.bad());
          continue;
        }
        ++block.rows;
        row(block, parser.row());
      }
      block.lines = parser.lines();
      after(block);
    };
    stages.retire = [&](TextBlock& block) {
      for (BadLine& bad : block.bad) {
        bad.line += lines;
        if (tell && reading_.on_skipped) reading_.on_skipped(bad);
      }
      lines += block.lines;
      rows_ += block.rows;
      skipped_ += block.bad.size();
      retire(block);
      meter.add(block.bytes);
    };
    try {
      run_in_order(stages, threads_of(reading_));
    } catch (const BadLine& bad) {
      const text::Span span{static_cast<std::uint32_t>(bad.begin), static_cast<std::uint32_t>(bad.end)};
      const std::size_t line = lines + bad.line;
      const text::SourcePointer source = reading_.input == "-" ? text::standard_input_source(bad.text, line)
                                                               : text::file_source(name_, bad.text, line);
      throw text::Error(source, span, bad.wrong, mend(bad, line));
    }
  }

 private:
  [[nodiscard]] words::Message mend(const BadLine& bad, std::uint64_t line) const {
    for (const char* const known :
         {"bulk.decimal_comma", "bulk.name_and_number", "bulk.open_quote", "bulk.typographic_number"})
      if (bad.wrong.id == known) return {std::string(known) + "_mend", {}};
    if (layout_.maybe_header && line == layout_.header_lines + 1) return {"bulk.header_hint", {}};
    if (layout_.maybe_names && bad.cell == 0) return {"bulk.names_hint", {}};
    return {"bulk.skip_hint", {}};
  }

  const Reading& reading_;
  LineReader lines_;
  std::string name_;
  TextLayout layout_;
  std::string header_;
  std::uint64_t rows_ = 0;
  std::uint64_t skipped_ = 0;
};

Statistics text_statistics(TextFile& file, Meter& meter, Oddities& oddities) {
  Statistics all;
  const std::size_t width = file.layout().width;
  all.features.resize(width);
  file.each_block(
      meter, true, [](TextBlock& block) { block.values.clear(); },
      [&](TextBlock& block, const TextRow& row) {
        block.values.insert(block.values.end(), row.values, row.values + width);
      },
      [&](TextBlock& block) {
        block.statistics = {};
        if (block.rows > 0) block.statistics = statistics(block.values.data(), block.rows, width, block.oddities);
      },
      [&](TextBlock& block) {
        all.merge(block.statistics);
        oddities += block.oddities;
      });
  all.names = file.layout().features;
  return all;
}

// The longest that print() gives, with the separator.
std::size_t longest(Printing printing) { return printing.digits == Digits::decimals ? kLongestNumber : 28; }

void write_row(TextBlock& block, const TextRow& row, const double* y, const TextLayout& layout, Printing printing) {
  const std::size_t need = row.name.size() + layout.width * longest(printing) + kPrintSlack + 4;
  if (block.out_bytes + need > block.out.capacity())
    block.out.reserve(std::max(block.out_bytes + need, block.out.capacity() + block.out.capacity() / 2),
                      block.out_bytes);
  char* out = block.out.data() + block.out_bytes;
  if (layout.names) {
    std::memcpy(out, row.name.data(), row.name.size());
    out += row.name.size();
    *out++ = layout.separator;
  }
  out = print(out, {y, layout.width}, layout.separator, printing) - 1;  // the line end goes where the last separator is
  std::memcpy(out, row.line_end.data(), row.line_end.size());
  block.out_bytes = static_cast<std::size_t>(out - block.out.data()) + row.line_end.size();
}

// How many numbers share a variance.
double sharing(bool over_batch, const Statistics* given, const Report& report) {
  if (!over_batch) return static_cast<double>(report.features);
  return static_cast<double>(given ? given->count : report.rows);
}

Report apply_text(const ApplyRequest& request, Input& input, char separator, const Statistics* given) {
  const bool over_batch = request.norm->axis == tensor::Axis::feature;
  const bool two_passes = over_batch && !given;
  Meter meter(request.reading, input.size(), two_passes ? 2 : 1);
  TextFile file(request.reading, input, separator, given != nullptr);
  const std::size_t width = file.layout().width;
  Report report;
  report.features = width;
  if (width == 0) {  // a piece without rows
    Output output = open_output(request.output, input, true);
    output.write(file.header().data(), file.header().size());
    output.commit();
    return report;
  }
  const Convention convention = fitted(request.convention, width, Element::float64);

  std::optional<ColumnNormalizer> columns;
  if (two_passes) {
    columns.emplace(text_statistics(file, meter, report.oddities), convention, Element::float64);
    file.rewind();
  } else if (over_batch) {
    require_features(*given, width, request.statistics);
    require_same_names(given->names, file.layout().features, request.statistics);
    columns.emplace(*given, convention, Element::float64);
  }

  Output output = open_output(request.output, input, true);
  output.write(file.header().data(), file.header().size());
  file.each_block(
      meter, !two_passes,
      [&](TextBlock& block) {
        block.out_bytes = 0;
        block.values.resize(width);
        if (!block.transform)
          block.transform =
              std::make_unique<RowTransform>(convention, width, Element::float64, columns ? &*columns : nullptr);
      },
      [&](TextBlock& block, const TextRow& row) {
        if (given) count_non_finite(std::span(row.values, width), block.oddities);
        block.transform->apply(row.values, block.values.data());
        write_row(block, row, block.values.data(), file.layout(), request.printing);
      },
      [](TextBlock& block) { block.oddities += block.transform->take_oddities(); },
      [&](TextBlock& block) {
        report.oddities += block.oddities;
        output.write(block.out.data(), block.out_bytes);
      });
  if (columns && file.rows() > 0) report.oddities.undefined += columns->undefined();
  output.commit();
  report.remarks = file.remarks();
  report.rows = file.rows();
  report.skipped = file.skipped();
  report.without_degrees = convention.degrees(sharing(over_batch, given, report)) == 0;
  return report;
}

// ---- binary

struct Shape {
  Element element;
  std::string head;                   // bytes before the first number, kept
  std::size_t width;                  // numbers in a row
  std::optional<std::uint64_t> rows;  // unknown for raw numbers that come through a pipe
  bool one_feature = false;           // a flat array taken as a feature over the batch
};

// Elements of a block as numbers that can be normalized: float32 as they are, the others as float64.
struct BinaryBlock {
  std::uint64_t first_row = 0;
  std::size_t rows = 0;
  std::vector<float> floats;
  std::vector<double> doubles;
  std::vector<double> outputs;
  std::vector<std::uint16_t> halves;
  std::unique_ptr<RowTransform> transform;
  Statistics statistics;
  Oddities oddities;

  [[nodiscard]] const char* bytes(Element element) const { return const_cast<BinaryBlock*>(this)->bytes(element); }
  // Where the elements are read to, and where the results are.
  char* bytes(Element element) {
    switch (element) {
      case Element::float16: return reinterpret_cast<char*>(halves.data());
      case Element::float32: return reinterpret_cast<char*>(floats.data());
      case Element::float64: break;
    }
    return reinterpret_cast<char*>(doubles.data());
  }
  void resize(Element element, std::size_t elements) {
    if (element == Element::float16) halves.resize(elements);
    if (element == Element::float32)
      floats.resize(elements);
    else
      doubles.resize(elements);
  }
};

class BinaryFile {
 public:
  BinaryFile(const Reading& reading, Input& input, const Shape& shape)
      : reading_(reading), input_(input), shape_(shape) {}

  [[nodiscard]] std::uint64_t row_bytes() const { return shape_.width * bytes_of(shape_.element); }
  [[nodiscard]] std::uint64_t rows() const { return rows_; }

  // As TextFile::each_block. A seekable input is read by the thread that works on the block.
  template <class Work, class Retire>
  void each_block(Meter& meter, std::size_t block_bytes, Work work, Retire retire) {
    if (shape_.width == 0) return;
    const std::uint64_t at_a_time = std::max<std::uint64_t>(1, block_bytes / row_bytes());
    std::uint64_t produced = 0;
    rows_ = 0;
    Stages<BinaryBlock> stages;
    stages.produce = [&](BinaryBlock& block) {
      if (shape_.rows && produced == *shape_.rows) {
        require_end(produced);
        return false;
      }
      block.first_row = produced;
      block.rows = static_cast<std::size_t>(shape_.rows ? std::min(at_a_time, *shape_.rows - produced) : at_a_time);
      if (!input_.is_seekable()) read(block);
      produced += block.rows;
      return block.rows > 0;
    };
    stages.work = [&](BinaryBlock& block) {
      if (input_.is_seekable()) read(block);
      if (shape_.element == Element::float16)
        for (std::size_t i = 0; i < block.halves.size(); ++i) block.doubles[i] = from_half(block.halves[i]);
      block.oddities = {};
      work(block);
    };
    stages.retire = [&](BinaryBlock& block) {
      rows_ += block.rows;
      retire(block);
      meter.add(block.rows * row_bytes());
    };
    run_in_order(stages, threads_of(reading_));
  }

 private:
  // What comes through a pipe may go on after the array that its head announced.
  void require_end(std::uint64_t rows) {
    const std::uint64_t size = shape_.head.size() + rows * row_bytes();
    char more;
    if (!input_.is_seekable() && input_.read(size, &more, 1) != 0)
      throw Error(Error::bad_input, {"bulk.npy_goes_on", {input_.name(), std::to_string(size)}});
  }

  void read(BinaryBlock& block) {
    block.resize(shape_.element, block.rows * shape_.width);
    const std::size_t wanted = block.rows * row_bytes();
    const std::size_t got =
        input_.read(shape_.head.size() + block.first_row * row_bytes(), block.bytes(shape_.element), wanted);
    if (got == wanted) return;
    const std::uint64_t whole_rows = got / row_bytes();
    if (shape_.rows || got % row_bytes() != 0)
      throw Error(Error::bad_input,
                  {"bulk.row_cut", {input_.name(), std::to_string(block.first_row + whole_rows + 1)}});
    block.rows = whole_rows;
    block.resize(shape_.element, block.rows * shape_.width);
  }

  const Reading& reading_;
  Input& input_;
  const Shape& shape_;
  std::uint64_t rows_ = 0;
};

Statistics binary_statistics(BinaryFile& file, Meter& meter, const Shape& shape, Oddities& oddities) {
  Statistics all;
  all.features.resize(shape.width);
  file.each_block(
      meter, kStatisticsBlock,
      [&](BinaryBlock& block) {
        block.statistics = shape.element == Element::float32
                               ? statistics(block.floats.data(), block.rows, shape.width, block.oddities)
                               : statistics(block.doubles.data(), block.rows, shape.width, block.oddities);
      },
      [&](BinaryBlock& block) {
        all.merge(block.statistics);
        oddities += block.oddities;
      });
  return all;
}

void transform_rows(BinaryBlock& block, const Shape& shape, bool count) {
  const std::size_t d = shape.width;
  if (shape.element == Element::float32) {
    if (count) count_non_finite(std::span<const float>(block.floats), block.oddities);
    for (std::size_t row = 0; row < block.rows; ++row)
      block.transform->apply(&block.floats[row * d], &block.floats[row * d]);
  } else {
    if (count) count_non_finite(std::span<const double>(block.doubles), block.oddities);
    block.outputs.resize(block.doubles.size());
    for (std::size_t row = 0; row < block.rows; ++row)
      block.transform->apply(&block.doubles[row * d], &block.outputs[row * d]);
    block.doubles.swap(block.outputs);
  }
  if (shape.element == Element::float16)
    for (std::size_t i = 0; i < block.halves.size(); ++i) block.halves[i] = to_half(block.doubles[i]);
  block.oddities += block.transform->take_oddities();
}

Report apply_binary(const ApplyRequest& request, Input& input, const Shape& shape, const Statistics* given) {
  const bool over_batch = request.norm->axis == tensor::Axis::feature;
  const bool two_passes = over_batch && !given;
  const Convention convention = fitted(request.convention, shape.width, shape.element);
  Meter meter(request.reading, input.size(), two_passes ? 2 : 1);
  BinaryFile file(request.reading, input, shape);
  Report report;
  report.features = shape.width;
  report.one_feature = shape.one_feature;

  std::optional<ColumnNormalizer> columns;
  if (two_passes) {
    columns.emplace(binary_statistics(file, meter, shape, report.oddities), convention, shape.element);
  } else if (over_batch) {
    require_features(*given, shape.width, request.statistics);
    columns.emplace(*given, convention, shape.element);
  }

  Output output = open_output(request.output, input, false);
  output.write(shape.head.data(), shape.head.size());
  const auto bytes = [&](const BinaryBlock& block) { return block.rows * file.row_bytes(); };
  file.each_block(
      meter, kBinaryBlock,
      [&](BinaryBlock& block) {
        if (!block.transform)
          block.transform =
              std::make_unique<RowTransform>(convention, shape.width, shape.element, columns ? &*columns : nullptr);
        transform_rows(block, shape, given != nullptr);
        if (output.can_place())
          output.write_at(shape.head.size() + block.first_row * file.row_bytes(), block.bytes(shape.element),
                          bytes(block));
      },
      [&](BinaryBlock& block) {
        report.oddities += block.oddities;
        if (!output.can_place()) output.write(block.bytes(shape.element), bytes(block));
      });
  if (columns && file.rows() > 0) report.oddities.undefined += columns->undefined();
  output.commit();
  report.rows = file.rows();
  report.element = shape.element;
  report.without_degrees = convention.degrees(sharing(over_batch, given, report)) == 0;
  return report;
}

// ---- which kind of file

struct NamedFormat {
  std::string_view name;
  Format format;
  char separator;  // of text; 0 to be found
};
constexpr NamedFormat kFormats[] = {
    {"csv", Format::csv, 0}, {"tsv", Format::tsv, '\t'}, {"text", Format::text, ' '},
    {"npy", Format::npy, 0}, {"f32", Format::f32, 0},    {"f64", Format::f64, 0},
};

Format format_of(const Reading& reading) {
  if (reading.format != Format::automatic) return reading.format;
  for (const NamedFormat& named : kFormats)
    if (named.format != Format::text && same_word(ending_of(reading.input), named.name)) return named.format;
  return Format::automatic;
}

char separator_of(Format format) {
  for (const NamedFormat& named : kFormats)
    if (named.format == format) return named.separator;
  return 0;
}

Shape shape_of_npy(Input& input, bool over_batch) {
  NpyHeader header = read_npy_header(input);
  Shape shape{header.element, std::move(header.bytes), 1, 1, false};
  // A flat vector is one token, or one feature over the batch.
  shape.one_feature = over_batch && header.shape.size() == 1;
  shape.width = static_cast<std::size_t>(shape.one_feature ? 1 : header.shape.back());
  if (shape.width > kLongestRow / bytes_of(shape.element))
    throw Error(Error::bad_input, {"bulk.row_too_long", {input.name(), std::to_string(shape.width)}});
  shape.rows = shape.width == 0 ? 0 : header.elements() / shape.width;
  return shape;
}

Shape shape_of_raw(const Reading& reading, const Input& input, Element element) {
  if (reading.width == 0) throw Error(Error::bad_input, {"bulk.width_missing", {}});
  if (reading.width > kLongestRow / bytes_of(element))
    throw Error(Error::bad_input, {"bulk.row_too_long", {input.name(), std::to_string(reading.width)}});
  Shape shape{element, "", reading.width, std::nullopt, false};
  const std::uint64_t row_bytes = reading.width * bytes_of(element);
  if (input.size()) {
    if (*input.size() % row_bytes != 0)
      throw Error(Error::bad_input, {"bulk.row_cut", {input.name(), std::to_string(*input.size() / row_bytes + 1)}});
    shape.rows = *input.size() / row_bytes;
  }
  return shape;
}

// Calls text(input, separator) or binary(input, shape).
template <class Text, class Binary>
Report read_as(const Reading& reading, Input& input, bool over_batch, Text text, Binary binary) {
  Format format = format_of(reading);
  if (format == Format::automatic && input.looks_like("\x93NUMPY")) format = Format::npy;
  const bool is_raw = format == Format::f32 || format == Format::f64;
  const bool is_text = !is_raw && format != Format::npy;
  if (!is_text && !reading.text_options.empty())
    throw Error(Error::bad_input, {"bulk.option_of_text", {reading.text_options.front(), input.name()}},
                {"bulk.leave_out", {}});
  if (!is_raw && reading.width != 0)
    throw Error(Error::bad_input, {"bulk.option_of_raw", {"--width", input.name()}}, {"bulk.width_mend", {}});
  switch (format) {
    case Format::npy: return binary(shape_of_npy(input, over_batch));
    case Format::f32: return binary(shape_of_raw(reading, input, Element::float32));
    case Format::f64: return binary(shape_of_raw(reading, input, Element::float64));
    default: return text(separator_of(format));
  }
}

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void write_statistics(const Statistics& statistics, const std::string& path) {
  Output output = Output::open(path);
  const std::string text = to_text(statistics);
  output.write(text.data(), text.size());
  output.commit();
}

Report merge_statistics(const StatsRequest& request) {
  Statistics all;
  for (const std::string& path : request.merge) {
    Statistics more = read_statistics(path);
    if (more.count == 0 && more.features.empty()) continue;  // of a piece without rows
    if (all.features.empty()) {
      all = std::move(more);
      continue;
    }
    if (more.features.size() != all.features.size())
      throw Error(Error::bad_input,
                  {"bulk.statistics_features",
                   {path, std::to_string(more.features.size()), std::to_string(all.features.size())}});
    require_same_names(all.names, more.names, path);
    if (all.names.empty()) all.names = more.names;
    all.merge(more);
  }
  write_statistics(all, request.output);
  Report report;
  report.rows = all.count;
  report.features = all.features.size();
  return report;
}

void require_finite(const Convention& convention) {
  const auto finite = [](const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
  };
  if (!std::isfinite(convention.eps) || convention.eps < 0 || !finite(convention.gamma) || !finite(convention.beta))
    throw Error(Error::bad_input, {"bulk.parameter_range", {}});
}

}  // namespace

std::optional<Format> format_named(std::string_view word) {
  for (const NamedFormat& named : kFormats)
    if (named.name == word) return named.format;
  return std::nullopt;
}

Report apply(const ApplyRequest& request) {
  const Stopwatch watch;
  require_finite(request.convention);
  const bool over_batch = request.norm->axis == tensor::Axis::feature;
  if (over_batch && request.convention.accumulate)
    throw Error(Error::bad_input, {"bulk.accumulate_batch", {}}, {"bulk.accumulate_batch_mend", {}});
  std::optional<Statistics> given;
  if (!request.statistics.empty()) {
    if (!over_batch) throw Error(Error::bad_input, {"bulk.statistics_unused", {std::string(request.norm->command)}});
    given = read_statistics(request.statistics);
  }
  Input input = Input::open(request.reading.input);
  if (over_batch && !given) input = std::move(input).seekable();
  ApplyRequest fixed = request;
  fixed.convention.formula = request.norm->formula;
  const Statistics* const statistics = given ? &*given : nullptr;
  Report report = read_as(
      request.reading, input, over_batch,
      [&](char separator) { return apply_text(fixed, input, separator, statistics); },
      [&](const Shape& shape) { return apply_binary(fixed, input, shape, statistics); });
  report.seconds = watch.seconds();
  return report;
}

Report stats(const StatsRequest& request) {
  if (!request.merge.empty()) return merge_statistics(request);
  const Stopwatch watch;
  Input input = Input::open(request.reading.input);
  Meter meter(request.reading, input.size(), 1);
  Report report = read_as(
      request.reading, input, true,
      [&](char separator) {
        TextFile file(request.reading, input, separator, true);
        Report read;
        write_statistics(text_statistics(file, meter, read.oddities), request.output);
        read.features = file.layout().width;
        read.remarks = file.remarks();
        read.rows = file.rows();
        read.skipped = file.skipped();
        return read;
      },
      [&](const Shape& shape) {
        BinaryFile file(request.reading, input, shape);
        Report read;
        write_statistics(binary_statistics(file, meter, shape, read.oddities), request.output);
        read.features = shape.width;
        read.one_feature = shape.one_feature;
        read.rows = file.rows();
        return read;
      });
  report.seconds = watch.seconds();
  return report;
}

}  // namespace normtrace::bulk
