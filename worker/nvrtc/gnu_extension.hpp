// What nvcc's host compilers take beyond C++, and nvcc with them, but NVRTC does not.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// The first such extension that the text uses, in words for a message; empty if there is none. For a text that NVRTC
/// refused: a few uses are only likely, such as of a compound literal.
std::string gnu_extension(std::string_view text);

/// Of an error of NVRTC's log: what it refuses where nvcc would take it, in words for a message; empty for another.
std::string refused_extension(std::string_view nvrtc_error);

}  // namespace kiln
