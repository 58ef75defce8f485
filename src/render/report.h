#pragma once

#include <span>
#include <string>

#include "render/render.h"
#include "render/style.h"
#include "trace/report.h"

namespace normtrace::render {

// text, markdown, json, csv.
std::span<const View<trace::Report>> report_views();

// A remark in the language of the style, each of its numbers behind = or ≈.
std::string spoken(const trace::Remark& remark, const Style& style);
// "probabilities p = eˢᵢ/Σeˢⱼ ≈ [0.731, 0.269]".
std::string item_line(const trace::Item& item, const Style& style);

class JsonWriter;
// {"id", "text", "values"}.
void write_remark(JsonWriter& json, const trace::Remark& remark, const Style& style);
void write_item(JsonWriter& json, const trace::Item& item, const Style& style);

}  // namespace normtrace::render
