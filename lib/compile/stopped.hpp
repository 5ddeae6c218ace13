// The error of a compile that was ended.
#pragma once

#include "base/stop.hpp"

#include <string>

namespace kiln {

/// Throws CompileStopped for the source of that name, whose stop is due.
[[noreturn]] void throw_stopped(const std::string& name, const Stop& stop);

}  // namespace kiln
