// Operands of instructions.
#pragma once

#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/module.hpp"
#include "emulator/ptx/scopes.hpp"

namespace kiln::emulator::ptx {

/// The operand that stands here. A name that is not known is taken for a label further down: a label operand whose
/// index the caller has settled later.
Operand operand(Cursor& at, Scopes& scopes);

/// What a name means; a label where it is not known.
Operand named_operand(Cursor& at, std::string_view name, Scopes& scopes);

/// "(a, b)", of a call.
Operand operand_list(Cursor& at, Scopes& scopes);

}  // namespace kiln::emulator::ptx
