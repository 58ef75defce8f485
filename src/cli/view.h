#pragma once

#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/input.h"
#include "render/render.h"

namespace normtrace::cli {

// The view that --format asks for. Throws UsageError where the command has none of that name.
template <class Subject>
const render::View<Subject>& read_view(std::string_view command, std::span<const render::View<Subject>> views,
                                       const Arguments& arguments) {
  const std::string wanted = arguments.get("--format", "text");
  std::string list;
  for (const render::View<Subject>& view : views) {
    if (view.format == wanted) return view;
    list += (list.empty() ? "" : ", ") + std::string(view.format);
  }
  throw UsageError({"usage.format_here", {std::string(command), wanted}}, {"usage.choose_from", {list}});
}

template <class Subject>
void print(const render::View<Subject>& view, const Subject& subject, const std::vector<words::Message>& notes,
           const render::Style& style, const Session& session) {
  session.show(view.print(subject, notes, style), view.format);
  say_notes(notes, view.format, session);
}

}  // namespace normtrace::cli
