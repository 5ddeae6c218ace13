#include "emulator/instructions/forms.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>

namespace kiln::emulator {

ptx::Type type_of(const Lowering& lowering, std::size_t n) {
  for (const std::string_view modifier : lowering.instruction().modifiers) {
    const ptx::Type type = ptx::type_named(modifier);
    if (type == ptx::Type::none) continue;
    if (n == 0) return type;
    --n;
  }
  refuse(lowering, "Instruction '" + std::string(lowering.instruction().opcode) + "' needs a type");
}

void expect_operands(const Lowering& lowering, std::size_t least, std::size_t most) {
  const std::size_t count = lowering.instruction().operands.size();
  if (count < least || count > most)
    refuse(lowering, "Arguments mismatch for instruction '" + std::string(lowering.instruction().opcode) + "'");
}

void refuse(const Lowering& lowering, const std::string& message) {
  lowering.refuse(message);
  std::abort();
}

void refuse_types(const Lowering& lowering) {
  refuse(lowering, "Unexpected instruction types specified for '" + std::string(lowering.instruction().opcode) + "'");
}

void refuse_target(const Lowering& lowering) {
  const ptx::Instruction& instruction = lowering.instruction();
  std::string name(instruction.opcode);
  if (!instruction.modifiers.empty()) name += "." + std::string(instruction.modifiers.front());
  refuse(lowering,
         "Instruction '" + name + "' not supported on .target '" + std::string(lowering.image().module().target) + "'");
}

Step& emit_lanewise(Lowering& lowering, Handler handler, ptx::Type destination,
                    std::initializer_list<ptx::Type> sources) {
  if (handler == nullptr) refuse_types(lowering);
  expect_operands(lowering, 1 + sources.size());
  const std::vector<ptx::Operand>& operands = lowering.instruction().operands;
  // Before the step: an operand may need steps of its own.
  Slot slots[std::size(Step{}.operand)];
  std::size_t count = 1;
  for (const ptx::Type type : sources) {
    slots[count] = lowering.in(operands[count], type);
    ++count;
  }
  slots[0] = lowering.out(operands[0], destination);
  Step& step = lowering.emit(handler);
  std::copy_n(slots, count, step.operand);
  return step;
}

DestinationPair destination_pair(const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::pair) return {operand, nullptr};
  return {operand.elements.at(0), &operand.elements.at(1)};
}

std::int64_t pending_groups(const ptx::Instruction& instruction) {
  return instruction.operands.empty() ? 0 : static_cast<std::int64_t>(instruction.operands.front().bits);
}

std::span<const ptx::Operand> elements_of(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::vector) return operand.elements;
  return {&operand, 1};
}

std::vector<InstructionRow> united(std::initializer_list<std::span<const InstructionRow>> parts) {
  std::vector<InstructionRow> all;
  for (const auto part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace kiln::emulator
