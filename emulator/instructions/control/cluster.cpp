// mapa, getctarank: addresses of shared memory of the blocks of a cluster.
#include "emulator/instructions/control/control.hpp"
#include "emulator/machine/block.hpp"
#include "emulator/memory/windows.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

// small[0]: whether addresses are generic.
void check_window(const Step& step, unsigned lane, std::uint64_t address) {
  if (step.small[0] != 0 && !in_window(address, shared_window))
    throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane, "asks for the block of an address that is not of shared memory");
}

template <class T>
void map_address(const Step& step, Warp& warp, LaneMask active) {
  T* const out = warp.out<T>(step.operand[0]);
  const T* const in = warp.in<T>(step.operand[1]);
  const auto* const ranks = warp.in<std::uint32_t>(step.operand[2]);
  each_lane(active, [&](unsigned lane) {
    check_window(step, lane, in[lane]);
    const T rank = std::min(ranks[lane], largest_rank) + T{1};
    out[lane] = static_cast<T>((in[lane] & ~(T{0xFF} << shared_rank_shift)) | rank << shared_rank_shift);
  });
}

template <class T>
void rank_of_address(const Step& step, Warp& warp, LaneMask active) {
  auto* const out = warp.out<std::uint32_t>(step.operand[0]);
  const T* const in = warp.in<T>(step.operand[1]);
  const std::uint32_t own = warp.block().cluster_rank();
  each_lane(active, [&](unsigned lane) {
    check_window(step, lane, in[lane]);
    const std::uint64_t place = in[lane] % window_size;
    out[lane] = names_a_rank(place) ? rank_named(place) : own;
  });
}

// A 64-bit address without .shared::cluster is generic.
bool takes_generic(const ptx::Instruction& instruction) {
  return instruction.has("u64") && !instruction.has("shared::cluster");
}

}  // namespace

void lower_getctarank(const ptx::Instruction& instruction, Lowering& lowering) {
  const bool wide = instruction.has("u64");
  const Slot in = lowering.in(instruction.operands.at(1), wide ? ptx::Type::u64 : ptx::Type::u32);
  const Slot out = lowering.out(instruction.operands.at(0), ptx::Type::u32);
  Step& step = lowering.emit(wide ? rank_of_address<std::uint64_t> : rank_of_address<std::uint32_t>);
  step.operand[0] = out;
  step.operand[1] = in;
  step.small[0] = takes_generic(instruction);
}

void lower_mapa(const ptx::Instruction& instruction, Lowering& lowering) {
  const bool wide = instruction.has("u64");
  const ptx::Type type = wide ? ptx::Type::u64 : ptx::Type::u32;
  const Slot in = lowering.in(instruction.operands.at(1), type);
  const Slot rank = lowering.in(instruction.operands.at(2), ptx::Type::u32);
  const Slot out = lowering.out(instruction.operands.at(0), type);
  Step& step = lowering.emit(wide ? map_address<std::uint64_t> : map_address<std::uint32_t>);
  step.operand[0] = out;
  step.operand[1] = in;
  step.operand[2] = rank;
  step.small[0] = takes_generic(instruction);
}

}  // namespace kiln::emulator
