// The error of a compile that was called off.
#pragma once

#include "base/stop.hpp"

#include <chrono>
#include <string>

namespace kiln {

/// Throws the CompileStopped for the source of that name, whose stop is due; after so long, where a compiler was at
/// work on it.
[[noreturn]] void throw_stopped(const std::string& name, const Stop& stop, std::chrono::nanoseconds elapsed = {},
                                const std::string& kept_folder = {});

}  // namespace kiln
