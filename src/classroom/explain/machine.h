#pragma once

#include "classroom/explain/explain.h"
#include "classroom/explain/search.h"

namespace normtrace::classroom::explain {

// Rules of narrow types, each computed operation by operation: float16 whose squares overflow, a variance from one pass,
// a weight multiplied before or after x̂ is rounded.
void search_machines(const Sample& sample, Found& found);

}  // namespace normtrace::classroom::explain
