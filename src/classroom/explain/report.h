#pragma once

#include <string>
#include <vector>

#include "classroom/explain/explain.h"
#include "render/style.h"
#include "words/words.h"

namespace normtrace::classroom::explain {

// The rule in one plain sentence.
std::string sentence(const Rule& rule, const Answer& answer, const Question& question, words::Language language);
std::string text(const Answer& answer, const Question& question, const render::Style& style);
std::string json(const Answer& answer, const Question& question, const std::vector<words::Message>& notes,
                 const render::Style& style);

}  // namespace normtrace::classroom::explain
