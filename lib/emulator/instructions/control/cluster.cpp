// Addresses of shared memory in a cluster, which is one block, with rank 0.
#include "emulator/instructions/control/control.hpp"
#include "emulator/machine/warp.hpp"

namespace kiln::emulator {
namespace {

template <class T>
void copy_address(const Step& step, Warp& warp, LaneMask active) {
  T* const out = warp.out<T>(step.operand[0]);
  const T* const in = warp.in<T>(step.operand[1]);
  each_lane(active, [=](unsigned lane) { out[lane] = in[lane]; });
}

void emit_address_copy(Lowering& lowering, Slot out, Slot in, unsigned size) {
  Step& step = lowering.emit(size == 8 ? copy_address<std::uint64_t> : copy_address<std::uint32_t>);
  step.operand[0] = out;
  step.operand[1] = in;
}

}  // namespace

void lower_getctarank(const ptx::Instruction& instruction, Lowering& lowering) {
  const Slot out = lowering.out(instruction.operands.at(0), ptx::Type::u32);
  emit_address_copy(lowering, out, lowering.constant(0, 4), 4);
}

void lower_mapa(const ptx::Instruction& instruction, Lowering& lowering) {
  const ptx::Type type = instruction.has("u64") ? ptx::Type::u64 : ptx::Type::u32;
  const Slot out = lowering.out(instruction.operands.at(0), type);
  const Slot in = lowering.in(instruction.operands.at(1), type);
  emit_address_copy(lowering, out, in, static_cast<unsigned>(ptx::size_of(type)));
}

}  // namespace kiln::emulator
