// Checksums by XXH3: whether bytes are still those that were written. What a content is known by is its digest.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace kiln {

/// XXH3 of 128 bits in its canonical byte order. It guards against damage, not against intent. A look-up reads, and
/// therefore checks, all of an entry: 10 us for a cubin of 124 KB, where SHA-256 takes 0.1 to 0.4 ms.
struct Checksum {
  std::array<std::uint8_t, 16> bytes = {};
  std::string_view view() const noexcept { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
  friend bool operator==(const Checksum&, const Checksum&) = default;
};

Checksum checksum_of(std::string_view bytes) noexcept;

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
