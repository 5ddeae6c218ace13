#include "emulator/machine/cluster.hpp"

#include "emulator/machine/memory_checks.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

// The place of a number in a box whose x runs fastest.
Dim3 place_in(const Dim3& box, std::uint64_t number) {
  Dim3 place;
  place.x = static_cast<std::uint32_t>(number % box.x);
  place.y = static_cast<std::uint32_t>(number / box.x % box.y);
  place.z = static_cast<std::uint32_t>(number / box.x / box.y);
  return place;
}

Dim3 block_index(const LaunchRequest& request, std::uint64_t cluster, std::uint64_t rank) {
  const Dim3 &grid = request.grid, &size = request.cluster;
  const Dim3 first = place_in({grid.x / size.x, grid.y / size.y, grid.z / size.z}, cluster);
  const Dim3 inside = place_in(size, rank);
  return {first.x * size.x + inside.x, first.y * size.y + inside.y, first.z * size.z + inside.z};
}

}  // namespace

Cluster::Cluster(LaunchState& launch, std::uint64_t number) {
  const LaunchRequest& request = *launch.request;
  const auto count = static_cast<std::uint32_t>(request.cluster.count());
  for (std::uint32_t rank = 0; rank < count; ++rank)
    blocks_.push_back(std::make_unique<Block>(launch, block_index(request, number, rank)));
  running_ = blocks_.front().get();
  if (count == 1) return;
  for (std::uint32_t rank = 0; rank < count; ++rank) blocks_[rank]->join(*this, rank);
}

void Cluster::restart(std::uint64_t number) {
  for (std::uint64_t rank = 0; rank < blocks_.size(); ++rank) {
    Block& block = *blocks_[rank];
    block.restart(block_index(block.request(), number, rank));
  }
}

bool Cluster::run_slice() {
  bool lives = false;
  for (const auto& block : blocks_) {
    if (block->has_exited()) continue;
    running_ = block.get();
    lives = block->run_slice() || lives;
  }
  return lives;
}

bool Cluster::stuck() const {
  return std::all_of(blocks_.begin(), blocks_.end(), [](const auto& block) { return block->stuck(); });
}

void Cluster::complete_barrier_if_all_arrived() {
  const bool all = std::all_of(blocks_.begin(), blocks_.end(),
                               [](const auto& block) { return block->has_arrived_at_cluster_barrier(); });
  if (!all) return;
  for (const auto& block : blocks_) block->complete_cluster_barrier();
  MemoryChecks* const first = blocks_.front()->checks();
  if (first == nullptr) return;
  // Once to learn what each knows, and once to tell the others.
  for (int round = 0; round < 2; ++round)
    for (std::size_t rank = 1; rank < blocks_.size(); ++rank) first->meet(*blocks_[rank]->checks());
}

}  // namespace kiln::emulator
