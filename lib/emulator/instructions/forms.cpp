#include "emulator/instructions/forms.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>

namespace kiln::emulator {

ptx::Type type_of(const Lowering& low, std::size_t n) {
  for (const std::string_view modifier : low.instruction().modifiers) {
    const ptx::Type type = ptx::type_named(modifier);
    if (type == ptx::Type::none) continue;
    if (n == 0) return type;
    --n;
  }
  refuse(low, "Instruction '" + std::string(low.instruction().opcode) + "' needs a type");
}

void expect_operands(const Lowering& low, std::size_t least, std::size_t most) {
  const std::size_t count = low.instruction().operands.size();
  if (count < least || count > most)
    refuse(low, "Arguments mismatch for instruction '" + std::string(low.instruction().opcode) + "'");
}

void refuse(const Lowering& low, const std::string& message) {
  low.refuse(message);
  std::abort();
}

void refuse_types(const Lowering& low) {
  refuse(low, "Unexpected instruction types specified for '" + std::string(low.instruction().opcode) + "'");
}

Step& emit_lanewise(Lowering& low, Handler handler, ptx::Type destination, std::initializer_list<ptx::Type> sources) {
  if (handler == nullptr) refuse_types(low);
  expect_operands(low, 1 + sources.size());
  const std::vector<ptx::Operand>& operands = low.instruction().operands;
  // Before the step: an operand may need steps of its own.
  Slot slots[std::size(Step{}.operand)];
  std::size_t count = 1;
  for (const ptx::Type type : sources) {
    slots[count] = low.in(operands[count], type);
    ++count;
  }
  slots[0] = low.out(operands[0], destination);
  Step& step = low.emit(handler);
  std::copy_n(slots, count, step.operand);
  return step;
}

DestinationPair destination_pair(const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::pair) return {operand, nullptr};
  return {operand.elements.at(0), &operand.elements.at(1)};
}

std::vector<InstructionRow> united(std::initializer_list<std::span<const InstructionRow>> parts) {
  std::vector<InstructionRow> all;
  for (const auto part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace kiln::emulator
