// What a text of a newer PTX than the parser knows says that it cannot read: it is passed over, and stops the kernel
// that comes there.
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

/// Goes behind the instruction that begins here, with its semicolon. False where the text or the body ends before.
bool skip_instruction(Cursor& at);

/// What a statement of module scope is about, as far as that can be seen.
struct Skipped {
  bool is_whole = false;     // the text does not end in it
  bool is_function = false;  // with a body
  bool is_entry = false;
  std::string_view name;  // of a function
};
/// Goes behind the statement that begins here.
Skipped skip_statement(Cursor& at);

/// The function's body becomes one instruction that could not be read.
void make_unread(Function& function, const Unread& unread);

}  // namespace kiln::emulator::ptx
