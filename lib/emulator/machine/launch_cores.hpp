// Distributes the blocks of one launch over cores.
#pragma once

#include "emulator/machine/block.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace kiln::emulator {

class LaunchCores {
 public:
  explicit LaunchCores(LaunchState& state);

  /// Runs blocks on the calling thread until none is left. Called by several threads. Never throws.
  void work() noexcept;
  LaunchOutcome outcome() const { return outcome_; }

 private:
  using Blocks = std::vector<std::unique_ptr<Block>>;

  bool add_block(Blocks& blocks);
  bool take_next_index(Dim3& index);
  void run_blocks(Blocks& blocks);
  bool run_slices(Block& block, std::uint64_t slices);
  bool has_room(const Blocks& blocks) const;
  /// Ends the launch if it has reached the time limit.
  void check_time(const Block& block);
  void fail(CUresult result, std::string report);

  LaunchState& state_;
  const LaunchRequest& request_;
  const std::uint64_t block_count_;
  std::atomic<std::uint64_t> next_block_{0};
  std::uint64_t most_blocks_ = 0;  // that a core runs at the same time
  std::chrono::steady_clock::time_point end_;
  std::mutex mutex_;
  LaunchOutcome outcome_;
};

}  // namespace kiln::emulator
