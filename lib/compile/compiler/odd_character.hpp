// Characters that look like others, or like nothing, and that no compiler takes: they come with text from web pages.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// A sentence about the first such character of a line of a source, from the byte `from` on: its name, its place and
/// what to write; empty where there is none.
std::string odd_character_text(std::string_view line, int number, std::size_t from);

/// What is wrong with a text that holds a zero byte, where a compiler would stop reading: that it is UTF-16, or the
/// byte's line and place in it. `title` names the text.
std::string zero_byte_text(const std::string& title, std::string_view text);

}  // namespace kiln
