#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/style.h"
#include "trace/comparison.h"
#include "trace/trace.h"
#include "words/words.h"

// Every format, each in the file of its name. They print what a trace says and decide nothing; notes are printed only
// where the format has a place for them (JSON), elsewhere they go to standard error.
namespace normtrace::render {

struct Format {
  std::string_view name;
  std::string (*trace)(const trace::Trace&, const std::vector<words::Message>& notes, const Style&);
  std::string (*comparison)(const trace::Comparison&, const std::vector<words::Message>& notes, const Style&);
  std::string (*passes)(const trace::Passes&, const std::vector<words::Message>& notes, const Style&);
  // What this format cannot show of a trace; null where it shows everything.
  std::vector<words::Message> (*shortcomings)(const trace::Trace&) = nullptr;
};

// A way to print something else than a trace or comparison.
template <class Subject>
struct View {
  std::string_view format;  // "text"
  std::string (*print)(const Subject&, const std::vector<words::Message>& notes, const Style&);
};

std::span<const Format> formats();
// Null if there is none of that name.
const Format* find_format(std::string_view name);

std::string text(const trace::Trace& trace, const std::vector<words::Message>& notes, const Style& style);
std::string text(const trace::Comparison& comparison, const std::vector<words::Message>& notes, const Style& style);
std::string text(const trace::Passes& passes, const std::vector<words::Message>& notes, const Style& style);
std::string markdown(const trace::Trace& trace, const std::vector<words::Message>& notes, const Style& style);
std::string markdown(const trace::Comparison& comparison, const std::vector<words::Message>& notes, const Style& style);
std::string markdown(const trace::Passes& passes, const std::vector<words::Message>& notes, const Style& style);
// Nested brackets with four decimals, as PyTorch prints.
std::string tensor(const trace::Trace& trace, const std::vector<words::Message>& notes, const Style& style);
std::vector<words::Message> tensor_shortcomings(const trace::Trace& trace);
std::string tensor(const trace::Comparison& comparison, const std::vector<words::Message>& notes, const Style& style);
std::string tensor(const trace::Passes& passes, const std::vector<words::Message>& notes, const Style& style);
std::string json(const trace::Trace& trace, const std::vector<words::Message>& notes, const Style& style);
std::string json(const trace::Comparison& comparison, const std::vector<words::Message>& notes, const Style& style);
std::string json(const trace::Passes& passes, const std::vector<words::Message>& notes, const Style& style);
std::string csv(const trace::Trace& trace, const std::vector<words::Message>& notes, const Style& style);
std::string csv(const trace::Comparison& comparison, const std::vector<words::Message>& notes, const Style& style);
std::string csv(const trace::Passes& passes, const std::vector<words::Message>& notes, const Style& style);

}  // namespace normtrace::render
