// Texts of others in messages, truncated to a length that a person reads; never inside a character (UTF-8).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// The text; of one with more than `most` bytes its beginning, and how many bytes were left out: "abc... (70 more
/// bytes)".
std::string bounded(std::string_view text, std::size_t most);

/// "... (70 more bytes)", or with the place where they are "... (70 more bytes: CompileError::log() has all)".
std::string left_out_text(std::size_t bytes, std::string_view whole = {});

/// The part of a line, some `width` bytes of it, around the byte `middle`; with "..." where something is left out.
struct Excerpt {
  std::string text;
  std::size_t middle;  // in the text
};
Excerpt excerpt(std::string_view line, std::size_t middle, std::size_t width);

}  // namespace kiln
