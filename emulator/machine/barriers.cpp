#include "emulator/machine/barriers.hpp"

#include "emulator/machine/cluster.hpp"
#include "emulator/machine/divergence_check.hpp"
#include "emulator/machine/launch_profile.hpp"
#include "emulator/machine/memory_checks.hpp"

#include <algorithm>
#include <bit>

namespace kiln::emulator {
namespace {

std::uint32_t lanes_in(LaneMask mask) { return static_cast<std::uint32_t>(std::popcount(mask)); }

}  // namespace

void Barriers::restart() {
  for (Barrier& each : barriers_) each = Barrier();
}

void Barriers::arrive(Warp& warp, LaneMask active, Arrival arrival, const std::optional<Reduced>& reduced) {
  Barrier& barrier = barriers_[arrival.number];
  if (!barrier.used) {
    barrier.used = true;
    barrier.arrived.assign(block_.warps().size(), 0);
  }
  barrier.threads = arrival.threads;
  LaneMask& arrived = barrier.arrived[warp.index()];
  if (arrival.number == Block::cluster_barrier && (arrived & active) != 0)
    throw Fault(CUDA_ERROR_LAUNCH_FAILED, first_lane(arrived & active),
                "arrives at the barrier of its cluster again, without having waited for it (barrier.cluster.wait)");
  barrier.again += lanes_in(arrived & active);
  arrived |= active;
  if (reduced) {
    barrier.with_predicate += lanes_in(active);
    barrier.popc += lanes_in(reduced->predicate & active);
  }
  if (arrival.waits) {
    warp.block_lanes(active);
    barrier.waiting.push_back({&warp, active, reduced});
  }
  if (is_of_cluster(barrier))
    block_.cluster()->complete_barrier_if_all_arrived();
  else if (is_complete(barrier))
    complete(barrier);
}

void Barriers::wait(Warp& warp, LaneMask active, std::uint32_t number) {
  Barrier& barrier = barriers_[number];
  const LaneMask waiting = barrier.used ? barrier.arrived[warp.index()] & active : 0;
  if (waiting == 0) return;
  warp.block_lanes(waiting);
  barrier.waiting.push_back({&warp, waiting, {}});
}

// Whether other blocks come to it, too.
bool Barriers::is_of_cluster(const Barrier& barrier) const {
  return block_.cluster() != nullptr && &barrier == &barriers_[Block::cluster_barrier];
}

bool Barriers::all_arrived_at_cluster() const {
  const Barrier& barrier = barriers_[Block::cluster_barrier];
  if (barrier.used) return is_complete(barrier);
  return std::all_of(block_.warps().begin(), block_.warps().end(), [](const auto& warp) { return warp->live() == 0; });
}

void Barriers::complete_cluster() {
  Barrier& barrier = barriers_[Block::cluster_barrier];
  if (barrier.used) complete(barrier);
}

// The hardware counts warps: a warp counts as a whole if all its threads have arrived, even if the block has no threads
// for some lanes, or they have exited.
bool Barriers::is_complete(const Barrier& barrier) const {
  std::uint32_t threads = barrier.again;
  for (const auto& warp : block_.warps()) {
    const LaneMask arrived = barrier.arrived[warp->index()];
    const bool whole = (warp->live() & ~arrived) == 0;
    if (barrier.threads == 0 && !whole) return false;
    if (arrived != 0) threads += whole ? warp_size : lanes_in(arrived);
  }
  return threads >= barrier.threads;
}

void Barriers::tell_watchers(const Barrier& barrier) {
  const auto number = static_cast<std::uint32_t>(&barrier - barriers_.data());
  if (DivergenceCheck* const check = block_.divergence()) check->complete(block_.running(), number);
  if (BlockProfile* const profile = block_.profile()) {
    std::vector<LaneMask> waiting(block_.warps().size(), 0);
    for (const Waiting& each : barrier.waiting) waiting[each.warp->index()] |= each.lanes;
    profile->complete(number, waiting);
  }
}

void Barriers::complete(Barrier& barrier) {
  if (block_.watches_barriers()) tell_watchers(barrier);
  const Barrier done = std::move(barrier);
  barrier = Barrier();
  if (MemoryChecks* const checks = block_.checks()) {
    if (done.threads == 0)
      checks->order_all();
    else
      checks->order(done.arrived);
  }
  for (const Waiting& each : done.waiting) {
    if (each.reduced) {
      const Slot slot = each.reduced->destination;
      const auto set = [&](bool value) {
        each_lane(each.lanes, [&](unsigned lane) { each.warp->set_predicate(slot, lane, value); });
      };
      switch (each.reduced->op) {
        case Block::Reduction::popc:
          each_lane(each.lanes, [&](unsigned lane) { each.warp->set_value<std::uint32_t>(slot, lane, done.popc); });
          break;
        case Block::Reduction::all:
          set(done.popc == done.with_predicate);
          break;
        case Block::Reduction::any:
          set(done.popc != 0);
          break;
      }
    }
    each.warp->wake(each.lanes);
  }
}

void Barriers::threads_left() {
  for (Barrier& each : barriers_)
    if (each.used && each.threads == 0 && !is_of_cluster(each) && is_complete(each)) complete(each);
}

}  // namespace kiln::emulator
