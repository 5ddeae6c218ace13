// What is wrong with a line of a PTX text whose language is right.
#pragma once

#include "emulator/ptx/module.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln::emulator {

/// The line's text without blanks around it.
std::string_view line_text(std::string_view text, std::size_t line);

/// Throws ptx::ParseError, in ptxas' words.
[[noreturn]] void throw_line_error(const ptx::Module& module, std::size_t line, const std::string& message);

}  // namespace kiln::emulator
