// Stores a struct with the modifiers of an instruction in Step::small. Its members are single bytes.
#pragma once

#include "emulator/machine/step.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace kiln::emulator {

template <class Mode>
void set_small(Step& step, const Mode& mode) {
  const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof mode>>(mode);
  std::copy(bytes.begin(), bytes.end(), step.small);
}

}  // namespace kiln::emulator
