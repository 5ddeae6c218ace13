// PTX texts, as the emulator reads them: a module whose parts fit each other, or an error that says where; then an
// image of it, or an error.
#include "emulator/core/call_error.hpp"
#include "emulator/lowering/image.hpp"
#include "emulator/ptx/parse.hpp"
#include "fuzz.hpp"

#include <algorithm>

namespace fuzz_ptx {

using namespace kiln::emulator::ptx;
using namespace kiln::fuzz;

namespace {

template <class List>
bool is_one_of(const Variable* variable, const List& list) {
  return std::any_of(list.begin(), list.end(), [&](const Variable& each) { return &each == variable; });
}

void check_operand(const Module& module, const Function& function, const Operand& operand) {
  using Kind = Operand::Kind;
  if (operand.kind == Kind::reg) require(operand.index < function.registers.size(), "a register is the function's");
  if (operand.kind == Kind::label) require(operand.index <= function.instructions.size(), "a label is in the function");
  if (operand.kind == Kind::function) require(module.function(operand.name) != nullptr, "a function is the module's");
  if (operand.kind == Kind::address) require(operand.elements.size() == 1, "an address is of one thing");
  if (operand.kind == Kind::pair) require(operand.elements.size() == 2, "a pair is of two");
  if (operand.kind == Kind::variable)
    require(is_one_of(operand.variable, module.variables) || is_one_of(operand.variable, function.variables) ||
                is_one_of(operand.variable, function.params) || is_one_of(operand.variable, function.returns),
            "a variable is declared");
  for (const Operand& element : operand.elements) check_operand(module, function, element);
}

void check_instruction(const Module& module, const Function& function, const Instruction& instruction) {
  const auto below = [](std::int32_t index, std::size_t size) {
    return index >= -1 && index < static_cast<std::int64_t>(size);
  };
  require(!instruction.opcode.empty(), "an instruction has an opcode");
  require(below(instruction.guard, function.registers.size()), "a guard is a register");
  require(below(instruction.location, module.locations.size()), "a location is in the table");
  require(below(instruction.prototype, function.prototypes.size()), "a prototype is the function's");
  require(below(instruction.targets, function.target_lists.size()), "targets are the function's");
  if (instruction.opcode == "call") require(instruction.operands.size() == 3, "a call has three operands");
  for (const Operand& operand : instruction.operands) check_operand(module, function, operand);
}

void check_variable(const Variable& variable) {
  require(variable.data.size() <= variable.size, "initial values lie in the variable");
  require(variable.alignment != 0 && (variable.alignment & (variable.alignment - 1)) == 0, "an alignment is a power");
  for (const Relocation& each : variable.relocations)
    require(each.offset + each.width <= variable.size, "an address lies in the variable");
}

void check_module(const Module& module) {
  for (const Variable& variable : module.variables) check_variable(variable);
  for (const Function& function : module.functions) {
    for (const Variable& variable : function.variables) check_variable(variable);
    for (std::size_t i = 0; i < function.instructions.size(); ++i)
      if (function.unread.count(static_cast<std::uint32_t>(i)) == 0)  // of a version that is newer than the parser
        check_instruction(module, function, function.instructions[i]);
    require(function.unread.empty() || function.unread.rbegin()->first < function.instructions.size(),
            "what was not read is an instruction");
    for (const auto& list : function.target_lists)
      for (const Operand& target : list) check_operand(module, function, target);
    for (const auto& label : function.labels)
      require(label.second <= function.instructions.size(), "a label is in the function");
  }
  for (std::size_t i = 0; i < module.locations.size(); ++i)
    require(module.locations[i].inlined_at < static_cast<std::int64_t>(i), "inlining has an end");
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const std::string text(view_of(data, size));
  try {
    Module module = parse(text);
    check_module(module);
    kiln::emulator::Image::load(std::move(module), 0, 90);
  } catch (const kiln::emulator::CallError& error) {
    require(error.result != 0 && *error.what() != '\0', "an error of loading says what it is");
  } catch (const ParseError& error) {
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    require(error.line() >= 1 && error.line() <= lines, "an error's line is one of the text");
    const std::string start = "ptxas application ptx input, line " + std::to_string(error.line()) + "; ";
    require(std::string_view(error.what()).substr(0, start.size()) == start, "an error reads as ptxas writes it");
  }
  return 0;
}

}  // namespace fuzz_ptx
