// The barriers of a block: 16, and one for the cluster.
#pragma once

#include "emulator/machine/block.hpp"

#include <array>
#include <optional>
#include <vector>

namespace kiln::emulator {

class Barriers {
 public:
  explicit Barriers(Block& block) : block_(block) {}
  void restart();

  struct Arrival {
    std::uint32_t number = 0;
    std::uint32_t threads = 0;  // 0: all of the block
    bool waits = true;
  };
  struct Reduced {
    Block::Reduction op = Block::Reduction::popc;
    LaneMask predicate = 0;
    Slot destination;
  };
  void arrive(Warp& warp, LaneMask active, Arrival arrival, const std::optional<Reduced>& reduced);
  void wait(Warp& warp, LaneMask active, std::uint32_t number);
  /// Threads have exited: barriers of the whole block wait for fewer.
  void threads_left();
  /// The barrier of a cluster of several blocks: whether no thread of this block is awaited, and its completion.
  bool all_arrived_at_cluster() const;
  void complete_cluster();

 private:
  struct Waiting {
    Warp* warp;
    LaneMask lanes;
    std::optional<Reduced> reduced;
  };
  struct Barrier {
    bool used = false;
    std::uint32_t threads = 0;
    std::vector<LaneMask> arrived;  // of each warp
    std::uint32_t again = 0;        // further arrivals of threads that arrived before
    std::uint32_t popc = 0;         // threads whose predicate was true
    std::uint32_t with_predicate = 0;
    std::vector<Waiting> waiting;
  };

  bool is_of_cluster(const Barrier& barrier) const;
  bool is_complete(const Barrier& barrier) const;
  void complete(Barrier& barrier);
  void tell_watchers(const Barrier& barrier);

  Block& block_;
  std::array<Barrier, Block::barrier_count + 1> barriers_;
};

}  // namespace kiln::emulator
