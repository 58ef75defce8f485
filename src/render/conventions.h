#pragma once

#include <span>

#include "render/render.h"
#include "render/table.h"
#include "trace/conventions.h"

namespace normtrace::render {

std::span<const View<trace::Survey>> survey_views();

// What the presets are: one row a norm of a framework.
struct PresetList {};
std::span<const View<PresetList>> preset_views();

}  // namespace normtrace::render
