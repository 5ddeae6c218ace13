// What the emulator says on standard error.
#pragma once

#include <string>

namespace kiln::emulator {

/// Writes "kiln emulator: <text>" to standard error, unless KILN_LOG=off. Never throws. Thread-safe.
void log(const std::string& text) noexcept;

}  // namespace kiln::emulator
