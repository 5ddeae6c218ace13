// Data races in the shared memory of a block.
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

/// Two accesses to a byte race if at least one of them writes, they are not both atomic, and nothing orders their
/// threads in between. Two patterns that programs use on purpose are not reported: writing the value that is already
/// there, and the plain load before a compare-and-swap loop.
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
    ThreadClocks::Stamp stamp;  // epoch 0: no visit
    bool atomic = false;
  };
  // The latest accesses to a byte. A reader that is ordered before a later one is dropped.
  struct Byte {
    Visit write;
    std::optional<std::uint8_t> written;  // if known
    std::array<Visit, 2> reads;
  };
  static constexpr std::uint64_t chunk_size = 64;
  using Chunk = std::array<Byte, chunk_size>;

  Byte& byte_at(std::uint64_t offset);
  bool conflict(const Visit& earlier, const Visit& now);
  bool is_cas_loop_read(const Visit& read);
  std::optional<std::uint8_t> stored(const Warp& warp, unsigned lane, std::uint64_t byte) const;
  void remember_read(Byte& byte, const Visit& visit);
  [[noreturn]] void report(unsigned lane, std::uint64_t offset, unsigned size, Access access, const Visit& earlier,
                           const char* did) const;

  Block& block_;
  ThreadClocks clocks_;
  std::vector<std::unique_ptr<Chunk>> chunks_;  // allocated at the first access
  StoredValues storing_;
  std::map<const Step*, bool> cas_loop_loads_;  // results of is_cas_loop_load
};

}  // namespace kiln::emulator
