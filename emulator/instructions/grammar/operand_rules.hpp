// Which operands a form of an instruction takes.
#pragma once

#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

/// The rule that one word of a form gives for an operand of an instruction whose types are known.
struct OperandRule {
  enum class Kind : std::uint8_t {
    anything,
    sink,
    address,
    wide_address,   // in a register of 64 bits
    named_address,  // of a variable
    handle,         // of a texture or a surface
    handle_address,
    texture,  // [handle, {coordinates}]
    offset,   // of a texture's coordinates; also a depth to compare with
    number,
    vector,  // of any elements
    video_register,
    video_value,
    value,       // a register or a number
    converted,   // or a special register
    mov_source,  // or anything with a name
    variable_or_value
  };
  Kind kind = Kind::value;
  bool is_destination = false, may_be_missing = false, may_be_pair = false, may_be_sink = false, may_be_wider = false;
  bool may_be_negated = false;
  bool may_be_odd = false;   // ptxas takes more there than any manual describes
  bool is_odd_form = false;  // of the first operand: no manual describes the form
  bool has_layer = false;    // of a texture: the first coordinate is one
  std::uint8_t count = 0;    // of the elements of a vector; 0 for no vector
  ptx::Type type = ptx::Type::none;
  std::uint32_t registers = 0;  // allowed register types: one bit each
  bool has_constants = false;
  std::string_view numbers;  // which numbers are allowed: "4|8", "0-15", "1-", "%32" and "+16"
                             // (multiples; with "+" from 0 on); "0f": in this notation; "none"; "unit": above 0, 1 at
                             // most; empty for all
  ptx::Space space = ptx::Space::none;  // of an address, and of variable_or_value
};
using OperandRules = std::vector<OperandRule>;

/// The rules of InstructionForm::operands for an instruction. They refer to the text of its modifiers.
OperandRules operand_rules(std::string_view operands, const ptx::Instruction& instruction);
/// How many operands from the first on fit, and why the next one does not: empty if its kind or its type is wrong.
std::size_t fitting_operands(const OperandRules& rules, const std::vector<ptx::Operand>& operands);
std::string operand_fault(const OperandRule& rule, const ptx::Operand& operand);

enum class Fit : std::uint8_t { no, odd, yes };
Fit fit(const OperandRules& rules, const std::vector<ptx::Operand>& operands);

}  // namespace kiln::emulator
