#include "emulator/lowering/group_registers.hpp"

#include <algorithm>
#include <iterator>

namespace kiln::emulator {
namespace {

using OperandKind = ptx::Operand::Kind;

// Their first operand is no destination.
constexpr std::string_view without_result[] = {
    "st",    "red",      "bar",      "barrier", "bra",       "brx",       "cp",        "mbarrier",  "sust",
    "sured", "stmatrix", "prefetch", "discard", "prefetchu", "tensormap", "nanosleep", "setmaxnreg"};

bool has_result(const ptx::Instruction& instruction) {
  if (instruction.opcode == "wmma" && instruction.has("store")) return false;
  return std::find(std::begin(without_result), std::end(without_result), instruction.opcode) ==
         std::end(without_result);
}

bool is_product(const ptx::Instruction& instruction) {
  return instruction.opcode == "wgmma" && instruction.has("mma_async") && instruction.operands.size() > 1;
}

bool is_move(const ptx::Instruction& instruction) {
  if (instruction.opcode != "mov" || instruction.operands.size() != 2) return false;
  const ptx::Operand &to = instruction.operands[0], &from = instruction.operands[1];
  return to.kind == OperandKind::reg && (from.kind == OperandKind::reg || from.kind == OperandKind::immediate);
}

}  // namespace

GroupRegisters::GroupRegisters(const ptx::Function& function) {
  if (std::none_of(function.instructions.begin(), function.instructions.end(), is_product)) return;
  used_.resize(function.registers.size());
  for (const ptx::Instruction& each : function.instructions) {
    if (!is_product(each)) continue;
    add(each.operands[0]);
    add(each.operands[1]);
  }
  while (add_moved(function)) {
  }
}

void GroupRegisters::add(const ptx::Operand& matrix) {
  if (matrix.kind != OperandKind::vector) return;
  for (const ptx::Operand& element : matrix.elements)
    if (element.kind == OperandKind::reg) used_.at(element.index) = true;
}

// What is moved to or from a register that is used. False if there is no new one.
bool GroupRegisters::add_moved(const ptx::Function& function) {
  bool grew = false;
  for (const ptx::Instruction& each : function.instructions) {
    if (!is_move(each) || each.operands[1].kind != OperandKind::reg) continue;
    const std::uint32_t to = each.operands[0].index, from = each.operands[1].index;
    if (used_.at(to) == used_.at(from)) continue;
    used_[to] = used_[from] = true;
    grew = true;
  }
  return grew;
}

void GroupRegisters::collect(const ptx::Operand& operand, std::vector<std::uint32_t>& numbers) const {
  if (operand.kind == OperandKind::reg && used_.at(operand.index)) numbers.push_back(operand.index);
  for (const ptx::Operand& element : operand.elements) collect(element, numbers);
}

std::shared_ptr<const RegisterUse> GroupRegisters::use_of(const ptx::Instruction& instruction) const {
  if (used_.empty() || instruction.opcode == "wgmma") return nullptr;
  RegisterUse use;
  use.is_move = is_move(instruction);
  const bool writes = has_result(instruction);
  for (std::size_t i = 0; i < instruction.operands.size(); ++i)
    collect(instruction.operands[i], i == 0 && writes ? use.written : use.read);
  if (use.read.empty() && use.written.empty()) return nullptr;
  return std::make_shared<const RegisterUse>(std::move(use));
}

}  // namespace kiln::emulator
