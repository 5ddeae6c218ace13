// The places of the variables of an image.
#pragma once

#include "emulator/lowering/shared_layout.hpp"
#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <map>

namespace kiln::emulator {

struct ImageSymbols {
  std::map<const ptx::Variable*, std::uint64_t> addresses;  // of global and constant variables
  SharedLayout shared;
};

}  // namespace kiln::emulator
