// A function's body: declarations, labels, blocks and instructions.
#pragma once

#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/debug_info.hpp"
#include "emulator/ptx/module.hpp"
#include "emulator/ptx/scopes.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace kiln::emulator::ptx {

/// Sizes of a function's lists are numbers in its instructions; a text is too short for more.
inline std::uint32_t size_of_list(std::size_t size) { return static_cast<std::uint32_t>(size); }

class BodyParser {
 public:
  BodyParser(Cursor& at, Scopes& scopes, DebugInfo& debug) : at_(at), scopes_(scopes), debug_(debug) {}

  /// Behind the opening brace, with the closing one. The function stays where it is. In a newer PTX an instruction that
  /// cannot be read is no error: Function::unread.
  void parse(Function& function, bool is_newer);

 private:
  void parameter(Variable& variable);
  void statement();
  void labelled_or_instruction();
  void newer_instruction();
  void directive();
  void registers();
  void variables(Space space, Linkage linkage);
  void label(std::string_view name);
  void target_list(bool of_functions);
  void guard(Instruction& instruction);
  void instruction(std::string_view opcode, Instruction instruction);
  void operands(const Instruction& instruction);
  void call_operands();
  void branch_operand();
  void use_list(std::string_view name);

  Cursor& at_;
  Scopes& scopes_;
  DebugInfo& debug_;
  Function* function_ = nullptr;
  bool is_newer_ = false;
  // Of the instruction at hand; kept to save allocations.
  std::vector<std::string_view> modifiers_;
  std::vector<Operand> operands_;
};

}  // namespace kiln::emulator::ptx
