// The functions of all loaded images, by number.
#pragma once

#include "emulator/machine/code.hpp"

namespace kiln::emulator {

/// Gives the code its number. Thread-safe.
void register_code(Code& code);
/// Its number is not used again.
void unregister_code(const Code& code) noexcept;
/// Of a function pointer.
std::uint64_t address_of(const Code& code);

}  // namespace kiln::emulator
