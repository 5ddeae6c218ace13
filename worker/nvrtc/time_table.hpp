// The table of times that NVRTC writes where `--time` asks for it.
#pragma once

#include "compile/compiler/compiler_times.hpp"

#include <string_view>

namespace kiln {

/// Adds the phases that the table has, each as the sum of its lines. What is no such line is left out.
void read_time_table(std::string_view text, CompilerTimes& times);

}  // namespace kiln
