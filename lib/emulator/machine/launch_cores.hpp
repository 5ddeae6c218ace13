// The blocks of one launch, given to the cores that work for it.
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

  /// What one core does until no block is left. Several threads call it. Never throws.
  void work() noexcept;
  LaunchOutcome outcome() const { return outcome_; }

 private:
  using Blocks = std::vector<std::unique_ptr<Block>>;

  bool take_in(Blocks& blocks);
  bool next_index(Dim3& index);
  void run_blocks(Blocks& blocks);
  bool run_turn(Block& block, std::uint64_t slices);
  bool has_room(const Blocks& blocks) const;
  /// Ends the launch where it has had its time.
  void check_time(const Block& block);
  void fail(CUresult result, std::string report);

  LaunchState& state_;
  const LaunchRequest& request_;
  const std::uint64_t block_count_;
  std::atomic<std::uint64_t> next_block_{0};
  std::uint64_t most_blocks_ = 0;  // a core has at once
  std::chrono::steady_clock::time_point end_;
  std::mutex mutex_;
  LaunchOutcome outcome_;
};

}  // namespace kiln::emulator
