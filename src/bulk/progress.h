#pragma once

#include <string>

#include "bulk/request.h"
#include "words/words.h"

namespace normtrace::bulk {

// One line, no break: "[#####-----] 52 %  1.2 GB  430 MB/s  2:05 left". Without a total there is no bar and no time left.
std::string progress_line(const Progress& progress, double seconds, words::Language language);

// 1234567890 as "1.2 GB".
std::string bytes_for_people(double bytes);

}  // namespace normtrace::bulk
