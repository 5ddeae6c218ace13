// Which array an address outside of a block's shared memory was meant for.
#include "emulator/checks/access_text.hpp"
#include "emulator/machine/block.hpp"
#include "emulator/machine/warp.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace kiln::emulator {
namespace {

using ptx::Operand;

/// Follows the registers of an address to the variables that it is computed from, in the text of one function.
class AddressOrigin {
 public:
  AddressOrigin(const ptx::Function& function, const ptx::Instruction& access) : function_(function) {
    for (const Operand& operand : access.operands)
      if (operand.kind == Operand::Kind::address) follow(operand);
    constexpr std::size_t most_registers = 1000;  // an index may come from far away
    while (!unread_.empty() && seen_.size() < most_registers) {
      const std::uint32_t reg = unread_.back();
      unread_.pop_back();
      for (const ptx::Instruction& each : function_.instructions) read_definition(each, reg);
    }
  }

  /// The only one in shared memory; null where there are several or none.
  const ptx::Variable* array() const { return arrays_.size() == 1 ? *arrays_.begin() : nullptr; }

 private:
  void read_definition(const ptx::Instruction& instruction, std::uint32_t reg) {
    // What memory holds, or a function returns, is an index or a pointer of unknown origin.
    const std::string_view opcode = instruction.opcode;
    if (opcode == "ld" || opcode == "ldu" || opcode == "atom" || opcode == "call" || instruction.operands.empty())
      return;
    const Operand& result = instruction.operands.front();
    if (result.kind != Operand::Kind::reg || result.index != reg) return;
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) follow(instruction.operands[i]);
  }

  void follow(const Operand& operand) {
    if (operand.kind == Operand::Kind::variable && operand.variable->space == ptx::Space::shared)
      arrays_.insert(operand.variable);
    if (operand.kind == Operand::Kind::reg && seen_.insert(operand.index).second) unread_.push_back(operand.index);
    for (const Operand& each : operand.elements) follow(each);
  }

  const ptx::Function& function_;
  std::set<std::uint32_t> seen_;
  std::vector<std::uint32_t> unread_;
  std::set<const ptx::Variable*> arrays_;
};

const ptx::Variable* array_of_address(const Warp& warp) {
  const Group& group = warp.current();
  if (group.frame == nullptr || group.pc == 0) return nullptr;
  const Code& code = *group.frame->code;
  const std::uint32_t number = code.steps[group.pc - 1].instruction;
  const auto& instructions = code.source->instructions;
  return number < instructions.size() ? AddressOrigin(*code.source, instructions[number]).array() : nullptr;
}

/// A part of the block's shared memory, and how a text names it.
struct Part {
  std::string name;
  std::uint64_t offset = 0, size = 0;
};

std::vector<Part> parts_of(const Block& block) {
  std::vector<Part> parts;
  for (const SharedVariable& each : block.request().kernel->shared_variables)
    parts.push_back({"the variable " + demangle(each.name), each.offset, each.size});
  if (const std::uint64_t size = block.request().shared_bytes; size != 0)
    parts.push_back({"the dynamic shared memory", block.dynamic_shared_offset(), size});
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.offset < b.offset; });
  return parts;
}

// An array without a size is the dynamic shared memory.
std::optional<Part> part_named(const std::vector<Part>& parts, const ptx::Variable& array) {
  const std::string name =
      array.size == 0 ? "the dynamic shared memory" : "the variable " + demangle(std::string(array.name));
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& each) { return each.name == name; });
  return found == parts.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::string shared_array_text(const Warp& warp, std::int64_t offset) {
  const std::vector<Part> parts = parts_of(warp.block());
  if (parts.empty()) return {};
  const ptx::Variable* const array = array_of_address(warp);
  const std::optional<Part> meant = array != nullptr ? part_named(parts, *array) : std::nullopt;
  if (!meant) {
    const Part& nearest = offset < 0 ? parts.front() : parts.back();
    return std::string(offset < 0 ? "; the first" : "; the last") + " in it is " + nearest.name + " of " +
           bytes_text(nearest.size);
  }
  const std::int64_t begin = static_cast<std::int64_t>(meant->offset);
  const std::int64_t end = begin + static_cast<std::int64_t>(meant->size);
  const std::string where = offset < begin ? bytes_text(static_cast<std::uint64_t>(begin - offset)) + " before it"
                            : offset < end ? "at its end"
                                           : bytes_text(static_cast<std::uint64_t>(offset - end)) + " past its end";
  return "; the address is that of " + meant->name + " of " + bytes_text(meant->size) + ", " + where;
}

}  // namespace kiln::emulator
