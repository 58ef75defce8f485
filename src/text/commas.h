#pragma once

#include <cstdint>

#include "text/context.h"

namespace normtrace::text {

// Commas part numbers. Where one could have been typed as a decimal or thousands comma instead (1,000 2,000; 0,5 1,5; 1,05),
// a remark says so and how to write the number. Tokens [first, last): the numbers of one row, or of one bracket, whose rows
// may be parted by `;`.
void note_commas(Context& context, std::uint32_t first, std::uint32_t last);

}  // namespace normtrace::text
