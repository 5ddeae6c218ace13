#include "emulator/machine/memory_checks.hpp"

#include "emulator/checks/grid_races.hpp"
#include "emulator/checks/init_check.hpp"
#include "emulator/checks/race_check.hpp"
#include "emulator/core/settings.hpp"
#include "emulator/machine/group_checks.hpp"
#include "emulator/memory/address_space.hpp"

#include <optional>
#include <vector>

namespace kiln::emulator {

struct MemoryChecks::Contents {
  std::optional<RaceCheck> race;
  std::optional<BlockRaces> global;
  GroupChecks group;
  std::optional<InitCheck> init;
};

MemoryChecks::MemoryChecks(Block& block, bool race, bool init) : contents_(std::make_unique<Contents>()) {
  if (race) {
    contents_->race.emplace(block);
    contents_->global.emplace(block, block.launch().races, contents_->race->clocks());
  }
  if (init || AddressSpace::get().is_following()) contents_->init.emplace(block, init);
}

MemoryChecks::~MemoryChecks() = default;

std::unique_ptr<MemoryChecks> MemoryChecks::make_if_enabled(Block& block) {
  const Settings& settings = Settings::get();
  if (!settings.check_race && !settings.check_init && !AddressSpace::get().is_following()) return nullptr;
  return std::unique_ptr<MemoryChecks>(new MemoryChecks(block, settings.check_race, settings.check_init));
}

void MemoryChecks::access(Warp& warp, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address,
                          unsigned size, Access access) {
  if (contents_->race) {
    const std::uint32_t thread = warp.thread_number(lane);
    if (is_atomic(access)) contents_->race->clocks().acquire(thread, address);
    if (space == ptx::Space::shared)
      contents_->race->access(warp, step, lane, address, size, access);
    else if (space == ptx::Space::global && is_atomic(access))
      contents_->global->strong_access(address, access);
    else if (space == ptx::Space::global)
      contents_->global->plain_access(*contents_->race, warp, step, lane, address, size, access);
    if (is_atomic(access)) contents_->race->clocks().release(thread, address);
  }
  if (contents_->init) contents_->init->access(warp, step, lane, space, address, size, access);
}

void MemoryChecks::remote_access(Warp& warp, const Step& step, unsigned lane, std::uint64_t offset, unsigned size,
                                 Access access) {
  if (is_atomic(access)) {
    MemoryChecks& other = *warp.block().checks();
    order_all();
    other.order_all();
    meet(other);
  }
  if (contents_->race && !only_reads(access)) {
    AsyncOperation& operation = warp.block().checks()->async()->operation();
    if (operation.kind == AsyncKind::bulk_load)
      contents_->race->add_load(operation, PendingCopies::other_block, {warp.frame().code, &step, offset, size});
  }
  if (contents_->init) contents_->init->access(warp, step, lane, ptx::Space::shared, offset, size, access);
}

void MemoryChecks::storing(const StoredValues& values) {
  if (contents_->race) contents_->race->storing(values);
}

void MemoryChecks::fence() {
  if (contents_->global) contents_->global->fence();
}

void MemoryChecks::meet(MemoryChecks& other) {
  if (contents_->global) contents_->global->meet(*other.contents_->global);
}

void MemoryChecks::reuse(std::uint64_t address, std::uint64_t size) {
  if (contents_->global) contents_->global->grid().forget(address, size);
}

AsyncChecks* MemoryChecks::async() { return contents_->race ? &contents_->race->async() : nullptr; }

GroupChecks* MemoryChecks::group() { return contents_->race ? &contents_->group : nullptr; }

void MemoryChecks::order(const Warp& warp, LaneMask members) {
  if (!contents_->race) return;
  std::vector<std::uint32_t> threads;
  each_lane(members, [&](unsigned lane) { threads.push_back(warp.thread_number(lane)); });
  contents_->race->clocks().meet(threads);
}

void MemoryChecks::order(const std::vector<LaneMask>& lanes_of_warps) {
  if (!contents_->race) return;
  std::vector<std::uint32_t> threads;
  for (std::uint32_t warp = 0; warp < lanes_of_warps.size(); ++warp)
    each_lane(lanes_of_warps[warp], [&](unsigned lane) { threads.push_back(warp * warp_size + lane); });
  contents_->race->clocks().meet(threads);
}

void MemoryChecks::order_all() {
  if (contents_->race) contents_->race->clocks().meet_all();
}

}  // namespace kiln::emulator
