// cp.async: copies immediately; only checks want to know who waits. Bulk copies are in instructions/bulk.
#include "emulator/instructions/families.hpp"
#include "emulator/instructions/memory/mbarrier.hpp"
#include "emulator/instructions/memory/memory_family.hpp"
#include "emulator/instructions/memory/memory_operand.hpp"
#include "emulator/instructions/memory/memory_order.hpp"
#include "emulator/machine/async_checks.hpp"
#include "emulator/memory/relaxed_values.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

using ptx::Space;

void commit_copies(const Step&, Warp& warp, LaneMask active) {
  if (AsyncChecks* const checks = async_checks(warp)) checks->commit(warp, active, AsyncKind::copy);
}

void wait_for_copies(const Step& step, Warp& warp, LaneMask active) {
  if (AsyncChecks* const checks = async_checks(warp))
    checks->wait(warp, active, AsyncKind::copy, static_cast<std::uint64_t>(step.value));
}

void wait_for_all_copies(const Step&, Warp& warp, LaneMask active) {
  if (AsyncChecks* const checks = async_checks(warp)) checks->wait_all(warp, active);
}

template <class T>
void copy_parts(std::byte* to, const std::byte* from, unsigned size) {
  for (unsigned i = 0; i < size; i += unsigned{sizeof(T)})
    relaxed_store(reinterpret_cast<T*>(to + i), relaxed_load(reinterpret_cast<const T*>(from + i)));
}

// Copies the first `count` bytes, and fills the rest with zeros.
void copy_lane(const Step& step, Warp& warp, unsigned lane, std::byte* to, std::uint64_t from, unsigned count) {
  const unsigned size = step.small[2];
  if (count == size) {
    copy_parts<std::uint32_t>(to, host_bytes(warp, step, lane, Space::global, from, size, Access::read), size);
    return;
  }
  for (unsigned i = 0; i < size; ++i) relaxed_store(reinterpret_cast<std::uint8_t*>(to + i), std::uint8_t{0});
  for (unsigned i = 0; i < count; ++i)
    copy_parts<std::uint8_t>(to + i, host_bytes(warp, step, lane, Space::global, from + i, 1, Access::read), 1);
}

// Operands: 1 the target, 2 the source addresses, 3 the number of bytes to copy (small[3] = 1) or a predicate of lanes
// that get zeros instead (2).
void copy_now(const Step& step, Warp& warp, LaneMask active) {
  const unsigned size = step.small[2];
  const AsyncScope scope(warp, AsyncKind::copy);
  const HostAddresses to = host_addresses(step, warp, active, 1, size, Access::write);
  const auto* const from = warp.in<std::uint64_t>(step.operand[2]);
  each_lane(active, [&](unsigned lane) {
    unsigned count = size;
    if (step.small[3] == 1) count = std::min(size, warp.in<std::uint32_t>(step.operand[3])[lane]);
    if (step.small[3] == 2 && (warp.mask(step.operand[3]) >> lane & 1u) != 0) count = 0;
    copy_lane(step, warp, lane, to.pointer<std::byte>(lane), from[lane], count);
  });
}

unsigned copy_size(const ptx::Instruction& instruction, Lowering& lowering) {
  const ptx::Operand& size = instruction.operands[2];
  const bool known = size.kind == ptx::Operand::Kind::immediate;
  if (!known || (size.bits != 16 && (instruction.has("cg") || (size.bits != 4 && size.bits != 8))))
    lowering.refuse("cp.async copies 4, 8 or 16 bytes, by .cg 16");
  return static_cast<unsigned>(size.bits);
}

void lower_copy(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 3, 5);
  const unsigned size = copy_size(instruction, lowering);
  const std::size_t hints = instruction.has("L2::cache_hint") ? 1 : 0;
  std::uint8_t limit = 0;
  Slot limits;
  if (instruction.operands.size() > 3 + hints) {
    const ptx::Operand& operand = instruction.operands[3];
    const bool ignores = operand.kind == ptx::Operand::Kind::reg && operand.type == ptx::Type::pred;
    limit = ignores ? 2 : 1;
    limits = lowering.in(operand, ignores ? ptx::Type::pred : ptx::Type::b32);
  }
  const MemoryOperand to = memory_operand(instruction.operands[0], Space::shared, lowering);
  const Slot from = address_values(instruction.operands[1], Space::global, lowering).slot;
  Step& step = lowering.emit(copy_now);
  to.put(step, 1);
  step.operand[2] = from;
  step.operand[3] = limits;
  step.small[2] = static_cast<std::uint8_t>(size);
  step.small[3] = limit;
}

void lower_cp(const ptx::Instruction& instruction, Lowering& lowering) {
  if (!instruction.has("async")) throw Unsupported{"this form of cp"};
  if (instruction.has("mbarrier"))
    lower_copy_arrival(instruction, lowering);
  else if (instruction.has("commit_group"))
    lowering.emit(commit_copies);
  else if (instruction.has("wait_all"))
    lowering.emit(wait_for_all_copies);
  else if (instruction.has("wait_group"))
    lowering.emit(wait_for_copies).value = pending_groups(instruction);
  else
    lower_copy(instruction, lowering);
}

}  // namespace

std::span<const InstructionRow> async_rows() {
  static constexpr InstructionRow rows[] = {
      {"cp", lower_cp},
      {"mbarrier", lower_mbarrier},
  };
  return rows;
}

}  // namespace kiln::emulator
