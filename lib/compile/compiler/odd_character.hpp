// Characters that look like others, or like nothing, and that no compiler takes: they come with text from web pages.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// A sentence about the first such character of a line of a source, from the byte `from` on: its name, its place and
/// what to write; empty where there is none.
std::string odd_character_text(std::string_view line, int number, std::size_t from);

}  // namespace kiln
