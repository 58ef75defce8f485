#pragma once

#include <string_view>
#include <vector>

#include "render/json_writer.h"
#include "trace/comparison.h"
#include "trace/trace.h"

// The pieces of which every JSON document of the program is made.
namespace normtrace::render {

// Nothing elided, e-notation.
Style for_machines(Style style);

// {"name": …, "values": […]}, the rows of a tensor; `write` writes one value.
template <class Item, class Write>
void write_rows(JsonWriter& json, const tensor::Tensor& shape, const std::vector<Item>& values, Write write) {
  json.begin_array();
  for (std::size_t row = 0; row < shape.rows(); ++row) {
    json.begin_object();
    json.member("name", shape.tokens[row]);
    json.key("values");
    json.begin_array();
    for (std::size_t column = 0; column < shape.width(); ++column) write(values[row * shape.width() + column]);
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

// The member "convention".
void write_convention(JsonWriter& json, const trace::Request& request);
// The member "notes".
void write_messages(JsonWriter& json, const std::vector<words::Message>& notes, const Style& style);
void write_conclusions(JsonWriter& json, const std::vector<trace::Conclusion>& conclusions, const Style& style);
// The whole object of a trace.
void write_trace(JsonWriter& json, const trace::Trace& trace, const std::vector<words::Message>& notes,
                 const Style& style);

}  // namespace normtrace::render
