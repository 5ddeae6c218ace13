// Lines of CUDA source, for reports.
#pragma once

#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace kiln::emulator {

/// The line of a source file; nothing if it cannot be found. Kiln appends the source as comments to the PTX that it
/// makes for the emulator: a line "//kiln-source <name>", then "//|<text>" for each line, where <name> is the .file's
/// name. Other files are read from disk by their .file name. Thread-safe.
std::optional<std::string> source_line(const ptx::Module& module, std::uint32_t file, std::uint32_t line);

}  // namespace kiln::emulator
