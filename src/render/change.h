#pragma once

#include <span>

#include "render/render.h"
#include "trace/change.h"

namespace normtrace::render {

std::span<const View<trace::Change>> change_views();

}  // namespace normtrace::render
