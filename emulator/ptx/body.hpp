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

/// Indices into a function's lists have 32 bits: no text is long enough for more.
inline std::uint32_t size_of_list(std::size_t size) { return static_cast<std::uint32_t>(size); }

class BodyParser {
 public:
  BodyParser(Cursor& at, Scopes& scopes, DebugInfo& debug) : at_(at), scopes_(scopes), debug_(debug) {}

  /// Reads from the opening brace to the end of the closing one. The function must not be moved. In a text of a newer
  /// PTX version an instruction that cannot be read is not an error: it goes to Function::unread.
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
  // Of the current instruction; kept to save allocations.
  std::vector<std::string_view> modifiers_;
  std::vector<Operand> operands_;
};

}  // namespace kiln::emulator::ptx
