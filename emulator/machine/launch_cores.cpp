#include "emulator/machine/launch_cores.hpp"

#include "emulator/machine/executed_steps.hpp"
#include "emulator/machine/fault_report.hpp"

#include <algorithm>
#include <limits>
#include <new>

namespace kiln::emulator {
namespace {

// The capacity of a multiprocessor.
constexpr std::uint64_t most_resident_blocks = 32, most_resident_threads = 2048, most_resident_shared = 228 * 1024;
// Slices that a cluster runs before another one runs. One that takes longer may wait for another one.
constexpr std::uint64_t usual_slices = 64, fewest_slices = 1;

}  // namespace

LaunchCores::LaunchCores(LaunchState& state)
    : state_(state),
      request_(*state.request),
      cluster_size_(request_.cluster.count()),
      cluster_count_(request_.grid.count() / cluster_size_) {
  const std::uint64_t threads = request_.block.count();
  const std::uint64_t shared = request_.kernel->static_shared + std::uint64_t{request_.shared_bytes};
  most_blocks_ = std::min(most_resident_blocks, std::max<std::uint64_t>(most_resident_threads / threads, 1));
  if (shared != 0) most_blocks_ = std::min(most_blocks_, std::max<std::uint64_t>(most_resident_shared / shared, 1));
  if (request_.cooperative) most_blocks_ = std::numeric_limits<std::uint64_t>::max();
}

void LaunchCores::work() noexcept {
  Clusters clusters;
  try {
    run_clusters(clusters);
  } catch (const std::bad_alloc&) {
    fail(CUDA_ERROR_OUT_OF_MEMORY, "no host memory for the blocks of the kernel " + request_.kernel->name);
  } catch (const std::exception& error) {
    fail(CUDA_ERROR_LAUNCH_FAILED, std::string("the emulator failed: ") + error.what());
  }
  std::uint64_t instructions = 0;
  for (const auto& cluster : clusters)
    for (const auto& block : cluster->blocks())
      for (const auto& warp : block->warps()) instructions += warp->thread_instructions();
  const std::lock_guard lock(mutex_);
  outcome_.thread_instructions += instructions;
}

// The clusters run in turn. Another one is added when none of them has ended in its turn.
void LaunchCores::run_clusters(Clusters& clusters) {
  add_cluster(clusters);
  const std::uint64_t usual = request_.cooperative ? fewest_slices : usual_slices;
  std::uint64_t turn = usual;
  std::size_t running = clusters.size();  // these come first; the others have ended, and wait for another number
  while (running > 0 && !state_.stop) {
    bool ended = false;
    for (std::size_t i = 0; i < running && !state_.stop;) {
      if (run_slices(*clusters[i], turn)) {
        ++i;
        continue;
      }
      ended = true;
      std::uint64_t number = 0;
      if (take_next_number(number)) {
        check_time(*clusters[i]);
        clusters[i++]->restart(number);
      } else {
        std::swap(clusters[i], clusters[--running]);
      }
    }
    if (!ended && running == clusters.size() && has_room(clusters) && add_cluster(clusters)) ++running;
    // If none ends they may wait for each other: shorter turns soon reach the one that can go on.
    turn = ended ? std::min(turn * 2, usual) : std::max(turn / 8, fewest_slices);
  }
}

bool LaunchCores::has_room(const Clusters& clusters) const {
  return clusters.size() < std::max<std::uint64_t>(most_blocks_ / cluster_size_, 1);
}

bool LaunchCores::take_next_number(std::uint64_t& number) {
  number = next_cluster_.fetch_add(1, std::memory_order_relaxed);
  return number < cluster_count_;
}

bool LaunchCores::add_cluster(Clusters& clusters) {
  std::uint64_t number = 0;
  if (!take_next_number(number)) return false;
  clusters.push_back(std::make_unique<Cluster>(state_, number));
  return true;
}

// False if the cluster has ended.
bool LaunchCores::run_slices(Cluster& cluster, std::uint64_t slices) {
  try {
    for (std::uint64_t slice = 0; slice < slices && !state_.stop; ++slice) {
      if (!cluster.run_slice()) return false;
      if (cluster.stuck()) {
        fail(CUDA_ERROR_LAUNCH_FAILED, deadlock_report(cluster));
        return true;
      }
      check_time(cluster);
    }
  } catch (const Fault& fault) {
    fail(fault.result, fault_report(cluster.running(), fault));
  }
  return true;
}

void LaunchCores::check_time(Cluster& cluster) {
  constexpr auto never = std::chrono::steady_clock::time_point::max();
  if (state_.deadline == never || std::chrono::steady_clock::now() <= state_.deadline) return;
  const std::uint64_t begun = std::min(next_cluster_.load(std::memory_order_relaxed), cluster_count_);
  ExecutedSteps counts;
  for (const auto& block : cluster.blocks()) block->count_steps(counts);
  (void)cluster.run_slice();
  fail(CUDA_ERROR_LAUNCH_TIMEOUT, time_limit_report(cluster, counts, begun * cluster_size_, request_.grid.count()));
}

// The first failure is reported; the other cores stop.
void LaunchCores::fail(CUresult result, std::string report) {
  const std::lock_guard lock(mutex_);
  if (outcome_.result == CUDA_SUCCESS) {
    outcome_.result = result;
    outcome_.report = std::move(report);
  }
  state_.stop = true;
}

}  // namespace kiln::emulator
