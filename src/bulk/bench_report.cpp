#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "bulk/bench.h"
#include "words/width.h"

namespace normtrace::bulk {

namespace {

using words::Language;
using words::say;

std::string microseconds(const Timing& timing) {
  const double value = timing.median * 1e6;
  const double spread = (timing.upper - timing.lower) / 2 * 1e6;
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  return fmt::format("{:.{}f} ± {:.{}f}", value, decimals, spread, decimals);
}

// One column of the table: the id of its heading and what stands in it.
struct Column {
  const char* heading;
  std::string (*cell)(const BenchRow& row);
};
constexpr Column kColumns[] = {
    {"bench.size", [](const BenchRow& row) { return std::to_string(row.size); }},
    {"bench.batch", [](const BenchRow& row) { return std::to_string(row.batch); }},
    {"bench.rms", [](const BenchRow& row) { return microseconds(row.rms); }},
    {"bench.layer", [](const BenchRow& row) { return microseconds(row.layer); }},
    {"bench.speed_up", [](const BenchRow& row) { return fmt::format("{:.2f}x", row.speed_up()); }},
    {"bench.batch_norm", [](const BenchRow& row) { return microseconds(row.batch_norm); }},
    {"bench.ns",
     [](const BenchRow& row) {
       return fmt::format("{:.2f} {:.2f} {:.2f}", row.ns_per_element(row.rms), row.ns_per_element(row.layer),
                          row.ns_per_element(row.batch_norm));
     }},
    {"bench.gigabytes",
     [](const BenchRow& row) {
       return fmt::format("{:.0f} {:.0f} {:.0f} / {:.0f}", row.gigabytes(row.rms), row.gigabytes(row.layer),
                          row.gigabytes(row.batch_norm), row.gigabytes(row.copy));
     }},
    {"bench.scratch", [](const BenchRow& row) { return fmt::format("{} / {}", row.row_scratch, row.batch_scratch); }},
};

// The rows of one type, one behind the other.
template <class Function>
void each_type(const BenchResult& result, Function function) {
  for (std::size_t begin = 0; begin < result.rows.size();) {
    std::size_t end = begin;
    while (end < result.rows.size() && result.rows[end].type == result.rows[begin].type) ++end;
    function(std::span(result.rows).subspan(begin, end - begin));
    begin = end;
  }
}

std::string aligned(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, words::display_width(text)), ' ') + text;
}

// In lines of at most `columns`, if that is not 0: what does not fit comes in another table, with the first two again.
std::string table(std::span<const BenchRow> rows, Language language, std::size_t columns) {
  constexpr std::size_t kRepeated = 2;
  std::vector<std::string> texts(rows.size() + 1);
  std::vector<std::string> finished;
  const auto append = [&](const Column& column) {
    std::vector<std::string> cells{say(language, column.heading)};
    for (const BenchRow& row : rows) cells.push_back(column.cell(row));
    const auto by_width = [](const std::string& a, const std::string& b) {
      return words::display_width(a) < words::display_width(b);
    };
    const std::size_t width = words::display_width(*std::ranges::max_element(cells, by_width));
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] += aligned(cells[i], width + (texts[i].empty() ? 0 : 2));
  };
  const auto finish = [&] {
    std::string whole;
    for (std::string& line : texts) whole += std::exchange(line, {}) + "\n";
    finished.push_back(std::move(whole));
  };
  for (std::size_t j = 0; j < std::size(kColumns); ++j) {
    const std::vector<std::string> before = texts;
    append(kColumns[j]);
    if (j <= kRepeated || columns == 0 || words::display_width(texts[0]) <= columns) continue;
    texts = before;
    finish();
    for (std::size_t again = 0; again < kRepeated; ++again) append(kColumns[again]);
    append(kColumns[j]);
  }
  finish();
  std::string all;
  for (const std::string& one : finished) all += (all.empty() ? "" : "\n") + one;
  return all;
}

struct Bar {
  const char* name;
  const Timing BenchRow::*timing;
};
constexpr Bar kBars[] = {
    {"RMSNorm", &BenchRow::rms}, {"LayerNorm", &BenchRow::layer}, {"BatchNorm", &BenchRow::batch_norm}};

double slowest(std::span<const BenchRow> rows) {
  double most = 0;
  for (const BenchRow& row : rows)
    for (const Bar& bar : kBars) most = std::max(most, row.ns_per_element(row.*bar.timing));
  return most;
}

// Nanoseconds an element, for the largest batch of every size.
std::string chart(std::span<const BenchRow> rows, Language language, std::size_t columns) {
  constexpr std::size_t widest_bar = 48, beside_bar = 24, narrowest_bar = 8;
  const std::size_t room = columns == 0 ? widest_bar : columns - std::min(columns, beside_bar);
  const auto widest = static_cast<double>(std::clamp(room, narrowest_bar, widest_bar));
  const double most = slowest(rows);
  std::string text = say(language, "bench.chart") + "\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + 1 < rows.size() && rows[i + 1].size == rows[i].size) continue;
    for (const Bar& bar : kBars) {
      const double ns = rows[i].ns_per_element(rows[i].*bar.timing);
      text += fmt::format("{:>6} {:<9} {} {:.2f}\n", &bar == kBars ? std::to_string(rows[i].size) : "", bar.name,
                          std::string(static_cast<std::size_t>(std::lround(widest * ns / most)), '#'), ns);
    }
  }
  return text;
}

// The speed-up in the middle of the table, and why it is what it is; or that the times do not tell.
std::string meaning(std::span<const BenchRow> rows, Language language) {
  constexpr double kLeast = 0.9, kMostScatter = 3;  // LayerNorm does all that RMSNorm does, and not three times as much
  std::vector<double> ratios;
  for (const BenchRow& row : rows) ratios.push_back(row.speed_up());
  std::ranges::sort(ratios);
  const auto shown = [](double ratio) { return fmt::format("{:.2f}", ratio); };
  const bool scattered = ratios.front() < kLeast || ratios.back() > kMostScatter;
  return say(language, {scattered ? "bench.scattered" : "bench.meaning",
                        {shown(quantile(ratios, 0.5)), shown(ratios.front()), shown(ratios.back())}});
}

nlohmann::ordered_json as_json(const BenchRow& row, const Timing& timing) {
  return {{"median_ns", timing.median * 1e9},
          {"lower_ns", timing.lower * 1e9},
          {"upper_ns", timing.upper * 1e9},
          {"ns_per_element", row.ns_per_element(timing)},
          {"gigabytes_per_second", row.gigabytes(timing)}};
}

}  // namespace

std::string bench_text(const BenchResult& result, Language language, std::size_t columns) {
  std::string text;
  each_type(result, [&](std::span<const BenchRow> rows) {
    text += say(language, {"bench.title", {std::string(rows[0].type), std::string(result.processor)}}) + "\n\n" +
            table(rows, language, columns) + "\n" + chart(rows, language, columns) + "\n" + meaning(rows, language) +
            "\n\n";
  });
  return text + say(language, "bench.legend") + "\n";
}

std::string bench_markdown(const BenchResult& result, Language language) {
  std::string text;
  each_type(result, [&](std::span<const BenchRow> rows) {
    text += say(language, {"bench.title", {std::string(rows[0].type), std::string(result.processor)}}) + "\n\n";
    for (const Column& column : kColumns) text += fmt::format("| {} ", say(language, column.heading));
    text += "|\n";
    for (std::size_t i = 0; i < std::size(kColumns); ++i) text += "| ---: ";
    text += "|\n";
    for (const BenchRow& row : rows) {
      for (const Column& column : kColumns) text += fmt::format("| {} ", column.cell(row));
      text += "|\n";
    }
    text += fmt::format("\n{}\n\n", meaning(rows, language));
  });
  return text + say(language, "bench.legend") + "\n";
}

std::string bench_csv(const BenchResult& result) {
  std::string text =
      "type,size,batch,rms_ns,rms_lower_ns,rms_upper_ns,layer_ns,layer_lower_ns,layer_upper_ns,"
      "batch_norm_ns,batch_norm_lower_ns,batch_norm_upper_ns,copy_ns,speed_up,row_scratch_bytes,batch_scratch_bytes,"
      "rms_ns_per_element,layer_ns_per_element,batch_norm_ns_per_element,"
      "rms_gb_per_s,layer_gb_per_s,batch_norm_gb_per_s,copy_gb_per_s\n";
  for (const BenchRow& row : result.rows) {
    text += fmt::format("{},{},{}", row.type, row.size, row.batch);
    for (const Bar& bar : kBars) {
      const Timing& timing = row.*bar.timing;
      text += fmt::format(",{:.1f},{:.1f},{:.1f}", timing.median * 1e9, timing.lower * 1e9, timing.upper * 1e9);
    }
    text +=
        fmt::format(",{:.1f},{:.4f},{},{}", row.copy.median * 1e9, row.speed_up(), row.row_scratch, row.batch_scratch);
    for (const Bar& bar : kBars) text += fmt::format(",{:.4f}", row.ns_per_element(row.*bar.timing));
    for (const Bar& bar : kBars) text += fmt::format(",{:.3f}", row.gigabytes(row.*bar.timing));
    text += fmt::format(",{:.3f}\n", row.gigabytes(row.copy));
  }
  return text;
}

std::string bench_json(const BenchResult& result) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const BenchRow& row : result.rows)
    rows.push_back({{"type", row.type},
                    {"size", row.size},
                    {"batch", row.batch},
                    {"rmsnorm", as_json(row, row.rms)},
                    {"layernorm", as_json(row, row.layer)},
                    {"batchnorm", as_json(row, row.batch_norm)},
                    {"copy", as_json(row, row.copy)},
                    {"speed_up", row.speed_up()},
                    {"row_scratch_bytes", row.row_scratch},
                    {"batch_scratch_bytes", row.batch_scratch}});
  const nlohmann::ordered_json all{
      {"schema", 1}, {"command", "bench"}, {"processor", result.processor}, {"threads", 1}, {"rows", rows}};
  return all.dump(2) + "\n";
}

std::string bench_svg(const BenchResult& result, Language language) {
  constexpr double bar_height = 9, gap = 8, left = 150, widest = 560, top = 48, title_height = 30;
  static constexpr const char* colors[] = {"#2a7f62", "#2b5c8a", "#b5651d"};
  std::string body;
  double y = top;
  each_type(result, [&](std::span<const BenchRow> rows) {
    const double most = slowest(rows);
    body += fmt::format("<text x=\"10\" y=\"{:.0f}\" font-weight=\"bold\">{}</text>\n", y + 14, rows[0].type);
    y += title_height;
    for (const BenchRow& row : rows) {
      body += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{} × {}</text>\n", left - 8,
                          y + 1.5 * bar_height + 4, row.batch, row.size);
      for (std::size_t i = 0; i < std::size(kBars); ++i) {
        const double ns = row.ns_per_element(row.*kBars[i].timing);
        const double width = widest * ns / most;
        body += fmt::format(
            "<rect x=\"{:.0f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\" fill=\"{}\"/>"
            "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"9\">{:.2f}</text>\n",
            left, y, width, bar_height - 1, colors[i], left + width + 4, y + bar_height - 1, ns);
        y += bar_height;
      }
      y += gap;
    }
  });
  std::string legend;
  for (std::size_t i = 0; i < std::size(kBars); ++i)
    legend += fmt::format(
        "<rect x=\"{0}\" y=\"30\" width=\"10\" height=\"10\" fill=\"{1}\"/><text x=\"{2}\" y=\"39\">{3}</text>\n",
        10 + 110 * i, colors[i], 25 + 110 * i, kBars[i].name);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"10\" y=\"20\">{2}</text>\n{3}{4}</svg>\n",
      left + widest + 50, y + 10, say(language, "bench.chart"), legend, body);
}

}  // namespace normtrace::bulk
