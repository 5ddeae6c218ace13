// Texts that others wrote, for a terminal or a message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// The text without what controls a terminal: control characters other than the end of a line and the tab, and marks of
/// writing direction, become '?'. A line's end is "\n". Everything that Kiln prints goes through here, and every text
/// of an Error.
std::string printable_text(std::string_view text);

/// Such a text in one line: another's name must not look like a line of Kiln's.
std::string printable_line(std::string_view text);

/// The same within a message, of `most` bytes at most, and "..." where it was truncated.
std::string printable_word(std::string_view text, std::size_t most = 200);

/// Valid JSON, with what printable_text replaces as escapes: it means the same.
std::string printable_json(std::string_view json);

}  // namespace kiln
