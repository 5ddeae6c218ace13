// What a variable holds at first: "= 5", "= {1, {2, 3}}", "= generic(x) + 4", "= {0xFF(x), 0xFF00(x)}".
#pragma once

#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/module.hpp"
#include "emulator/ptx/scopes.hpp"

#include <cstdint>
#include <vector>

namespace kiln::emulator::ptx {

/// Reads it behind the "=", into data and relocations. `dimensions` are the array's, the first may be 0 (none given);
/// returns how many elements there are in all.
std::uint64_t initial_value(Cursor& at, Variable& variable, std::vector<std::uint64_t> dimensions, Scopes& scopes);

}  // namespace kiln::emulator::ptx
