#include "emulator/profile/block_counter.hpp"

#include "emulator/machine/host_bytes.hpp"

#include <algorithm>
#include <bit>

namespace kiln::emulator {
namespace {

constexpr std::uint32_t sampled_warps = 8;
constexpr std::size_t most_trace_steps = 20'000;

std::uint64_t count_of(LaneMask lanes) { return static_cast<std::uint64_t>(std::popcount(lanes)); }

Operation operation_of(Access access) {
  if (only_reads(access)) return Operation::load;
  return access == Access::read_write ? Operation::atomic : Operation::store;
}

void add_access(Counters& counters, Counter first, Operation operation, const std::array<std::uint64_t, 5>& values) {
  for (unsigned i = 0; i < values.size(); ++i)
    counters[counter_of(first, operation, static_cast<AccessCounter>(i))] += values[i];
}

void add_atomics(Counters& counters, const AccessPattern& pattern) {
  const AddressCounts addresses = distinct_addresses(pattern);
  const std::uint64_t threads = count_of(pattern.lanes);
  counters[Counter::atomic_threads] += threads;
  counters[Counter::atomic_conflicts] += threads - addresses.distinct;
  std::uint64_t& most = counters[Counter::atomic_most_on_one_address];
  most = std::max<std::uint64_t>(most, addresses.most_lanes);
}

// Whether the active lanes go to different places.
bool goes_apart(const Step& step, const Warp& warp, LaneMask active) {
  const auto* const numbers = warp.in<std::uint32_t>(step.operand[0]);
  const std::uint32_t first = numbers[first_lane(active)];
  return lanes_where(active, [=](unsigned lane) { return numbers[lane] != first; }) != 0;
}

std::uint32_t most_of(const std::vector<std::uint32_t>& numbers) {
  return numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
}

}  // namespace

BlockCounter::BlockCounter(const Block& block, CoreCounts& counts) : counts_(counts), banks_(block.shared_size()) {
  start(block);
}

void BlockCounter::start(const Block& block) {
  index_ = block.index();
  is_first_block_ = counts_.takes_samples && index_.x == 0 && index_.y == 0 && index_.z == 0;
  const std::uint64_t warps = (block.request().block.count() + warp_size - 1) / warp_size;
  clocks_.assign(warps, 0);
  arrivals_.assign(Block::barrier_count + 1, {});
  for (ThreadAccesses* const each : {&global_, &shared_}) {
    each->reads.assign(warps * warp_size, 0);
    each->writes.assign(warps * warp_size, 0);
  }
}

void BlockCounter::restart(const Block& block) {
  end();
  start(block);
}

void BlockCounter::end() {
  flush();
  counts_.busiest.take(
      {most_of(global_.reads), most_of(global_.writes), most_of(shared_.reads), most_of(shared_.writes)});
}

void BlockCounter::step(const Warp& warp, LaneMask active) {
  if (!pending_.empty()) flush();
  const Group& group = warp.current();
  const Code& code = *group.frame->code;
  const std::uint32_t number = group.pc - 1;
  StepCounts& counts = counts_.of(code).steps[number];
  if (!counts.is_first) return;
  ++clocks_[warp.index()];
  ++counts.warps;
  counts.lanes += count_of(group.lanes);
  counts.active += count_of(active);
  const bool is_apart = active != group.lanes || (counts.is_indirect && goes_apart(code.steps[number], warp, active));
  if (active != 0 && is_apart) ++counts.divergent;
  if (is_first_block_ && warp.index() == 0) trace(warp, code, number, active);
}

void BlockCounter::trace(const Warp& warp, const Code& code, std::uint32_t step, LaneMask active) {
  counts_.is_trace_cut = counts_.trace.size() >= most_trace_steps;
  if (!counts_.is_trace_cut)
    counts_.trace.push_back({&code, code.steps[step].instruction, warp.current().lanes, active});
}

bool BlockCounter::find_place(const Warp& warp, const Step& step, StepPlace& place) {
  const Code& code = *warp.current().frame->code;
  if (&step < code.steps.data() || &step >= code.steps.data() + code.steps.size()) return false;
  place.code = &counts_.of(code);
  place.step = static_cast<std::uint32_t>(&step - code.steps.data());
  // What the emulator itself reads for a function of the device runtime, such as the text of printf.
  const auto& instructions = code.source->instructions;
  return step.instruction < instructions.size() && instructions[step.instruction].opcode != "call";
}

void BlockCounter::access(const Warp& warp, const Step& step, const WarpAccess& access) {
  Pending all;
  constexpr unsigned most_bytes = 32;  // discard names a whole line, but moves nothing
  if (access.space == ptx::Space::param || access.size > most_bytes || !find_place(warp, step, all.place)) return;
  all.warp = warp.index();
  all.size = access.size;
  all.access = access.access;
  const auto count_lanes = [&](ptx::Space space, LaneMask lanes) {
    if (lanes == 0) return;
    all.space = space;
    all.lanes = lanes;
    count(all.warp, all.place, all);
  };
  std::copy(access.at, access.at + warp_size, all.at.begin());
  // Another block's shared memory counts as the own, with the same banks.
  if (access.space == ptx::Space::shared)
    each_lane(access.lanes, [&](unsigned lane) { all.at[lane] &= shared_offset_mask; });
  if (access.space != ptx::Space::generic) return count_lanes(access.space, access.lanes);
  const auto in_space = [&](ptx::Space space) {
    return lanes_where(access.lanes, [&](unsigned lane) { return space_of(access.at[lane]) == space; });
  };
  const LaneMask shared = in_space(ptx::Space::shared), local = in_space(ptx::Space::local);
  const LaneMask param = in_space(ptx::Space::param);
  each_lane(local, [&](unsigned lane) { all.at[lane] %= window_size; });
  each_lane(shared, [&](unsigned lane) { all.at[lane] &= shared_offset_mask; });
  count_lanes(ptx::Space::global, access.lanes & ~(shared | local | param));
  count_lanes(ptx::Space::shared, shared);
  count_lanes(ptx::Space::local, local);
}

void BlockCounter::lane_access(const Warp& warp, const Step& step, unsigned lane, ptx::Space space,
                               std::uint64_t address, unsigned size, Access access) {
  Pending fresh;
  if (space == ptx::Space::param || !find_place(warp, step, fresh.place)) return;
  if (!pending_.empty() && completes_sector(pending_.back(), fresh.place.step, lane, space, address, size, access)) {
    pending_.back().size = sector_size;
    return;
  }
  // A lane's second access belongs to the second access of the others.
  for (Pending& each : pending_) {
    if (each.place.step != fresh.place.step || each.space != space || each.size != size || each.access != access ||
        (each.lanes >> lane & 1u) != 0)
      continue;
    each.lanes |= LaneMask{1} << lane;
    each.at[lane] = address;
    return;
  }
  fresh.warp = warp.index();
  fresh.space = space;
  fresh.size = size;
  fresh.access = access;
  fresh.lanes = LaneMask{1} << lane;
  fresh.at[lane] = address;
  pending_.push_back(fresh);
}

// Bulk copies come by 16 bytes, but take whole sectors of global memory.
bool BlockCounter::completes_sector(const Pending& last, std::uint32_t step, unsigned lane, ptx::Space space,
                                    std::uint64_t address, unsigned size, Access access) {
  return space == ptx::Space::global && last.space == space && last.place.step == step && last.access == access &&
         last.lanes == LaneMask{1} << lane && 2 * size == sector_size && last.size == size &&
         last.at[lane] % sector_size == 0 && last.at[lane] + size == address;
}

void BlockCounter::flush() {
  for (const Pending& each : pending_) count(each.warp, each.place, each);
  pending_.clear();
}

void BlockCounter::count(std::uint32_t warp, const StepPlace& place, const Pending& access) {
  StepEvents& events = place.events();
  const bool is_wait = place.code->steps[place.step].is_wait;
  const Operation operation = is_wait ? Operation::load : operation_of(access.access);
  const AccessPattern pattern{access.at.data(), access.lanes, access.size};
  if (operation == Operation::atomic) add_atomics(events.counters, pattern);
  switch (access.space) {
    case ptx::Space::shared:
      return count_shared(warp, events, operation, pattern);
    case ptx::Space::local:
      return count_local(warp, events, operation, pattern);
    default:
      break;
  }
  if (!place.code->steps[place.step].is_constant) return count_global(warp, events, operation, pattern);
  const std::uint32_t addresses = distinct_addresses(pattern).distinct;
  ++events.counters[Counter::constant_requests];
  events.counters[Counter::constant_addresses] += addresses;
  sample(warp, events, ptx::Space::constant, operation, pattern, addresses);
}

void BlockCounter::count_global(std::uint32_t warp, StepEvents& events, Operation operation,
                                const AccessPattern& pattern) {
  const SectorCounts counts = operation == Operation::atomic ? atomic_sectors(pattern) : global_sectors(pattern);
  add_access(events.counters, Counter::global_load_requests, operation,
             {1, counts.sectors, counts.ideal, counts.bytes, count_of(pattern.lanes) * pattern.size});
  global_.add(warp, pattern.lanes, operation);
  sample(warp, events, ptx::Space::global, operation, pattern, counts.sectors);
}

void BlockCounter::count_local(std::uint32_t warp, StepEvents& events, Operation operation,
                               const AccessPattern& pattern) {
  const SectorCounts counts = local_sectors(pattern);
  add_access(events.counters, Counter::local_load_requests, std::min(operation, Operation::store),
             {1, counts.sectors, counts.ideal, counts.bytes, count_of(pattern.lanes) * pattern.size});
  sample(warp, events, ptx::Space::local, operation, pattern, counts.sectors);
}

void BlockCounter::count_shared(std::uint32_t warp, StepEvents& events, Operation operation,
                                const AccessPattern& pattern) {
  const WavefrontCounts counts =
      operation == Operation::atomic ? banks_.atomic_wavefronts(pattern) : banks_.wavefronts(pattern);
  add_access(
      events.counters, Counter::shared_load_requests, operation,
      {1, counts.wavefronts, counts.ideal, counts.wavefronts - counts.ideal, count_of(pattern.lanes) * pattern.size});
  shared_.add(warp, pattern.lanes, operation);
  sample(warp, events, ptx::Space::shared, operation, pattern, counts.wavefronts);
}

void BlockCounter::ThreadAccesses::add(std::uint32_t warp, LaneMask lanes, Operation operation) {
  const auto add_to = [&](std::vector<std::uint32_t>& numbers) {
    std::uint32_t* const first = numbers.data() + std::size_t{warp} * warp_size;
    each_lane_apart(lanes, [=](unsigned lane) { ++first[lane]; });
  };
  if (operation != Operation::store) add_to(reads);
  if (operation != Operation::load) add_to(writes);
}

void BlockCounter::sample(std::uint32_t warp, StepEvents& events, ptx::Space space, Operation operation,
                          const AccessPattern& pattern, std::uint32_t units) {
  if (!counts_.takes_samples) return;
  const bool is_first = is_first_block_ && warp < sampled_warps && (events.warps_sampled >> warp & 1u) == 0;
  const bool is_worst = !events.worst || units > events.worst->units;
  if (!is_first && !is_worst) return;
  AccessSample made;
  made.space = space;
  made.operation = operation;
  made.block = index_;
  made.warp = warp;
  made.lanes = pattern.lanes;
  made.size = pattern.size;
  made.units = units;
  std::copy(pattern.at, pattern.at + warp_size, made.at.begin());
  if (space == ptx::Space::global || space == ptx::Space::constant) {
    if (const auto allocation = AddressSpace::get().find(pattern.at[first_lane(pattern.lanes)])) {
      made.base = allocation->base;
      made.base_name =
          allocation->name.empty() ? "allocation of " + std::to_string(allocation->size) + " bytes" : allocation->name;
    }
  }
  if (is_first) {
    events.warps_sampled |= 1u << warp;
    events.firsts.push_back(made);
  }
  if (is_worst) events.worst = std::move(made);
}

void BlockCounter::arrive(const Warp& warp, LaneMask lanes, std::uint32_t barrier) {
  const Group& group = warp.current();
  const StepPlace place{&counts_.of(*group.frame->code), group.pc - 1};
  arrivals_[barrier].push_back({warp.index(), lanes, clocks_[warp.index()], place});
}

// A warp's time is the number of its instructions, so that waiting does not depend on the order in which the emulator
// runs the warps. Who waited goes on at the time of the last that arrived.
void BlockCounter::complete(std::uint32_t barrier, const std::vector<LaneMask>& waiting) {
  std::vector<Arrival> arrived;
  arrived.swap(arrivals_[barrier]);
  std::uint64_t last = 0;
  for (const Arrival& each : arrived) last = std::max(last, each.time);
  for (const Arrival& each : arrived) {
    if ((each.lanes & waiting[each.warp]) == 0) continue;
    // barrier.cluster.wait comes some instructions after the arrival.
    const std::uint64_t begun = barrier == Block::cluster_barrier ? clocks_[each.warp] : each.time;
    Counters& counters = each.place.events().counters;
    ++counters[Counter::barrier_arrivals];
    counters[Counter::barrier_steps_waited] += last - std::min(begun, last);
  }
  for (const Arrival& each : arrived)
    if ((each.lanes & waiting[each.warp]) != 0) clocks_[each.warp] = std::max(clocks_[each.warp], last);
}

}  // namespace kiln::emulator
