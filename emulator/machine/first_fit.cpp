#include "emulator/machine/first_fit.hpp"

#include "emulator/core/aligned.hpp"

#include <algorithm>

namespace kiln::emulator {

std::uint64_t first_fit(std::uint64_t size, std::uint64_t alignment, std::vector<ByteRange> taken) {
  std::sort(taken.begin(), taken.end(), [](const ByteRange& a, const ByteRange& b) { return a.offset < b.offset; });
  std::uint64_t offset = 0;
  for (const ByteRange& each : taken) {
    if (offset + size <= each.offset) break;
    offset = std::max(offset, aligned(each.end(), alignment));
  }
  return offset;
}

}  // namespace kiln::emulator
