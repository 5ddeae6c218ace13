#include "emulator/checks/cas_loop.hpp"

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

}  // namespace

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

}  // namespace kiln::emulator
