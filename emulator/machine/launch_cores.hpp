// Distributes the clusters of one launch over cores; without clusters, its blocks.
#pragma once

#include "emulator/machine/cluster.hpp"

#include <atomic>
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
  using Clusters = std::vector<std::unique_ptr<Cluster>>;

  bool add_cluster(Clusters& clusters);
  bool take_next_number(std::uint64_t& number);
  void run_clusters(Clusters& clusters);
  bool run_slices(Cluster& cluster, std::uint64_t slices);
  bool has_room(const Clusters& clusters) const;
  /// Ends the launch if it has reached the time limit.
  void check_time(Cluster& cluster);
  void fail(CUresult result, std::string report);

  LaunchState& state_;
  const LaunchRequest& request_;
  const std::uint64_t cluster_size_, cluster_count_;
  std::atomic<std::uint64_t> next_cluster_{0};
  std::uint64_t most_blocks_ = 0;  // that a core runs at the same time
  std::mutex mutex_;
  LaunchOutcome outcome_;
};

}  // namespace kiln::emulator
