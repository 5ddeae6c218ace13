#include "emulator/checks/address_origin.hpp"

#include <cstddef>
#include <string_view>

namespace kiln::emulator {

using ptx::Operand;

namespace {

bool is_register(const Operand& operand, std::uint32_t reg) {
  return operand.kind == Operand::Kind::reg && operand.index == reg;
}

}  // namespace

AddressOrigin::AddressOrigin(const ptx::Function& function, const ptx::Instruction& access)
    : is_kernel_(function.is_entry) {
  for (const Operand& operand : access.operands)
    if (operand.kind == Operand::Kind::address) follow(operand);
  constexpr std::size_t most_registers = 1000;  // an index may come from far away
  while (!unread_.empty() && seen_.size() < most_registers) {
    const std::uint32_t reg = unread_.back();
    unread_.pop_back();
    for (const ptx::Instruction& each : function.instructions) read_definition(each, reg);
  }
}

AddressOrigin AddressOrigin::of_running(const Warp& warp) {
  const Group& group = warp.current();
  if (group.frame == nullptr || group.pc == 0) return {};
  const Code& code = *group.frame->code;
  const std::uint32_t number = code.steps[group.pc - 1].instruction;
  const auto& instructions = code.source->instructions;
  return number < instructions.size() ? AddressOrigin(*code.source, instructions[number]) : AddressOrigin();
}

void AddressOrigin::read_definition(const ptx::Instruction& instruction, std::uint32_t reg) {
  if (instruction.operands.empty()) return;
  const std::string_view opcode = instruction.opcode;
  const Operand& result = instruction.operands.front();
  if (opcode == "ld") read_parameter(instruction, reg);
  // What memory holds, or a function returns, is an index or a pointer of unknown origin.
  if (opcode == "ld" || opcode == "ldu" || opcode == "atom" || opcode == "call" || !is_register(result, reg)) return;
  for (std::size_t i = 1; i < instruction.operands.size(); ++i) follow(instruction.operands[i]);
}

void AddressOrigin::read_parameter(const ptx::Instruction& load, std::uint32_t reg) {
  const bool is_pointer = load.has("u64") || load.has("b64") || load.has("s64");
  if (!is_kernel_ || !load.has("param") || !is_pointer || load.operands.size() < 2) return;
  const Operand& result = load.operands.front();
  const Operand& address = load.operands[1];
  if (address.elements.empty() || address.elements.front().kind != Operand::Kind::variable) return;
  const Operand& place = address.elements.front();
  if (is_register(result, reg)) parameters_.insert({place.variable, place.offset});
  for (std::size_t i = 0; i < result.elements.size(); ++i)
    if (is_register(result.elements[i], reg))
      parameters_.insert({place.variable, place.offset + static_cast<std::int64_t>(i * sizeof(std::uint64_t))});
}

void AddressOrigin::follow(const Operand& operand) {
  if (operand.kind == Operand::Kind::variable && operand.variable->space == ptx::Space::shared)
    arrays_.insert(operand.variable);
  if (operand.kind == Operand::Kind::reg && seen_.insert(operand.index).second) unread_.push_back(operand.index);
  for (const Operand& each : operand.elements) follow(each);
}

}  // namespace kiln::emulator
