#include "places.h"

namespace places {

std::filesystem::path root() { return NORMTRACE_ROOT; }
std::filesystem::path program() { return NORMTRACE_PROGRAM; }
std::filesystem::path playground() { return NORMTRACE_PLAYGROUND; }

}  // namespace places
