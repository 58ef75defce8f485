#include <algorithm>

#include "render/lines.h"
#include "render/machine_view.h"
#include "render/render.h"

namespace normtrace::render {

namespace {

constexpr unsigned decimals = 4;  // as PyTorch prints

// Nested brackets around equally wide entries; each level below the first opens one column further to the right.
class Nested {
 public:
  Nested(const std::vector<std::string>& entries, const std::vector<std::size_t>& shape)
      : entries_(entries), shape_(shape) {}

  std::string write() {
    level(0);
    return std::move(text_) + "\n";
  }

 private:
  void level(std::size_t depth) {
    text_ += "[";
    for (std::size_t i = 0; i < shape_[depth]; ++i) {
      if (depth + 1 == shape_.size()) {
        text_ += (i == 0 ? "" : ", ") + entries_[next_++];
        continue;
      }
      // A blank line between blocks, as many as levels lie below.
      if (i != 0) text_ += "," + std::string(shape_.size() - depth - 1, '\n') + std::string(depth + 1, ' ');
      level(depth + 1);
    }
    text_ += "]";
  }

  const std::vector<std::string>& entries_;
  const std::vector<std::size_t>& shape_;
  std::size_t next_ = 0;
  std::string text_;
};

// As the machine has it, where there is one: the view shows what a framework prints.
std::vector<std::string> output_entries(const trace::Trace& trace, const Style& style) {
  std::vector<std::string> entries;
  if (trace.request.convention.machine.dtype) {
    for (const double value : trace.machine_output) entries.push_back(machine_fixed(value, decimals));
    return entries;
  }
  for (const exact::Value& value : trace.output)
    entries.push_back(value.is_undefined() ? words::say(style.language, "value.undefined_short")
                                           : to_fixed(value, decimals));
  return entries;
}

}  // namespace

std::string tensor(const trace::Trace& trace, const std::vector<words::Message>& /*notes*/, const Style& style) {
  std::vector<std::string> entries = output_entries(trace, style);
  std::size_t widest = 0;
  for (const std::string& entry : entries) widest = std::max(widest, entry.size());
  for (std::string& entry : entries) entry.insert(0, widest - entry.size(), ' ');
  // Tokens given one by one are a sequence in a batch of one, (1, tokens, d), as in the articles.
  std::vector<std::size_t> shape = trace.request.input.shape;
  if (trace.request.input.listed) shape.insert(shape.begin(), 1);
  return Nested(entries, shape).write();
}

std::vector<words::Message> tensor_shortcomings(const trace::Trace& trace) {
  const bool hidden = std::ranges::any_of(trace.output, [](const exact::Value& value) {
    return !value.is_undefined() && !value.is_zero() && rounded_scaled(value, decimals).is_zero();
  });
  return hidden ? std::vector<words::Message>{{"remark.shown_as_zero", {}}} : std::vector<words::Message>();
}

std::string tensor(const trace::Comparison& comparison, const std::vector<words::Message>& notes, const Style& style) {
  std::string text;
  for (const trace::Trace& trace : comparison.traces)
    text += (text.empty() ? "# " : "\n# ") + std::string(trace.request.norm->name) + "\n" + tensor(trace, notes, style);
  return text;
}

std::string tensor(const trace::Passes& passes, const std::vector<words::Message>& notes, const Style& style) {
  if (passes.traces.size() == 1) return tensor(passes.traces.front(), notes, style);
  std::string text;
  for (std::size_t i = 0; i < passes.traces.size(); ++i)
    text +=
        (text.empty() ? "# " : "\n# ") + pass_heading(passes, i, style) + "\n" + tensor(passes.traces[i], notes, style);
  return text;
}

}  // namespace normtrace::render
