// Vector clocks of blocks, of a fixed size: what each block knows of the others.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

namespace kiln::emulator {

/// Times are counted for the whole launch. Blocks whose numbers differ by a multiple of the number of slots share one:
/// what is known of the later one counts as known of the others, too.
class BlockTimes {
 public:
  void learn(const BlockTimes& other) {
    for (std::size_t i = 0; i < slots; ++i) times_[i] = std::max(times_[i], other.times_[i]);
  }
  void learn(std::uint32_t block, std::uint32_t time) {
    std::uint32_t& known = times_[block % slots];
    known = std::max(known, time);
  }
  bool knows(std::uint32_t block, std::uint32_t time) const { return times_[block % slots] >= time; }

 private:
  static constexpr std::size_t slots = 256;
  std::array<std::uint32_t, slots> times_{};
};

/// What blocks have released to places in memory, for those that read there. Thread-safe.
class ReleasedTimes {
 public:
  using Times = std::shared_ptr<const BlockTimes>;

  void release(std::uint64_t address, const Times& times);
  /// Adds what has been released there, and to places that are forgotten.
  void acquire(std::uint64_t address, BlockTimes& known) const;

 private:
  // Beyond this number the oldest place is forgotten: what was released there counts as known to all.
  static constexpr std::size_t most_places = 4096;
  // Atomics of different sizes may meet at one place.
  static constexpr unsigned place_bits = 3;

  std::atomic<bool> is_empty_{true};
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Times> released_;
  std::deque<std::uint64_t> order_;
  BlockTimes forgotten_;
};

}  // namespace kiln::emulator
