// Numbers and texts as Python spells them, independent of the locale.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// In lower case.
std::string digits_text(unsigned long long number, int base);

/// Not negative, in full, with so many digits after the point.
std::string fixed_text(double value, std::size_t precision);

/// Not negative, as printf's %e, %f or %g with that precision; `alternate` is its flag #.
std::string floating_text(double value, char kind, std::size_t precision, bool alternate);

/// repr: "1.0", "1e+30", the shortest digits that read back; of a float as numpy.float32's str.
std::string python_text(double value);
std::string python_text(float value);

/// ascii(): in quotes. Nothing where the text is not UTF-8.
std::optional<std::string> python_ascii(std::string_view text);

/// The character of that number; nothing where UTF-8 has none.
std::optional<std::string> utf8_text(unsigned long long code);

/// Of UTF-8; a byte that is none counts for itself.
std::size_t character_count(std::string_view text);
/// The bytes of the first `count` characters.
std::size_t size_of_characters(std::string_view text, std::size_t count);

}  // namespace kiln
