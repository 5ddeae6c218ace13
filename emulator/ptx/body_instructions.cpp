// Guards, opcodes and operands: the statements of a body that become instructions.
#include "emulator/ptx/body.hpp"
#include "emulator/ptx/constants.hpp"
#include "emulator/ptx/operands.hpp"

#include <iterator>

namespace kiln::emulator::ptx {

namespace {

// "array[2]": an address for mov, the value there for other instructions.
Operand indexed(Cursor& at, Operand array, std::string_view opcode) {
  if (array.kind != Operand::Kind::variable) at.syntax_error();
  at.expect('[');
  const std::size_t element = size_of(array.variable->type) * array.variable->vector;
  array.offset += static_cast<std::int64_t>(count(at) * element);
  at.expect(']');
  if (opcode == "mov") return array;
  Operand address;
  address.kind = Operand::Kind::address;
  address.elements.push_back(std::move(array));
  return address;
}

}  // namespace

void BodyParser::guard(Instruction& instruction) {
  at_.expect('@');
  instruction.guard_negated = at_.take('!');
  const std::string_view name = at_.name();
  const Operand predicate = named_operand(at_, name, scopes_);
  if (predicate.kind == Operand::Kind::label) at_.fail("Unknown symbol " + in_quotes(name));
  if (predicate.kind != Operand::Kind::reg || predicate.type != Type::pred) at_.fail("Predicate expression expected");
  instruction.guard = static_cast<std::int32_t>(predicate.index);
}

void BodyParser::instruction(std::string_view opcode, Instruction instruction) {
  instruction.opcode = opcode;
  instruction.line = static_cast<std::uint32_t>(at_.line());
  instruction.location = debug_.current();
  modifiers_.clear();
  while (at_.peek() == '.') modifiers_.push_back(at_.dotted());
  instruction.modifiers.assign(modifiers_.begin(), modifiers_.end());
  operands_.clear();
  if (!at_.take(';')) {
    operands(instruction);
    at_.expect(';');
  }
  instruction.operands.assign(std::make_move_iterator(operands_.begin()), std::make_move_iterator(operands_.end()));
  function_->instructions.push_back(std::move(instruction));
}

void BodyParser::operands(const Instruction& instruction) {
  if (instruction.opcode == "call") return call_operands();
  if (instruction.opcode == "bra") return branch_operand();
  do {
    Operand next = operand(at_, scopes_);
    if (next.kind == Operand::Kind::label) {
      if (instruction.opcode == "brx") return use_list(next.name);
      scopes_.use_label({LabelUse::Kind::operand, size_of_list(function_->instructions.size()),
                         size_of_list(operands_.size()), next.name, at_.line()});
    }
    operands_.push_back(at_.peek() == '[' ? indexed(at_, std::move(next), instruction.opcode) : std::move(next));
  } while (at_.take(','));
}

// A branch target is a label, even if something else has the same name.
void BodyParser::branch_operand() {
  Operand target;
  target.kind = Operand::Kind::label;
  if (!starts_name(at_.peek())) at_.fail("Label expected for argument 0 of instruction 'bra'");
  target.name = at_.name();
  scopes_.use_label(
      {LabelUse::Kind::operand, size_of_list(function_->instructions.size()), 0, target.name, at_.line()});
  operands_.push_back(std::move(target));
}

void BodyParser::use_list(std::string_view name) {
  scopes_.use_label({LabelUse::Kind::list, size_of_list(function_->instructions.size()), 0, name, at_.line()});
}

// "(results), callee, (arguments), prototype": all but the callee may be missing.
void BodyParser::call_operands() {
  Operand results, arguments;
  results.kind = arguments.kind = Operand::Kind::list;
  if (at_.peek() == '(') {
    results = operand_list(at_, scopes_);
    at_.expect(',');
  }
  const std::string_view name = at_.name();
  Operand callee = named_operand(at_, name, scopes_);
  if (callee.kind == Operand::Kind::label) at_.fail("Unknown symbol " + in_quotes(name));
  if (callee.kind != Operand::Kind::function && callee.kind != Operand::Kind::reg)
    at_.fail("Function or register expected for a call instead of " + in_quotes(name));
  const bool is_indirect = callee.kind == Operand::Kind::reg;
  bool has_more = at_.take(',');
  if (has_more && at_.peek() == '(') {
    arguments = operand_list(at_, scopes_);
    has_more = at_.take(',');
  }
  operands_.push_back(std::move(results));
  operands_.push_back(std::move(callee));
  operands_.push_back(std::move(arguments));
  if (has_more)
    use_list(at_.name());
  else if (is_indirect)
    at_.fail("Call to " + in_quotes(name) + " requires call prototype");
}

}  // namespace kiln::emulator::ptx
