// The blocks of a cluster: resident together, and run in turn by one host thread.
#pragma once

#include "emulator/machine/block.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace kiln::emulator {

/// In a launch without clusters each block is a cluster of its own.
class Cluster {
 public:
  /// `number` counts the clusters of the grid, in the order of %clusterid.
  Cluster(LaunchState& launch, std::uint64_t number);
  /// Becomes another cluster of the same launch, and reuses its memory.
  void restart(std::uint64_t number);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// In the order of %cluster_ctarank.
  const std::vector<std::unique_ptr<Block>>& blocks() const { return blocks_; }

  /// Runs a slice of each warp of each block. False when all threads have exited. Throws Fault.
  bool run_slice();
  /// The block that ran last: if run_slice() throws, the faulty one.
  const Block& running() const { return *running_; }
  /// A deadlock: every warp of every block waits.
  bool stuck() const;

  /// A block's threads have arrived at the barrier of the cluster, or exited: completes it if no other is awaited.
  void complete_barrier_if_all_arrived();

 private:
  std::vector<std::unique_ptr<Block>> blocks_;
  const Block* running_ = nullptr;
};

}  // namespace kiln::emulator
