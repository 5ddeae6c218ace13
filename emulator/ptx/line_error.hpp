// Errors found after parsing, reported with the line as ptxas does.
#pragma once

#include "emulator/ptx/module.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

/// The text of the line, without leading and trailing blanks.
std::string_view line_text(std::string_view text, std::size_t line);

/// Throws ptx::ParseError, worded as ptxas words it, with the places in the CUDA source below.
[[noreturn]] void throw_line_error(const ptx::Module& module, std::size_t line, const std::string& message,
                                   const std::vector<std::string>& source_places = {});

}  // namespace kiln::emulator
