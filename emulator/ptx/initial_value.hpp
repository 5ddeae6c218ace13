// Initial values of variables: "= 5", "= {1, {2, 3}}", "= generic(x) + 4", "= {0xFF(x), 0xFF00(x)}".
#pragma once

#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/module.hpp"
#include "emulator/ptx/scopes.hpp"

#include <cstdint>
#include <vector>

namespace kiln::emulator::ptx {

/// Reads an initial value behind the "=" into data and relocations. The first of the array's `dimensions` may be 0 (not
/// given). Returns the number of elements.
std::uint64_t initial_value(Cursor& at, Variable& variable, std::vector<std::uint64_t> dimensions, Scopes& scopes);

}  // namespace kiln::emulator::ptx
