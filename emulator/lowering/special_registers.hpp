// %tid, %clock64 and the like.
#pragma once

#include "emulator/machine/warp.hpp"

#include <cstdint>
#include <string_view>

namespace kiln::emulator {

struct SpecialRegister {
  std::string_view name;  // without %
  unsigned size;          // bytes; 0 of a predicate
  bool same_in_warp;
  std::uint64_t (*value)(const Warp& warp, unsigned lane);
};

/// Null for an unknown name.
const SpecialRegister* special_register(std::string_view name);

/// Makes of a step one that writes the register's values to operand 0, of `size` bytes (0: a predicate).
void read_special(const SpecialRegister& source, unsigned size, Step& step);

}  // namespace kiln::emulator
