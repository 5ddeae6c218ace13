// Data races in global memory, between blocks and within one.
#pragma once

#include "emulator/checks/race_check.hpp"
#include "emulator/machine/block.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

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

/// An access to some of the four bytes of a cell.
struct GlobalVisit {
  std::uint32_t block = 0;  // its number in the grid
  std::uint32_t time = 0;   // of the block; 0: no visit
  std::uint32_t epoch = 0, thread_time = 0;
  std::uint32_t place = 0;  // in GridRaces
  std::uint16_t thread = 0;
  std::uint8_t bytes = 0;  // a bit for each
};

/// The latest visits of four bytes.
struct GlobalCell {
  GlobalVisit write;
  std::uint32_t written = 0;     // the values of its bytes
  std::uint8_t known_bytes = 0;  // whose values are known
  std::array<GlobalVisit, 2> reads;
};

/// What all blocks of a launch share. Bounded: of the pages that have been accessed, the latest. Thread-safe.
class GridRaces {
 public:
  static constexpr std::uint64_t cell_bytes = 4;

  std::uint32_t next_time() { return ++time_; }
  ReleasedTimes& released() { return released_; }
  /// The place of an instruction, for reports.
  std::uint32_t place_of(const Code& code, const Step& step);
  std::pair<const Code*, const Step*> place(std::uint32_t number) const;

  /// Calls use(the cell of the address), which nobody else has meanwhile.
  template <class Use>
  void at(std::uint64_t address, Use use) {
    Shard& shard = shard_of(address);
    const std::lock_guard lock(shard.mutex);
    use(cell_in(shard, address));
  }
  /// The memory has another use now.
  void forget(std::uint64_t address, std::uint64_t size);

 private:
  static constexpr std::uint64_t page_bytes = 4096;
  static constexpr std::size_t shard_count = 64, pages_of_shard = 32;  // together 8 MiB of device memory
  using Page = std::array<GlobalCell, page_bytes / cell_bytes>;
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages;
    std::deque<std::uint64_t> order;
  };
  Shard& shard_of(std::uint64_t address) { return shards_[address / page_bytes % shards_.size()]; }
  static GlobalCell& cell_in(Shard& shard, std::uint64_t address);

  std::atomic<std::uint32_t> time_{0};
  ReleasedTimes released_;
  std::array<Shard, shard_count> shards_;
  mutable std::mutex places_mutex_;
  std::unordered_map<const Step*, std::uint32_t> numbers_;
  std::vector<std::pair<const Code*, const Step*>> places_;
};

/// The part of one block. Two plain accesses to a byte race if at least one of them writes, and nothing orders them:
/// within the block its clocks; between blocks a fence, then an atomic or volatile access, which the other block meets
/// by one of its own. That reading block needs no fence, which is more than the memory model promises. Not reported:
/// atomic and volatile accesses, and two writes of one value, or of values that are not known.
class BlockRaces {
 public:
  BlockRaces(Block& block, std::shared_ptr<GridRaces> grid, ThreadClocks& clocks);

  /// `race` knows the values of stores.
  void plain_access(const RaceCheck& race, const Warp& warp, const Step& step, unsigned lane, std::uint64_t address,
                    unsigned size, Access access);
  /// Atomic or volatile.
  void strong_access(std::uint64_t address, Access access);
  void fence();
  void meet(BlockRaces& other);
  GridRaces& grid() { return *grid_; }

 private:
  static constexpr std::size_t most_watched = 64;
  struct Now {
    GlobalVisit visit;
    unsigned lane;
    std::uint64_t address;
    unsigned size;
    Access access;
  };
  bool is_behind(const GlobalVisit& earlier, const Now& now);
  void read(GlobalCell& cell, const Now& now);
  void write(GlobalCell& cell, const Now& now, std::uint32_t value, std::uint8_t known_bytes);
  void catch_up();
  bool is_reported(std::uint64_t address) const;
  [[noreturn]] void report(const Now& now, const GlobalVisit& earlier, const char* did) const;
  std::uint32_t place_of(const Code& code, const Step& step);

  Block& block_;
  std::shared_ptr<GridRaces> grid_;
  ThreadClocks& clocks_;
  std::uint32_t number_;
  std::uint32_t time_;
  BlockTimes known_;
  ReleasedTimes::Times fenced_;        // what a release gives; null before the first fence
  std::deque<std::uint64_t> watched_;  // places that were read by strong accesses
  const Step* last_step_ = nullptr;
  std::uint32_t last_place_ = 0;
};

}  // namespace kiln::emulator
