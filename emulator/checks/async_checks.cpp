#include "emulator/machine/async_checks.hpp"

#include "emulator/checks/race_check.hpp"
#include "emulator/machine/cluster.hpp"
#include "emulator/machine/memory_checks.hpp"

namespace kiln::emulator {
namespace {

/// A barrier object in the shared memory of a block.
struct OwnedBarrier {
  Block* owner = nullptr;
  std::uint64_t offset = 0;
};

OwnedBarrier owned_barrier(Block& block, std::uint64_t host) {
  const auto offset_in = [=](Block& each) { return host - reinterpret_cast<std::uint64_t>(each.shared()); };
  if (offset_in(block) < block.shared_size() || block.cluster() == nullptr) return {&block, offset_in(block)};
  for (const auto& each : block.cluster()->blocks())
    if (offset_in(*each) < each->shared_size()) return {each.get(), offset_in(*each)};
  return {&block, offset_in(block)};
}

}  // namespace

AsyncChecks* async_checks(Warp& warp) {
  MemoryChecks* const checks = warp.block().checks();
  return checks == nullptr ? nullptr : checks->async();
}

void AsyncChecks::commit(const Warp& warp, LaneMask lanes, AsyncKind kind) {
  each_lane(lanes, [&](unsigned lane) { race_.copies().commit(kind, warp.thread_number(lane)); });
}

void AsyncChecks::wait(const Warp& warp, LaneMask lanes, AsyncKind kind, std::uint64_t pending) {
  each_lane(lanes, [&](unsigned lane) {
    const std::uint32_t thread = warp.thread_number(lane);
    race_.copies().wait(kind, thread, pending, [&](const PendingCopies::Batch& batch, PendingCopies::Number number) {
      race_.complete(batch, number, race_.clocks().now(thread));
    });
  });
}

void AsyncChecks::wait_all(const Warp& warp, LaneMask lanes) {
  commit(warp, lanes, AsyncKind::copy);
  wait(warp, lanes, AsyncKind::copy, 0);
}

void AsyncChecks::arrive_copies(Warp& warp, unsigned lane, std::uint64_t barrier) {
  const OwnedBarrier owned = owned_barrier(warp.block(), barrier);
  if (owned.owner == &warp.block()) race_.copies().arrive(warp.thread_number(lane), owned.offset);
}

void AsyncChecks::phase_completed(Warp& warp, std::uint64_t barrier) {
  const OwnedBarrier owned = owned_barrier(warp.block(), barrier);
  if (MemoryChecks* const checks = owned.owner->checks()) checks->async()->race_.copies().phase_completed(owned.offset);
}

// The first thread to see the phase takes note of its copies. Later ones take over what that one knew.
void AsyncChecks::saw_phase(Warp& warp, unsigned lane, std::uint64_t barrier) {
  const OwnedBarrier owned = owned_barrier(warp.block(), barrier);
  if (owned.owner != &warp.block()) return;
  const std::uint32_t thread = warp.thread_number(lane);
  ThreadClocks& clocks = race_.clocks();
  ThreadClocks::Stamp moment;
  race_.copies().see(owned.offset, [&](const PendingCopies::Batch& batch, PendingCopies::Number number) {
    if (moment.epoch == 0) moment = clocks.completion_seen_by(thread);
    race_.complete(batch, number, moment);
  });
  if (moment.epoch == 0)
    clocks.acquire(thread, owned.offset);
  else
    clocks.release(thread, owned.offset);
}

void AsyncChecks::forget(Warp& warp, std::uint64_t barrier) {
  const OwnedBarrier owned = owned_barrier(warp.block(), barrier);
  if (owned.owner == &warp.block()) race_.copies().forget(owned.offset);
}

void AsyncChecks::fence_proxy(const Warp& warp, LaneMask lanes) {
  each_lane(lanes, [&](unsigned lane) { race_.fence_proxy(warp.thread_number(lane)); });
}

}  // namespace kiln::emulator
