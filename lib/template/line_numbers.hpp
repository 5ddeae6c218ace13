// Lines of a generated text that keep their template's numbers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The generated text's line that begins at `offset` is the template's line `line`, counted from 1.
struct LineMark {
  std::size_t offset;
  std::size_t line;
};

/// The text with a `#line` before each line that the compiler would number otherwise. Marks are in order; a line
/// without one has the number of the line before it, as it belongs to a value of several lines. No `#line` stands
/// within a comment, a raw literal or a line that a backslash continues: the next line that can have one, has it.
std::string with_line_numbers(std::string_view text, const std::vector<LineMark>& marks);

}  // namespace kiln
