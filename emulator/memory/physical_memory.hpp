// The memory behind the blocks of cuMemCreate.
#pragma once

#include "emulator/memory/shared_pages.hpp"

#include <cstdint>
#include <map>
#include <optional>

namespace kiln::emulator {

/// One file for all blocks, however many there are: a process may open few. Changes need the lock of the owner.
class PhysicalMemory {
 public:
  /// The offset of new bytes, which are zeros. Nothing if the host refuses. Where writes are followed, `unwritten` has
  /// a bit for each byte, at an eighth of the offset, all set at first.
  std::optional<std::uint64_t> allocate(std::uint64_t size, bool follow_writes);
  void release(std::uint64_t offset, std::uint64_t size);

  SharedPages bytes, unwritten;

 private:
  std::uint64_t take_free(std::uint64_t size);
  void add_free(std::uint64_t offset, std::uint64_t size);

  std::uint64_t end_ = 0;
  std::map<std::uint64_t, std::uint64_t> free_;  // sizes by offset; never two side by side
};

}  // namespace kiln::emulator
