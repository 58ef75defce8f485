#include "render/render.h"

namespace normtrace::render {

std::span<const Format> formats() {
  static constexpr Format table[] = {
      {"text", text, text, text},
      {"markdown", markdown, markdown, markdown},
      {"tensor", tensor, tensor, tensor, tensor_shortcomings},
      {"json", json, json, json},
      {"csv", csv, csv, csv},
  };
  return table;
}

const Format* find_format(std::string_view name) {
  for (const Format& format : formats())
    if (format.name == name) return &format;
  return nullptr;
}

}  // namespace normtrace::render
