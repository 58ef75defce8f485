#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace normtrace::words {

// Columns that a terminal gives to a text: 2 for wide East Asian characters and emoji, 0 for combining marks and
// zero-width characters, 1 for the rest, the East Asian "ambiguous" ones (γ √ ≈ ²) included. A character joined by a
// zero-width joiner (family emoji) takes no column of its own. Source: Unicode's EastAsianWidth and general categories.
std::size_t display_width(std::string_view text);
std::size_t display_width(char32_t code);

enum class Align { left, right };
// Fills with blanks up to `width` columns; a longer text stays whole.
std::string pad(std::string_view text, std::size_t width, Align align = Align::left);
// At most `width` columns, the last of them … where something was cut.
std::string truncate(std::string_view text, std::size_t width);

}  // namespace normtrace::words
