#include "emulator/checks/grid_races.hpp"

#include "emulator/checks/access_text.hpp"
#include "emulator/core/settings.hpp"
#include "emulator/machine/code_place.hpp"
#include "emulator/machine/memory_checks.hpp"

#include <algorithm>
#include <string>

namespace kiln::emulator {

void ReleasedTimes::release(std::uint64_t address, const Times& times) {
  const std::lock_guard lock(mutex_);
  is_empty_ = false;
  const std::uint64_t place = address >> place_bits;
  Times& released = released_[place];
  if (released == times) return;
  if (released != nullptr) {
    const auto both = std::make_shared<BlockTimes>(*released);
    both->learn(*times);
    released = both;
    return;
  }
  released = times;
  order_.push_back(place);
  if (order_.size() <= most_places) return;
  const auto oldest = released_.find(order_.front());
  forgotten_.learn(*oldest->second);
  released_.erase(oldest);
  order_.pop_front();
}

void ReleasedTimes::acquire(std::uint64_t address, BlockTimes& known) const {
  if (is_empty_) return;
  const std::lock_guard lock(mutex_);
  known.learn(forgotten_);
  const auto released = released_.find(address >> place_bits);
  if (released != released_.end()) known.learn(*released->second);
}

namespace {

std::uint32_t number_in_grid(const Block& block) {
  const Dim3 &at = block.index(), &grid = block.request().grid;
  return static_cast<std::uint32_t>(at.x + std::uint64_t{grid.x} * (at.y + std::uint64_t{grid.y} * at.z));
}

Dim3 block_numbered(const Dim3& grid, std::uint32_t number) {
  return {number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y};
}

}  // namespace

std::shared_ptr<GridRaces> make_grid_races() {
  return Settings::get().check_race ? std::make_shared<GridRaces>() : nullptr;
}

GlobalCell& GridRaces::cell_in(Shard& shard, std::uint64_t address) {
  const std::uint64_t number = address / page_bytes;
  std::unique_ptr<Page>& page = shard.pages[number];
  if (page == nullptr) {
    page = std::make_unique<Page>();
    shard.order.push_back(number);
  }
  GlobalCell& cell = (*page)[address % page_bytes / cell_bytes];
  if (shard.order.size() > pages_of_shard) {
    shard.pages.erase(shard.order.front());
    shard.order.pop_front();
  }
  return cell;
}

void GridRaces::forget(std::uint64_t address, std::uint64_t size) {
  for (std::uint64_t page = address / page_bytes; page <= (address + size) / page_bytes; ++page) {
    Shard& shard = shard_of(page * page_bytes);
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.pages.find(page);
    if (found == shard.pages.end()) continue;
    for (std::uint64_t cell = 0; cell < found->second->size(); ++cell) {
      const std::uint64_t at = page * page_bytes + cell * cell_bytes;
      if (at + cell_bytes > address && at < address + size) (*found->second)[cell] = {};
    }
  }
}

std::uint32_t GridRaces::place_of(const Code& code, const Step& step) {
  const std::lock_guard lock(places_mutex_);
  const auto [known, is_new] = numbers_.try_emplace(&step, static_cast<std::uint32_t>(places_.size()));
  if (is_new) places_.emplace_back(&code, &step);
  return known->second;
}

std::pair<const Code*, const Step*> GridRaces::place(std::uint32_t number) const {
  const std::lock_guard lock(places_mutex_);
  return places_.at(number);
}

BlockRaces::BlockRaces(Block& block, std::shared_ptr<GridRaces> grid, ThreadClocks& clocks)
    : block_(block),
      grid_(std::move(grid)),
      clocks_(clocks),
      number_(number_in_grid(block)),
      time_(grid_->next_time()) {}

std::uint32_t BlockRaces::place_of(const Code& code, const Step& step) {
  if (&step != last_step_) {
    last_place_ = grid_->place_of(code, step);
    last_step_ = &step;
  }
  return last_place_;
}

// Another block's release is noted before its store, and this block's read before its load. So what a load has seen may
// have been released after the note of the read: it is looked up when it matters.
void BlockRaces::catch_up() {
  for (const std::uint64_t address : watched_) grid_->released().acquire(address, known_);
}

void BlockRaces::strong_access(std::uint64_t address, Access access) {
  if (reads(access)) {
    grid_->released().acquire(address, known_);
    if (watched_.empty() || watched_.back() != address) watched_.push_back(address);
    if (watched_.size() > most_watched) {
      grid_->released().acquire(watched_.front(), known_);
      watched_.pop_front();
    }
  }
  if (!only_reads(access) && fenced_ != nullptr) grid_->released().release(address, fenced_);
}

void BlockRaces::fence() {
  catch_up();
  const auto fenced = std::make_shared<BlockTimes>(known_);
  fenced->learn(number_, time_);
  fenced_ = fenced;
  time_ = grid_->next_time();
}

void BlockRaces::meet(BlockRaces& other) {
  catch_up();
  other.catch_up();
  known_.learn(other.known_);
  known_.learn(other.number_, other.time_);
  other.known_.learn(known_);
  other.known_.learn(number_, time_);
  time_ = grid_->next_time();
  other.time_ = grid_->next_time();
}

bool BlockRaces::is_behind(const GlobalVisit& earlier, const Now& now) {
  if (earlier.time == 0 || (earlier.bytes & now.visit.bytes) == 0) return true;
  if (earlier.block == number_)
    return clocks_.before({earlier.epoch, earlier.thread_time, earlier.thread}, now.visit.thread);
  if (known_.knows(earlier.block, earlier.time)) return true;
  catch_up();
  return known_.knows(earlier.block, earlier.time);
}

void BlockRaces::read(GlobalCell& cell, const Now& now) {
  if (!is_behind(cell.write, now) && is_reported(now.address)) report(now, cell.write, "wrote");
  for (GlobalVisit& each : cell.reads) {
    const bool is_covered = (each.bytes & ~now.visit.bytes) == 0 && is_behind(each, now);
    if (each.time != 0 && !is_covered) continue;
    each = now.visit;
    return;
  }
  cell.reads.back() = now.visit;
}

void BlockRaces::write(GlobalCell& cell, const Now& now, std::uint32_t value, std::uint8_t known_bytes) {
  std::uint8_t differing = 0;
  for (unsigned byte = 0; byte < GridRaces::cell_bytes; ++byte)
    if (((cell.known_bytes & known_bytes) >> byte & 1u) != 0 && ((cell.written ^ value) >> (8 * byte) & 0xFFu) != 0)
      differing = static_cast<std::uint8_t>(differing | 1u << byte);
  if (differing != 0 && !is_behind(cell.write, now) && is_reported(now.address)) report(now, cell.write, "wrote");
  for (const GlobalVisit& each : cell.reads)
    if (!is_behind(each, now) && is_reported(now.address)) report(now, each, "read");
  cell.write = now.visit;
  cell.written = value;
  cell.known_bytes = known_bytes;
}

void BlockRaces::plain_access(const RaceCheck& race, const Warp& warp, const Step& step, unsigned lane,
                              std::uint64_t address, unsigned size, Access access) {
  const Code& code = *warp.current().frame->code;
  const std::uint32_t thread = warp.thread_number(lane);
  const ThreadClocks::Stamp stamp = clocks_.now(thread);
  Now now{{number_, time_, stamp.epoch, stamp.time, place_of(code, step), static_cast<std::uint16_t>(thread), 0},
          lane,
          address,
          size,
          access};
  constexpr std::uint64_t width = GridRaces::cell_bytes;
  for (std::uint64_t at = address; at < address + size;) {
    const std::uint64_t end = std::min(at / width * width + width, address + size);
    std::uint32_t value = 0;
    std::uint8_t known_bytes = 0;
    now.visit.bytes = 0;
    for (; at < end; ++at) {
      const auto byte = static_cast<unsigned>(at % width);
      now.visit.bytes = static_cast<std::uint8_t>(now.visit.bytes | 1u << byte);
      const std::optional<std::uint8_t> known =
          only_reads(access) ? std::nullopt : race.stored(warp, lane, at - address);
      if (!known) continue;
      known_bytes = static_cast<std::uint8_t>(known_bytes | 1u << byte);
      value |= std::uint32_t{*known} << (8 * byte);
    }
    grid_->at(end - 1, [&](GlobalCell& cell) {
      if (only_reads(access))
        read(cell, now);
      else
        write(cell, now, value, known_bytes);
    });
  }
}

// Blocks of the kernel's heap may have been freed and allocated anew in between.
bool BlockRaces::is_reported(std::uint64_t address) const {
  const std::optional<Allocation> nearest = AddressSpace::get().nearest(address);
  return nearest && nearest->kind != Allocation::Kind::heap;
}

void BlockRaces::report(const Now& now, const GlobalVisit& earlier, const char* did) const {
  const auto [code, step] = grid_->place(earlier.place);
  const Dim3 thread = block_.thread(*block_.warps()[earlier.thread / warp_size], earlier.thread % warp_size);
  const bool is_own = earlier.block == number_;
  const std::string other = block_numbered(block_.request().grid, earlier.block).text();
  throw Fault(CUDA_ERROR_LAUNCH_FAILED, now.lane,
              "a race in global memory: " + access_text(ptx::Space::global, now.address, now.size, now.access) +
                  allocation_text(now.address) + ", which thread " + thread.text() +
                  (is_own ? "" : " of block " + other) + " " + did +
                  (is_own ? ", with no barrier between; it "
                          : ", with nothing between that orders the blocks (a fence, then an atomic operation); it ") +
                  did + " at " + places_text(*code, step->instruction));
}

}  // namespace kiln::emulator
