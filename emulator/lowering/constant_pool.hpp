// The constants of a function, each stored for 32 lanes, like a register.
#pragma once

#include "emulator/machine/lanes.hpp"
#include "emulator/machine/step.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace kiln::emulator {

class ConstantPool {
 public:
  explicit ConstantPool(std::vector<std::byte>& bytes) : bytes_(bytes) {}

  /// The place of a constant of `size` bytes. Equal values share a place.
  Slot add(std::uint64_t bits, unsigned size) {
    const auto [place, is_new] = known_.try_emplace({bits, size}, static_cast<std::uint32_t>(bytes_.size()));
    if (is_new) {
      bytes_.resize(bytes_.size() + std::size_t{size} * warp_size);
      for (unsigned lane = 0; lane < warp_size; ++lane)
        std::memcpy(bytes_.data() + place->second + std::size_t{lane} * size, &bits, size < 8 ? size : 8);
    }
    return {place->second | Slot::constant_bit};
  }
  Slot add_mask(bool on) { return add(on ? all_lanes : 0u, sizeof(LaneMask)); }

 private:
  std::vector<std::byte>& bytes_;
  std::map<std::pair<std::uint64_t, unsigned>, std::uint32_t> known_;
};

}  // namespace kiln::emulator
