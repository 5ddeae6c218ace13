// Operands of instructions.
#pragma once

#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/module.hpp"
#include "emulator/ptx/scopes.hpp"

namespace kiln::emulator::ptx {

/// Reads an operand. An unknown name is taken for a label that comes later: the caller has its index resolved.
Operand operand(Cursor& at, Scopes& scopes);

/// Resolves a name. An unknown one is a label.
Operand named_operand(Cursor& at, std::string_view name, Scopes& scopes);

/// "(a, b)", of a call.
Operand operand_list(Cursor& at, Scopes& scopes);

}  // namespace kiln::emulator::ptx
