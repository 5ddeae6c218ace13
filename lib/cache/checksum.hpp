// Fast hashes that are no digests: against damage and for tables, never against intent.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace kiln {

/// XXH3 of 128 bits in its canonical byte order. It stands in every file of the cache instead of a SHA-256 because a
/// look-up verifies all it reads: a cubin of 124 KB takes 10 us by this, and by SHA-256 on a CPU without SHA
/// instructions 0.3 ms, which is all that a warm start may cost. Neither is authentication: who can write the file can
/// write the checksum.
using Checksum = std::array<std::uint8_t, 16>;
Checksum checksum(std::string_view bytes) noexcept;

/// The same over pieces of what is too large for the memory. Not to be shared between threads.
class RunningChecksum {
 public:
  RunningChecksum();
  ~RunningChecksum();
  RunningChecksum(const RunningChecksum&) = delete;
  RunningChecksum& operator=(const RunningChecksum&) = delete;
  void update(std::string_view bytes) noexcept;
  /// Of all bytes so far.
  Checksum value() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// For hash tables within a process.
std::uint64_t fast_hash(std::string_view bytes) noexcept;

}  // namespace kiln
