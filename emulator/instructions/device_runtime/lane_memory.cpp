#include "emulator/instructions/device_runtime/lane_memory.hpp"

#include "emulator/machine/host_bytes.hpp"
#include "emulator/memory/relaxed_values.hpp"

#include <cstring>

namespace kiln::emulator {

std::byte* LaneMemory::host(std::uint64_t generic_address, unsigned size, Access access) const {
  const Step& call = warp_.frame().code->steps[warp_.current().pc - 1];
  return host_bytes(warp_, call, lane_, ptx::Space::generic, generic_address, size, access);
}

void LaneMemory::read(std::uint64_t generic_address, void* to, unsigned size) const {
  const std::byte* const from = host(generic_address, size, Access::read);
  for (unsigned i = 0; i < size; ++i) {
    const std::uint8_t byte = relaxed_load(reinterpret_cast<const std::uint8_t*>(from + i));
    std::memcpy(static_cast<std::byte*>(to) + i, &byte, 1);
  }
}

void LaneMemory::write(std::uint64_t generic_address, const void* from, unsigned size) const {
  std::byte* const to = host(generic_address, size, Access::write);
  for (unsigned i = 0; i < size; ++i)
    relaxed_store(reinterpret_cast<std::uint8_t*>(to + i), static_cast<const std::uint8_t*>(from)[i]);
}

std::string LaneMemory::text(std::uint64_t generic_address) const {
  std::string all;
  while (const char next = value<char>(generic_address + all.size())) all += next;
  return all;
}

}  // namespace kiln::emulator
