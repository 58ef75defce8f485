#pragma once

#include <string>
#include <string_view>

#include "bulk/columns.h"

namespace normtrace::bulk {

// Statistics as text:
//   # normtrace statistics 1
//   # count 200000
//   # features 64
//   feature,mean,mean_rest,m2,m2_rest,exponent
//   f1,0.5002,-1.1e-17,16612.7,3.9e-13,0
// The mean is (mean + mean_rest)·2^exponent, M2 is (m2 + m2_rest)·4^exponent; the exponent is 0 but for numbers whose
// squares no double holds. Every number has the digits that read back to it.
// Names with commas, quotes or line breaks are quoted as in CSV; f1, f2, … stand for features without names.
// A piece without rows has a count of 0, and no features if it had no header either.
constexpr std::string_view kStatisticsLine = "# normtrace statistics 1";
std::string to_text(const Statistics& statistics);

// Errors: Error with status 2 for a text that is not of this form, 3 for a file that cannot be read.
Statistics read_statistics(const std::string& path);

}  // namespace normtrace::bulk
