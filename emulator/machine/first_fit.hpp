// Allocation of byte ranges, some of which may overlap.
#pragma once

#include <cstdint>
#include <vector>

namespace kiln::emulator {

struct ByteRange {
  std::uint64_t offset = 0, size = 0;
  std::uint64_t end() const { return offset + size; }
};

/// The lowest aligned offset at which `size` bytes overlap none of `taken`.
std::uint64_t first_fit(std::uint64_t size, std::uint64_t alignment, std::vector<ByteRange> taken);

}  // namespace kiln::emulator
