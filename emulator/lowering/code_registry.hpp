// Function pointers: the functions of all loaded images, by number.
#pragma once

#include "emulator/machine/code.hpp"

namespace kiln::emulator {

/// Assigns the code its number. Thread-safe.
void register_code(Code& code);
/// The number is not used again.
void unregister_code(const Code& code) noexcept;
/// The value of a function pointer to it.
std::uint64_t address_of(const Code& code);
/// The function that a pointer refers to, in any loaded image; null for any other value.
const Code* code_at(std::uint64_t address);

}  // namespace kiln::emulator
