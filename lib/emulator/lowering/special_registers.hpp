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

/// A handler: the data of the step is a SpecialRegister, whose values are written to operand 0, of small[0] bytes (0: a
/// predicate).
void read_special(const Step& step, Warp& warp, LaneMask active);

}  // namespace kiln::emulator
