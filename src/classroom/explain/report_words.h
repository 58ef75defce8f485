#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classroom/explain/bounds.h"
#include "exact/rational.h"
#include "render/json_writer.h"
#include "render/style.h"
#include "words/words.h"

// What the two reports, of rules and of stored numbers, have in common.
namespace normtrace::classroom::explain {

// To so many significant digits.
std::string rough(Wide x, int digits = 2);
// The ends of a range, with as many digits as it takes to tell them apart.
std::pair<std::string, std::string> range_text(const Bounds& bounds);
// An ε or another small parameter as people write it: 0.001, 1e-5, 2^-23.
std::string eps_text(const exact::Rational& x);
// "…, and …".
std::string joined(const std::vector<std::string>& clauses, words::Language language);

// {"schema": 1, "command": "explain", "verdict": …, members, "notes": […]}
std::string answer_json(std::string_view verdict, const std::vector<words::Message>& notes, const render::Style& style,
                        const std::function<void(render::JsonWriter&)>& members);

}  // namespace normtrace::classroom::explain
