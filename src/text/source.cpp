#include "text/source.h"

namespace normtrace::text {

namespace {

SourcePointer make(words::Message name, std::string text, std::size_t first_line, bool numbered,
                   std::string example = {}) {
  return std::make_shared<const Source>(
      Source{std::move(name), std::move(text), first_line, numbered, std::move(example)});
}

}  // namespace

SourcePointer file_source(std::string_view path, std::string text, std::size_t first_line) {
  return make({"input.source_file", {std::string(path)}}, std::move(text), first_line, true);
}

SourcePointer standard_input_source(std::string text, std::size_t first_line) {
  return make({"input.source_stdin", {}}, std::move(text), first_line, true);
}

SourcePointer option_source(std::string_view option, std::string text, std::string_view example) {
  return make({"input.source_option", {std::string(option)}}, std::move(text), 1, false,
              example.empty() ? std::string() : std::string(option) + " " + std::string(example));
}

SourcePointer argument_source(std::size_t first, std::size_t last, std::string text) {
  const bool numbered = text.find('\n') != std::string::npos;
  if (first == last) return make({"input.source_argument", {std::to_string(first)}}, std::move(text), 1, numbered);
  return make({"input.source_arguments", {std::to_string(first), std::to_string(last)}}, std::move(text), 1, numbered);
}

}  // namespace normtrace::text
