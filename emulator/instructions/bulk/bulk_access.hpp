// The memory that a bulk copy of one lane reads and writes.
#pragma once

#include "emulator/instructions/memory/atomic_update.hpp"
#include "emulator/machine/host_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace kiln::emulator {

/// Every access is checked, and reported to the checks and the profile, as loads and stores of up to 16 bytes.
class BulkAccess {
 public:
  BulkAccess(const Step& step, Warp& warp, unsigned lane) : step_(step), warp_(warp), lane_(lane) {}

  void read(ptx::Space space, std::uint64_t address, std::byte* to, std::uint64_t size);
  void write(ptx::Space space, std::uint64_t address, const std::byte* from, std::uint64_t size);
  /// A reduction with each of the values.
  void update(ptx::Space space, std::uint64_t address, const std::byte* values, std::uint64_t size,
              const AtomicRow& operation);

  /// Calls copy(target, barrier) with the same two places in the shared memory of each block of the cluster that the
  /// mask names. Throws Fault if there is no such block.
  template <class Copy>
  void in_blocks(std::uint16_t mask, std::uint64_t target, std::uint64_t barrier, Copy copy) {
    for (unsigned rank = 0; rank < 16; ++rank)
      if ((mask >> rank & 1) != 0) copy(in_block(target, rank), in_block(barrier, rank));
  }

  [[noreturn]] void stop(CUresult code, const std::string& text) const { throw Fault(code, lane_, text); }
  /// Stops the kernel with "WHAT 0x10 is no multiple of 16".
  void require_multiple(const char* what, std::uint64_t value, std::uint64_t of) const;

  const Step& step() const { return step_; }
  Warp& warp() { return warp_; }
  unsigned lane() const { return lane_; }
  template <class T>
  T value(Slot slot) const {
    return warp_.in<T>(slot)[lane_];
  }

 private:
  std::uint64_t in_block(std::uint64_t address, unsigned rank);
  std::byte* whole(ptx::Space space, std::uint64_t address, std::uint64_t size, Access access);
  template <class Use>
  void pieces(ptx::Space space, std::uint64_t address, std::uint64_t size, Access access, Use use);

  const Step& step_;
  Warp& warp_;
  const unsigned lane_;
};

}  // namespace kiln::emulator
