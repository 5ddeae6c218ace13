// The text of CUDA source lines, for reports.
#pragma once

#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace kiln::emulator {

/// Kiln ends the PTX it makes for the emulator with the source it came from, in comments: a line "//kiln-source
/// <name>", then "//|<text>" for each line, where <name> is the .file's name. Other files are read from disk, by their
/// .file name. Null where neither has it. Thread-safe.
std::optional<std::string> source_line(const ptx::Module& module, std::uint32_t file, std::uint32_t line);

}  // namespace kiln::emulator
