// One block of a grid: its warps, its shared memory, its barriers. One host thread runs it at a time.
#pragma once

#include "emulator/machine/launch.hpp"
#include "emulator/machine/warp.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace kiln::emulator {

class Barriers;
class BlockProfile;
class Cluster;
class DivergenceCheck;
class GridRaces;  // races in global memory
class GridTree;
struct Grid;  // a place in the tree of launches by kernels
class LaunchProfile;
class MemoryChecks;  // races and uninitialised reads

class ExecutedSteps;

/// What all blocks of a launch share.
struct LaunchState {
  const LaunchRequest* request = nullptr;
  std::uint64_t cooperative_workspace = 0;  // high word %envreg1, low %envreg2; 0 for other launches
  std::uint64_t grid_number = 0;            // %gridid
  std::atomic<bool> stop{false};            // set by a fault or the time limit: every warp stops soon
  std::unique_ptr<LaunchProfile> profile;   // null unless Settings ask for it
  std::atomic<Grid*> grid{nullptr};         // null until the kernel uses the device runtime: see grid_of()
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();

  /// Output of the kernel's printf, written in order, and at the latest when the launch ends. Thread-safe.
  void print(const std::string& text);
  struct Output;
  std::shared_ptr<Output> output;
  std::shared_ptr<GridRaces> races;  // null unless Settings ask for it
  /// Of a launch by the host, which has a time limit if Settings say so.
  explicit LaunchState(const LaunchRequest& of);
  /// Of a launch by a kernel of `root`, whose deadline and output it shares.
  LaunchState(const LaunchRequest& of, const LaunchState& root, Grid& in_tree);
  ~LaunchState();

 private:
  friend Grid& grid_of(LaunchState& launch);
  std::mutex mutex_;
  std::shared_ptr<GridTree> own_tree_;  // of a launch by the host
};

class Block {
 public:
  Block(LaunchState& launch, Dim3 index);
  ~Block();
  /// Becomes another block of the same launch, and reuses its memory.
  void restart(Dim3 index);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  LaunchState& launch() { return launch_; }
  const LaunchState& launch() const { return launch_; }
  const LaunchRequest& request() const { return *launch_.request; }
  Dim3 index() const { return index_; }                // %ctaid
  Dim3 thread(const Warp& warp, unsigned lane) const;  // %tid

  std::byte* shared() { return shared_.data(); }
  std::uint64_t shared_size() const { return shared_.size(); }  // static + dynamic
  std::uint32_t dynamic_shared_offset() const { return dynamic_shared_offset_; }
  /// Offset of the reserved shared memory after all other, if the kernel uses it.
  std::uint32_t reserved_shared_offset() const { return reserved_shared_offset_; }
  static constexpr std::uint32_t reserved_shared_size = 1024;
  /// The launch's parameters: param space of the entry.
  const std::byte* params() const { return request().params.data(); }
  MemoryChecks* checks() { return checks_.get(); }             // null unless Settings ask for it
  DivergenceCheck* divergence() { return divergence_.get(); }  // the same
  BlockProfile* profile() { return profile_.get(); }           // the same
  /// Counts the steps of all threads from now on. The counts must outlive the block's run.
  void count_steps(ExecutedSteps& counts);
  ExecutedSteps* executed_steps() { return executed_steps_; }  // usually null
  /// One flag for all who want to know, so that it costs one branch where nobody does.
  bool watches_accesses() const { return watches_accesses_; }
  bool watches_barriers() const { return watches_barriers_; }

  /// Runs a slice of each warp. False when all threads have exited. Throws Fault.
  bool run_slice();
  /// The warp that ran last: if run_slice() throws, the faulty one.
  const Warp& running() const { return *running_; }
  /// A deadlock: every warp waits at a barrier or for lanes.
  bool stuck() const;
  const std::vector<std::unique_ptr<Warp>>& warps() const { return warps_; }

  static constexpr std::uint32_t barrier_count = 16, cluster_barrier = barrier_count;
  /// bar, barrier: the active lanes arrive at barrier `number` (0-15), which waits for `threads` threads (0: the whole
  /// block). Waiting lanes go on after the step when it is complete.
  void arrive(Warp& warp, LaneMask active, std::uint32_t number, std::uint32_t threads, bool wait);
  /// Lanes that arrived without waiting wait now, unless the barrier has completed since.
  void wait(Warp& warp, LaneMask active, std::uint32_t number);
  /// barrier.red: as arrive with wait. `predicate` has the bits of the active lanes. The result is written to the
  /// destination (a predicate for and, or; a u32 for popc) of every waiting lane.
  enum class Reduction : std::uint8_t { popc, all, any };
  void arrive_reduce(Warp& warp, LaneMask active, std::uint32_t number, std::uint32_t threads, Reduction op,
                     LaneMask predicate, Slot destination);
  /// The warp comes to a wgmma.mma_async, to which the four warps of its warp group must all come. Throws Fault if one
  /// of them never will, and, when they have ended, if one did not.
  void count_group_step(const Warp& warp);
  static constexpr std::uint32_t group_warps = 4;
  /// Some threads of a warp have exited.
  void threads_left();

  // Clusters. A block that is alone in its cluster has none, and the rank 0.
  void join(Cluster& cluster, std::uint32_t rank);
  Cluster* cluster() { return cluster_; }
  const Cluster* cluster() const { return cluster_; }
  std::uint32_t cluster_rank() const { return cluster_rank_; }  // %cluster_ctarank
  /// The block of the own cluster with that rank, also itself. Null beyond the cluster, and if it has exited.
  Block* peer(std::uint32_t rank);
  /// Whether all threads have exited. Always false outside of clusters.
  bool has_exited() const { return has_exited_; }
  /// The bytes at a shared address that names a rank. Null if there are none, or the block has exited.
  std::byte* peer_shared(std::uint64_t address, unsigned size);
  /// Whether this host address is in the shared memory of a block of the cluster.
  bool is_of_peer(std::uint64_t host_address) const;
  /// For Cluster: whether no thread is awaited at the barrier of the cluster.
  bool has_arrived_at_cluster_barrier() const;
  void complete_cluster_barrier();

 private:
  void make_checks();
  void check_group_of(const Warp& warp) const;

  LaunchState& launch_;
  Dim3 index_;
  std::vector<std::byte> shared_;
  std::uint32_t dynamic_shared_offset_ = 0;
  std::uint32_t reserved_shared_offset_ = 0;
  std::vector<std::unique_ptr<Warp>> warps_;
  const Warp* running_ = nullptr;
  std::unique_ptr<MemoryChecks> checks_;
  std::unique_ptr<DivergenceCheck> divergence_;
  std::unique_ptr<BlockProfile> profile_;
  bool watches_accesses_ = false, watches_barriers_ = false;
  std::unique_ptr<Barriers> barriers_;
  Cluster* cluster_ = nullptr;
  std::uint32_t cluster_rank_ = 0;
  bool has_exited_ = false;
  std::vector<std::uint32_t> group_steps_;  // of each warp; empty before the first
  ExecutedSteps* executed_steps_ = nullptr;
};

}  // namespace kiln::emulator
