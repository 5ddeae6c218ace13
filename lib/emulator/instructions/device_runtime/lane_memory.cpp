#include "emulator/instructions/control/lane_memory.hpp"

#include "emulator/machine/host_bytes.hpp"
#include "emulator/memory/relaxed_values.hpp"

#include <cstring>

namespace kiln::emulator {

void LaneMemory::read(std::uint64_t generic_address, void* to, unsigned size) const {
  const Step& call = warp_.frame().code->steps[warp_.current().pc - 1];
  const std::byte* const from =
      host_bytes(warp_, call, lane_, ptx::Space::generic, generic_address, size, Access::read);
  for (unsigned i = 0; i < size; ++i) {
    const std::uint8_t byte = relaxed_load(reinterpret_cast<const std::uint8_t*>(from + i));
    std::memcpy(static_cast<std::byte*>(to) + i, &byte, 1);
  }
}

std::string LaneMemory::text(std::uint64_t generic_address) const {
  std::string all;
  while (const char next = value<char>(generic_address + all.size())) all += next;
  return all;
}

}  // namespace kiln::emulator
