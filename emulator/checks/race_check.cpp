#include "emulator/checks/race_check.hpp"

#include "emulator/checks/access_text.hpp"
#include "emulator/machine/code_place.hpp"
#include "emulator/memory/windows.hpp"

#include <algorithm>
#include <set>

namespace kiln::emulator {

// A clock of an earlier epoch starts again: every thread knows what happened before.
ThreadClocks::Clock& ThreadClocks::clock_of(std::uint32_t thread) {
  Clock& clock = clocks_[thread];
  if (clock.epoch != epoch_) clock = {epoch_, 1, nullptr};
  return clock;
}

ThreadClocks::Stamp ThreadClocks::now(std::uint32_t thread) { return {epoch_, clock_of(thread).time, thread}; }

bool ThreadClocks::before(const Stamp& moment, std::uint32_t thread) {
  if (moment.epoch != epoch_ || moment.thread == thread) return true;
  const Clock& clock = clock_of(thread);
  return clock.known != nullptr && (*clock.known)[moment.thread] >= moment.time;
}

ThreadClocks::Stamp ThreadClocks::completion_seen_by(std::uint32_t thread) {
  const Stamp stamp{epoch_, clock_of(copies_).time++, copies_};
  Clock& clock = clock_of(thread);
  const auto known = std::make_shared<Times>(clocks_.size());
  add(*known, clock.known);
  (*known)[copies_] = stamp.time;
  clock.known = known;
  return stamp;
}

void ThreadClocks::meet_all() {
  ++epoch_;
  objects_.clear();
}

void ThreadClocks::add(Times& to, const std::shared_ptr<const Times>& from) {
  if (from == nullptr) return;
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::max(to[i], (*from)[i]);
}

void ThreadClocks::meet(const std::vector<std::uint32_t>& threads) {
  const auto known = std::make_shared<Times>(clocks_.size());
  std::shared_ptr<const Times> last;  // threads that met last share one vector
  for (const std::uint32_t thread : threads) {
    const Clock& clock = clock_of(thread);
    if (clock.known != last) add(*known, last = clock.known);
    (*known)[thread] = std::max((*known)[thread], clock.time);
  }
  for (const std::uint32_t thread : threads) {
    clocks_[thread].known = known;
    ++clocks_[thread].time;
  }
}

void ThreadClocks::acquire(std::uint32_t thread, std::uint64_t object) {
  const auto left = objects_.find(object);
  if (left == objects_.end()) return;
  Clock& clock = clock_of(thread);
  const auto known = std::make_shared<Times>(*left->second);
  add(*known, clock.known);
  clock.known = known;
}

void ThreadClocks::release(std::uint32_t thread, std::uint64_t object) {
  Clock& clock = clock_of(thread);
  const auto known = std::make_shared<Times>(clocks_.size());
  add(*known, clock.known);
  (*known)[thread] = clock.time++;
  clock.known = objects_[object] = known;
}

namespace {

using Registers = std::set<std::uint32_t>;

bool is_of(const ptx::Operand& operand, const Registers& registers) {
  return operand.kind == ptx::Operand::Kind::reg && registers.count(operand.index) != 0;
}

// Adds the registers that mov copies these to. False if there is no new one.
bool follow_moves(const ptx::Function& function, Registers& registers) {
  bool grew = false;
  for (const ptx::Instruction& each : function.instructions) {
    if (each.opcode != "mov" || each.operands.size() != 2 || each.operands[0].kind != ptx::Operand::Kind::reg) continue;
    if (is_of(each.operands[1], registers)) grew = registers.insert(each.operands[0].index).second || grew;
  }
  return grew;
}

/// Whether an atom.cas of this function compares with the value that this load reads. The CUDA Programming Guide builds
/// other atomics in this way. An outdated value does no harm: the swap fails, and returns the current one.
bool is_cas_loop_load(const ptx::Function& function, std::size_t load) {
  if (load >= function.instructions.size()) return false;
  const ptx::Instruction& first = function.instructions[load];
  if (first.opcode != "ld" || first.operands.empty() || first.operands[0].kind != ptx::Operand::Kind::reg) return false;
  Registers registers{first.operands[0].index};
  while (follow_moves(function, registers)) {
  }
  for (const ptx::Instruction& each : function.instructions)
    if (each.opcode == "atom" && each.has("cas") && each.operands.size() > 2 && is_of(each.operands[2], registers))
      return true;
  return false;
}

// "reads 4 bytes at offset 16"
std::string range_text(std::uint64_t offset, unsigned size, Access access) {
  return std::string(only_reads(access) ? "reads " : "writes ") + std::to_string(size) +
         (size == 1 ? " byte" : " bytes") + " at offset " + std::to_string(offset);
}

}  // namespace

RaceCheck::RaceCheck(Block& block)
    : block_(block),
      clocks_(static_cast<std::uint32_t>(block.request().block.count())),
      chunks_(block.shared_size() / chunk_size + 1),
      copies_(block.shared_size()),
      async_(*this) {}

RaceCheck::Byte& RaceCheck::byte_at(std::uint64_t offset) {
  std::unique_ptr<Chunk>& chunk = chunks_[offset / chunk_size];
  if (chunk == nullptr) chunk = std::make_unique<Chunk>();
  return (*chunk)[offset % chunk_size];
}

bool RaceCheck::conflict(const Visit& earlier, const Visit& now) {
  if (earlier.stamp.epoch == 0 || (earlier.atomic && now.atomic)) return false;
  return !clocks_.before(earlier.stamp, now.stamp.thread);
}

bool RaceCheck::is_cas_loop_read(const Visit& read) {
  const auto [known, is_new] = cas_loop_loads_.try_emplace(read.step, false);
  if (is_new) known->second = is_cas_loop_load(*read.code->source, read.step->instruction);
  return known->second;
}

std::optional<std::uint8_t> RaceCheck::stored(const Warp& warp, unsigned lane, std::uint64_t byte) const {
  if (byte >= std::uint64_t{storing_.count} * storing_.memory_size) return std::nullopt;
  const Slot element = storing_.elements[byte / storing_.memory_size];
  const auto* const lanes = warp.in<std::uint8_t>(element);
  return lanes[std::size_t{lane} * storing_.register_size + byte % storing_.memory_size];
}

void RaceCheck::remember_read(Byte& byte, const Visit& visit) {
  for (Visit& read : byte.reads) {
    if (read.stamp.epoch != 0 && !clocks_.before(read.stamp, visit.stamp.thread)) continue;
    read = visit;
    return;
  }
  byte.reads.back() = visit;
}

void RaceCheck::access(Warp& warp, const Step& step, unsigned lane, std::uint64_t offset, unsigned size,
                       Access access) {
  const std::uint32_t thread = warp.thread_number(lane);
  const AsyncKind kind = async_.operation().kind;
  if (!copies_.is_empty()) check_pending(lane, offset, size, access);
  const bool by_generic_proxy = access == Access::write && kind == AsyncKind::none;
  const Visit now{warp.frame().code, &step, clocks_.now(thread), is_atomic(access), by_generic_proxy ? ++writes_ : 0};
  for (std::uint64_t at = offset; at < offset + size; ++at) {
    Byte& byte = byte_at(at);
    if (only_reads(access)) {
      if (conflict(byte.write, now) && !(byte.write.atomic && is_cas_loop_read(now)))
        report(lane, offset, size, access, byte.write, "wrote");
      // All four warps of a group may say for each other that wgmma has read, so the read is of no thread.
      if (kind != AsyncKind::product) remember_read(byte, now);
      continue;
    }
    const std::optional<std::uint8_t> value = access == Access::write ? stored(warp, lane, at - offset) : std::nullopt;
    if (conflict(byte.write, now) && !(value && value == byte.written))
      report(lane, offset, size, access, byte.write, "wrote");
    for (const Visit& read : byte.reads)
      if (conflict(read, now) && !(now.atomic && is_cas_loop_read(read)))
        report(lane, offset, size, access, read, "read");
    byte.write = now;
    byte.written = value;
  }
  if (kind != AsyncKind::none) use_asynchronously(warp, step, lane, offset, size, access);
}

// The earlier visits of the bytes have been compared as for any access.
void RaceCheck::use_asynchronously(const Warp& warp, const Step& step, unsigned lane, std::uint64_t offset,
                                   unsigned size, Access access) {
  AsyncOperation& operation = async_.operation();
  const std::uint32_t thread = warp.thread_number(lane);
  const bool is_read = only_reads(access);
  const bool is_group_read = operation.kind == AsyncKind::bulk_store || operation.kind == AsyncKind::product;
  if (is_read && is_group_read) check_proxy(lane, offset, size);
  const PendingCopies::Range range{warp.current().frame->code, &step, offset, size};
  if (operation.kind == AsyncKind::copy && !is_read)
    copies_.add(copies_.open_batch(AsyncKind::copy, thread), range);
  else if (operation.kind == AsyncKind::bulk_store && is_read)
    copies_.add(copies_.open_batch(AsyncKind::bulk_store, thread), range);
  else if (operation.kind == AsyncKind::bulk_load && !is_read)
    add_load(operation, thread, range);
}

void RaceCheck::add_load(AsyncOperation& operation, std::uint32_t thread, const PendingCopies::Range& range) {
  if (operation.batch == 0) operation.batch = copies_.batch_on(operation.barrier & shared_offset_mask, thread);
  copies_.add(operation.batch, range);
}

void RaceCheck::complete(const PendingCopies::Batch& batch, PendingCopies::Number number,
                         const ThreadClocks::Stamp& moment) {
  for (const PendingCopies::Range& range : batch.ranges)
    for (std::uint64_t at = range.offset; at < range.offset + range.size; ++at) {
      if (!copies_.is_of(batch, number, at)) continue;
      const Visit visit{range.code, range.step, moment, false, 0};
      if (batch.is_store()) {
        remember_read(byte_at(at), visit);
      } else {
        byte_at(at).write = visit;
        byte_at(at).written.reset();
      }
    }
}

// One copy may follow another one to the same place: what their order is, the race check says.
void RaceCheck::check_pending(unsigned lane, std::uint64_t offset, unsigned size, Access access) {
  const AsyncKind kind = async_.operation().kind;
  const bool is_copied = kind == AsyncKind::copy || kind == AsyncKind::bulk_load;
  for (std::uint64_t at = offset; at < offset + size; ++at) {
    if (!is_copied)
      if (const PendingCopies::Batch* const batch = copies_.writer_of(at))
        report_pending(lane, offset, size, access, *batch, at);
    if (!only_reads(access))
      if (const PendingCopies::Batch* const batch = copies_.reader_of(at))
        report_pending(lane, offset, size, access, *batch, at);
  }
}

void RaceCheck::fence_proxy(std::uint32_t thread) {
  if (proxy_fences_.empty()) proxy_fences_.resize(block_.request().block.count());
  proxy_fences_[thread] = ++writes_;
}

// By the thread that wrote, or by one that is after the write. That the read is after the fence is not checked.
bool RaceCheck::is_fenced(const Visit& write) {
  if (proxy_fences_.empty()) return false;
  if (proxy_fences_[write.stamp.thread] > write.number) return true;
  for (std::uint32_t thread = 0; thread < proxy_fences_.size(); ++thread)
    if (proxy_fences_[thread] > write.number && clocks_.before(write.stamp, thread)) return true;
  return false;
}

void RaceCheck::check_proxy(unsigned lane, std::uint64_t offset, unsigned size) {
  for (std::uint64_t at = offset; at < offset + size; ++at) {
    const Visit& write = byte_at(at).write;
    if (write.number != 0 && !is_fenced(write)) report_proxy(lane, offset, size, write);
  }
}

std::string RaceCheck::thread_text(std::uint32_t thread) const {
  if (thread == clocks_.copies()) return "an asynchronous copy";
  return "thread " + block_.thread(*block_.warps()[thread / warp_size], thread % warp_size).text();
}

void RaceCheck::report(unsigned lane, std::uint64_t offset, unsigned size, Access access, const Visit& earlier,
                       const char* did) const {
  throw Fault(CUDA_ERROR_LAUNCH_FAILED, lane,
              "a race in shared memory: " + range_text(offset, size, access) + shared_variable_text(block_, offset) +
                  ", which " + thread_text(earlier.stamp.thread) + " " + did + ", with no barrier between; it " + did +
                  " at " + places_text(*earlier.code, earlier.step->instruction));
}

void RaceCheck::report_pending(unsigned lane, std::uint64_t offset, unsigned size, Access access,
                               const PendingCopies::Batch& batch, std::uint64_t at) const {
  const PendingCopies::Range* range = &batch.ranges.front();
  for (const PendingCopies::Range& each : batch.ranges)
    if (at - each.offset < each.size) range = &each;
  std::string text = "a missing wait: " + range_text(offset, size, access) + " of shared memory" +
                     shared_variable_text(block_, offset);
  if (batch.kind == AsyncKind::copy)
    text += ", which cp.async copies, and " + thread_text(batch.thread) +
            " has not waited for it (cp.async.wait_group, cp.async.wait_all)";
  else if (batch.is_store())
    text += ", which a bulk copy reads, and " + thread_text(batch.thread) +
            " has not waited for it (cp.async.bulk.wait_group.read)";
  else
    text += ", which a bulk copy writes, and no thread has seen that its phase of the mbarrier at offset " +
            std::to_string(batch.barrier) + " is complete (mbarrier.try_wait)";
  throw Fault(CUDA_ERROR_LAUNCH_FAILED, lane,
              text + "; it was issued at " + places_text(*range->code, range->step->instruction));
}

void RaceCheck::report_proxy(unsigned lane, std::uint64_t offset, unsigned size, const Visit& write) const {
  throw Fault(CUDA_ERROR_LAUNCH_FAILED, lane,
              "a missing fence: " + range_text(offset, size, Access::read) + " of shared memory" +
                  shared_variable_text(block_, offset) + " by the asynchronous proxy, which " +
                  thread_text(write.stamp.thread) + " wrote, with no fence.proxy.async between; it wrote at " +
                  places_text(*write.code, write.step->instruction));
}

}  // namespace kiln::emulator
