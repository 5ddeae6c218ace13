// cp.async.bulk, cp.reduce.async.bulk, cp.async.bulk.prefetch: as many bytes as the size says, one after the other.
#include "emulator/instructions/bulk/bulk_access.hpp"
#include "emulator/instructions/bulk/bulk_forms.hpp"
#include "emulator/instructions/memory/mbarrier.hpp"
#include "emulator/instructions/memory/memory_order.hpp"
#include "emulator/machine/async_checks.hpp"

#include <vector>

namespace kiln::emulator {
namespace {

using ptx::Space;

// Operands: 0 the target, 1 the source, 2 the size, 3 the barrier, 4 the mask of blocks or bytes. small: 0 and 1 the
// spaces, 2 which of the operands are used.
constexpr std::uint8_t multicast_flag = 1, mask_flag = 2;

Space space_of_target(const Step& step) { return static_cast<Space>(step.small[0]); }

std::vector<std::byte> read_source(BulkAccess& access) {
  const Step& step = access.step();
  constexpr std::uint32_t largest = 1u << 20;  // beyond any block's shared memory
  const auto size = access.value<std::uint32_t>(step.operand[2]);
  const auto from = access.value<std::uint64_t>(step.operand[1]);
  access.require_multiple("the size of a bulk copy,", size, 16);
  access.require_multiple("the source of a bulk copy,", from, 16);
  access.require_multiple("the target of a bulk copy,", access.value<std::uint64_t>(step.operand[0]), 16);
  if (size > largest)
    access.stop(CUDA_ERROR_ILLEGAL_ADDRESS, "a bulk copy of " + std::to_string(size) +
                                                " bytes is larger than shared "
                                                "memory");
  std::vector<std::byte> bytes(size);
  access.read(static_cast<Space>(step.small[1]), from, bytes.data(), bytes.size());
  return bytes;
}

void complete(BulkAccess& access, std::uint64_t barrier, std::size_t bytes) {
  complete_transactions(access.step(), access.warp(), access.lane(), barrier, static_cast<std::uint32_t>(bytes));
}

void write_masked(BulkAccess& access, std::uint64_t to, const std::vector<std::byte>& bytes, std::uint16_t mask) {
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if ((mask >> i % 16 & 1) != 0) access.write(Space::global, to + i, &bytes[i], 1);
}

void copy_to_global(const Step& step, Warp& warp, LaneMask active) {
  each_lane(active, [&](unsigned lane) {
    BulkAccess access(step, warp, lane);
    const AsyncScope scope(warp, AsyncKind::bulk_store);
    const std::vector<std::byte> bytes = read_source(access);
    const auto to = access.value<std::uint64_t>(step.operand[0]);
    if (step.small[2] == mask_flag)
      return write_masked(access, to, bytes, access.value<std::uint16_t>(step.operand[4]));
    access.write(Space::global, to, bytes.data(), bytes.size());
  });
}

void copy_to_shared(const Step& step, Warp& warp, LaneMask active) {
  each_lane(active, [&](unsigned lane) {
    BulkAccess access(step, warp, lane);
    const std::vector<std::byte> bytes = read_source(access);
    const auto to = access.value<std::uint64_t>(step.operand[0]),
               barrier = access.value<std::uint64_t>(step.operand[3]);
    const auto copy = [&](std::uint64_t target, std::uint64_t its_barrier) {
      {
        const AsyncScope scope(warp, AsyncKind::bulk_load, its_barrier);
        access.write(Space::shared, target, bytes.data(), bytes.size());
      }
      complete(access, its_barrier, bytes.size());
    };
    if (step.small[2] != multicast_flag) return copy(to, barrier);
    access.in_blocks(access.value<std::uint16_t>(step.operand[4]), to, barrier, copy);
  });
}

void reduce_bulk(const Step& step, Warp& warp, LaneMask active) {
  const auto& operation = *static_cast<const AtomicRow*>(step.data);
  each_lane(active, [&](unsigned lane) {
    BulkAccess access(step, warp, lane);
    const auto to = access.value<std::uint64_t>(step.operand[0]);
    if (space_of_target(step) != Space::shared) {
      const AsyncScope scope(warp, AsyncKind::bulk_store);
      const std::vector<std::byte> bytes = read_source(access);
      return access.update(Space::global, to, bytes.data(), bytes.size(), operation);
    }
    const std::vector<std::byte> bytes = read_source(access);
    const auto barrier = access.value<std::uint64_t>(step.operand[3]);
    {
      const AsyncScope scope(warp, AsyncKind::bulk_load, barrier);
      access.update(Space::shared, to, bytes.data(), bytes.size(), operation);
    }
    complete(access, barrier, bytes.size());
  });
}

void prefetch_bulk(const Step& step, Warp& warp, LaneMask active) {
  each_lane(active, [&](unsigned lane) {
    const BulkAccess access(step, warp, lane);
    access.require_multiple("the size of a bulk prefetch,", access.value<std::uint32_t>(step.operand[2]), 16);
    access.require_multiple("the source of a bulk prefetch,", access.value<std::uint64_t>(step.operand[1]), 16);
  });
}

void lower_bulk_prefetch(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, instruction.has("L2::cache_hint") ? 3 : 2);
  const Slot from = address_values(instruction.operands[0], Space::global, lowering).slot;
  const Slot size = lowering.in(instruction.operands[1], ptx::Type::b32);
  Step& step = lowering.emit(prefetch_bulk);
  step.operand[1] = from;
  step.operand[2] = size;
}

const AtomicRow* reduction_row(const ptx::Instruction& instruction, Lowering& lowering) {
  if (!instruction.has("reduce")) return nullptr;
  const AtomicRow* const row = atomic_row_of(bulk_reduction_of(instruction), instruction.modifiers.back());
  if (row == nullptr)
    refuse(lowering,
           "no such operation and type of cp.reduce.async.bulk: ." + std::string(instruction.modifiers.back()));
  return row;
}

Handler copy_handler(const AtomicRow* reduction, Space to) {
  if (reduction != nullptr) return reduce_bulk;
  return to == Space::shared ? copy_to_shared : copy_to_global;
}

}  // namespace

void lower_bulk_copy(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("prefetch")) return lower_bulk_prefetch(instruction, lowering);
  const CopyEnds ends = copy_ends(instruction);
  if (ends.from == Space::none || (ends.to == Space::global && ends.from == Space::global)) refuse_types(lowering);
  check_completion(instruction, lowering, ends.to);
  const AtomicRow* const reduction = reduction_row(instruction, lowering);
  const bool to_shared = ends.to == Space::shared;
  const bool multicast = instruction.has("multicast::cluster"), masked = instruction.has("cp_mask");
  const std::size_t hints = instruction.has("L2::cache_hint") ? 1 : 0;
  expect_operands(lowering, 3u + (to_shared ? 1 : 0) + (multicast || masked ? 1 : 0) + hints);
  const Slot to = address_values(instruction.operands[0], ends.to, lowering).slot;
  const Slot from = address_values(instruction.operands[1], ends.from, lowering).slot;
  const Slot size = lowering.in(instruction.operands[2], ptx::Type::b32);
  Slot barrier, mask;
  if (to_shared) barrier = address_values(instruction.operands[3], Space::shared, lowering).slot;
  // The mask of blocks precedes the cache policy, that of bytes follows it.
  if (multicast) mask = lowering.in(instruction.operands[4], ptx::Type::b16);
  if (masked) mask = lowering.in(instruction.operands.back(), ptx::Type::b16);
  Step& step = lowering.emit(copy_handler(reduction, ends.to));
  step.operand[0] = to;
  step.operand[1] = from;
  step.operand[2] = size;
  step.operand[3] = barrier;
  step.operand[4] = mask;
  step.small[0] = static_cast<std::uint8_t>(ends.to);
  step.small[1] = static_cast<std::uint8_t>(ends.from);
  step.small[2] = multicast ? multicast_flag : masked ? mask_flag : std::uint8_t{0};
  step.data = reduction;
}

}  // namespace kiln::emulator
