#include "emulator/machine/barriers.hpp"

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
  if (is_complete(barrier)) complete(barrier);
}

void Barriers::wait(Warp& warp, LaneMask active, std::uint32_t number) {
  Barrier& barrier = barriers_[number];
  const LaneMask waiting = barrier.used ? barrier.arrived[warp.index()] & active : 0;
  if (waiting == 0) return;
  warp.block_lanes(waiting);
  barrier.waiting.push_back({&warp, waiting, {}});
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
    if (each.used && each.threads == 0 && is_complete(each)) complete(each);
}

}  // namespace kiln::emulator
