// Names of special registers.
#pragma once

#include <string_view>

namespace kiln::emulator::ptx {

/// "%tid", without its component.
bool is_special_name(std::string_view name);

}  // namespace kiln::emulator::ptx
