// Races of a block's threads in its shared memory.
#pragma once

#include "emulator/checks/thread_clocks.hpp"
#include "emulator/machine/host_bytes.hpp"
#include "emulator/machine/memory_checks.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln::emulator {

/// Two accesses to a byte race where at least one writes, not both are atomic, and nothing orders their threads
/// between. Two things that programs do for good reasons are none: writing the same value, and guessing what a
/// compare-and-swap will find.
class RaceCheck {
 public:
  explicit RaceCheck(Block& block);

  void access(Warp& warp, const Step& step, unsigned lane, std::uint64_t offset, unsigned size, Access access);
  void storing(const StoredValues& values) { storing_ = values; }
  ThreadClocks& clocks() { return clocks_; }

 private:
  struct Visit {
    const Code* code = nullptr;
    const Step* step = nullptr;
    ThreadClocks::Stamp stamp;  // of epoch 0: none
    bool atomic = false;
  };
  // What is remembered of a byte. Readers that come before a later reader need not be.
  struct Byte {
    Visit write;
    std::optional<std::uint8_t> written;  // where the store told it
    std::array<Visit, 2> reads;
  };
  static constexpr std::uint64_t chunk_size = 64;
  using Chunk = std::array<Byte, chunk_size>;

  Byte& byte_at(std::uint64_t offset);
  bool conflict(const Visit& earlier, const Visit& now);
  bool is_guess(const Visit& read);
  std::optional<std::uint8_t> stored(const Warp& warp, unsigned lane, std::uint64_t byte) const;
  void remember_read(Byte& byte, const Visit& visit);
  [[noreturn]] void report(unsigned lane, std::uint64_t offset, unsigned size, Access access, const Visit& earlier,
                           const char* did) const;

  Block& block_;
  ThreadClocks clocks_;
  std::vector<std::unique_ptr<Chunk>> chunks_;  // made when touched
  StoredValues storing_;
  std::map<const Step*, bool> guesses_;  // of loads that were asked about
};

}  // namespace kiln::emulator
