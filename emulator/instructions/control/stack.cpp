// alloca, stacksave, stackrestore: a thread's stack is its local memory.
#include "emulator/instructions/control/control.hpp"
#include "emulator/machine/warp.hpp"

#include <bit>

namespace kiln::emulator {
namespace {

// Step::value is the alignment.
template <class T>
void allocate_stack(const Step& step, Warp& warp, LaneMask active) {
  T* const d = warp.out<T>(step.operand[0]);
  const T* const size = warp.in<T>(step.operand[1]);
  each_lane(active, [&](unsigned lane) {
    d[lane] = static_cast<T>(warp.allocate_local(lane, size[lane], static_cast<std::uint64_t>(step.value)));
  });
}

template <class T>
void save(const Step& step, Warp& warp, LaneMask active) {
  T* const d = warp.out<T>(step.operand[0]);
  each_lane(active, [&](unsigned lane) { d[lane] = static_cast<T>(warp.local_end(lane)); });
}

template <class T>
void restore(const Step& step, Warp& warp, LaneMask active) {
  const T* const a = warp.in<T>(step.operand[0]);
  each_lane(active, [&](unsigned lane) { warp.free_local(lane, a[lane]); });
}

bool is_wide(const ptx::Instruction& instruction) { return instruction.has("u64") || instruction.has("b64"); }
ptx::Type type_of(const ptx::Instruction& instruction) {
  return is_wide(instruction) ? ptx::Type::u64 : ptx::Type::u32;
}

std::uint64_t alignment_of(const ptx::Instruction& instruction, const Lowering& lowering) {
  if (instruction.operands.size() < 3) return 8;
  const std::uint64_t alignment = instruction.operands[2].bits;
  if (!std::has_single_bit(alignment) || alignment > 4096) lowering.refuse("The alignment must be a power of two");
  return alignment;
}

}  // namespace

void lower_alloca(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.operands.size() < 2) lowering.refuse("Wrong number of operands of alloca");
  const Slot size = lowering.in(instruction.operands[1], type_of(instruction));
  const Slot out = lowering.out(instruction.operands[0], type_of(instruction));
  Step& step = lowering.emit(is_wide(instruction) ? allocate_stack<std::uint64_t> : allocate_stack<std::uint32_t>);
  step.operand[0] = out;
  step.operand[1] = size;
  step.value = static_cast<std::int64_t>(alignment_of(instruction, lowering));
}

void lower_stacksave(const ptx::Instruction& instruction, Lowering& lowering) {
  const Slot out = lowering.out(instruction.operands.at(0), type_of(instruction));
  lowering.emit(is_wide(instruction) ? save<std::uint64_t> : save<std::uint32_t>).operand[0] = out;
}

void lower_stackrestore(const ptx::Instruction& instruction, Lowering& lowering) {
  const Slot in = lowering.in(instruction.operands.at(0), type_of(instruction));
  lowering.emit(is_wide(instruction) ? restore<std::uint64_t> : restore<std::uint32_t>).operand[0] = in;
}

}  // namespace kiln::emulator
