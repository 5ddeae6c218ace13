// Statements that cannot be read, in a text of a newer PTX version than the parser knows. They are skipped; a kernel
// that reaches one stops.
#pragma once

#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/module.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln::emulator::ptx {

/// What could not be read, and where.
struct Unread {
  std::size_t line = 0;
  std::string why;
};

/// Skips the instruction that begins here, with its semicolon. False if the text or the body ends before.
bool skip_instruction(Cursor& at);

/// What can be seen of an unreadable statement at module scope.
struct Skipped {
  bool is_whole = false;     // false: the text ends inside it
  bool is_function = false;  // with a body
  bool is_entry = false;
  std::string_view name;  // of a function
};
/// Skips the statement that begins here.
Skipped skip_statement(Cursor& at);

/// Replaces the function's body by one unreadable instruction.
void make_unread(Function& function, const Unread& unread);

}  // namespace kiln::emulator::ptx
