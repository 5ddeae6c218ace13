#include "emulator/checks/race_check.hpp"

#include "emulator/machine/code_place.hpp"

#include <set>

namespace kiln::emulator {
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

}  // namespace

RaceCheck::RaceCheck(Block& block)
    : block_(block),
      clocks_(static_cast<std::uint32_t>(block.request().block.count())),
      chunks_(block.shared_size() / chunk_size + 1) {}

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
  const std::uint32_t thread = warp.index() * warp_size + lane;
  const Visit now{warp.frame().code, &step, clocks_.now(thread), is_atomic(access)};
  for (std::uint64_t at = offset; at < offset + size; ++at) {
    Byte& byte = byte_at(at);
    if (only_reads(access)) {
      if (conflict(byte.write, now) && !(byte.write.atomic && is_cas_loop_read(now)))
        report(lane, offset, size, access, byte.write, "wrote");
      remember_read(byte, now);
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
}

void RaceCheck::report(unsigned lane, std::uint64_t offset, unsigned size, Access access, const Visit& earlier,
                       const char* did) const {
  const std::uint32_t thread = earlier.stamp.thread;
  const Dim3 other = block_.thread(*block_.warps()[thread / warp_size], thread % warp_size);
  std::string text = std::string("a race in shared memory: ") + (only_reads(access) ? "reads " : "writes ") +
                     std::to_string(size) + (size == 1 ? " byte" : " bytes") + " at offset " + std::to_string(offset) +
                     ", which thread " + other.text() + " " + did + ", with no barrier between; it " + did + " at " +
                     ptx_place(*earlier.code, earlier.step->instruction);
  for (const std::string& place : source_places(*earlier.code, earlier.step->instruction)) text += "\n    " + place;
  throw Fault(CUDA_ERROR_LAUNCH_FAILED, lane, text);
}

}  // namespace kiln::emulator
