// atom, red, fence, membar.
#include "emulator/instructions/families.hpp"
#include "emulator/instructions/memory/atomic_update.hpp"
#include "emulator/instructions/memory/mbarrier.hpp"
#include "emulator/instructions/memory/memory_family.hpp"
#include "emulator/instructions/memory/memory_order.hpp"

namespace kiln::emulator {
namespace {

Handler handler_of(const ptx::Instruction& instruction) {
  for (const auto rows : {atomic_integer_rows(), atomic_float_rows()})
    for (const AtomicRow& row : rows)
      if (instruction.has(row.type) && instruction.has(row.operation)) return row.handler;
  return nullptr;
}

// red is atom without a result.
void lower_atomic(const ptx::Instruction& instruction, Lowering& lowering, bool has_result) {
  const ptx::Type type = memory_type(instruction, lowering);
  const std::size_t first = has_result ? 1 : 0;
  const bool swaps = instruction.has("cas");
  expect_operands(lowering, first + (swaps ? 3 : 2), first + (swaps ? 4 : 3));
  // red.async updates at once, and then completes the transaction. The form for device memory is of sm_100.
  const bool is_async = instruction.has("async");
  if (is_async && (!instruction.has("shared::cluster") || instruction.operands.size() != 3))
    throw Unsupported{"this form of red.async"};
  const Handler handler = handler_of(instruction);
  if (handler == nullptr)
    lowering.refuse("no such operation and type of " + std::string(instruction.opcode) + ": ." +
                    std::string(instruction.modifiers.back()));
  const auto sources = elements_of(instruction.operands[first + 1]);
  check_vector(instruction, lowering, sources.size());
  if (has_result) check_vector(instruction, lowering, elements_of(instruction.operands[0]).size());
  std::vector<Slot> slots;
  const ptx::Operand nowhere;
  for (std::size_t i = 0; i < sources.size(); ++i)
    slots.push_back(lowering.out(has_result ? elements_of(instruction.operands[0])[i] : nowhere, type));
  for (const ptx::Operand& source : sources) slots.push_back(lowering.in(source, type));
  const Slot c = swaps ? lowering.in(instruction.operands[first + 2], type) : slots.back();
  const MemoryOperand place = memory_operand(instruction.operands[first], stated_space(instruction), lowering);
  const std::span<const Slot> kept = lowering.keep(std::move(slots));
  emit_fence(lowering, releases(instruction));
  Step& step = lowering.emit(handler);
  step.more = kept;
  step.operand[3] = c;
  place.put(step, 1);
  emit_fence(lowering, acquires(instruction));
  if (is_async) emit_complete_tx(instruction.operands[2], static_cast<std::uint32_t>(ptx::size_of(type)), lowering);
}

void lower_atom(const ptx::Instruction& instruction, Lowering& lowering) { lower_atomic(instruction, lowering, true); }
void lower_red(const ptx::Instruction& instruction, Lowering& lowering) { lower_atomic(instruction, lowering, false); }

}  // namespace

const AtomicRow* atomic_row_of(std::string_view operation, std::string_view type) {
  for (const auto rows : {atomic_integer_rows(), atomic_float_rows()})
    for (const AtomicRow& row : rows)
      if (row.operation == operation && row.type == type) return &row;
  return nullptr;
}

std::span<const InstructionRow> atomic_rows() {
  static constexpr InstructionRow rows[] = {
      {"atom", lower_atom},
      {"red", lower_red},
      {"fence", lower_fence},
      {"membar", lower_fence},
  };
  return rows;
}

}  // namespace kiln::emulator
