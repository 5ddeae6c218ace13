// The functions of all loaded images, by number.
#pragma once

#include "emulator/machine/code.hpp"

namespace kiln::emulator {

/// Gives the code its number. Thread-safe.
void register_code(Code& code);
/// Its number is not used again.
void unregister_code(const Code& code) noexcept;
/// What a function pointer to it is.
std::uint64_t address_of(const Code& code);
/// The function that a function pointer is for, of any loaded image; null where there is none.
const Code* code_at(std::uint64_t address);

}  // namespace kiln::emulator
