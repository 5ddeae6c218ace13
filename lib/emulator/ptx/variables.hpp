// Declarations of variables, in every space but .reg, and of parameters.
#pragma once

#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/module.hpp"
#include "emulator/ptx/scopes.hpp"

#include <vector>

namespace kiln::emulator::ptx {

/// none where that is no space in which something is declared.
Space space_named(std::string_view spelling);

/// What stands before the names: alignment, attributes, vector and type; behind ".global" and the like.
Variable declared_kind(Cursor& at, Space space, Linkage linkage);

/// The next name with its dimensions and its initial value.
Variable declared_variable(Cursor& at, const Variable& kind, Scopes& scopes);

/// "(.param .b32 a, .reg .b32 b)"; empty where no parenthesis is next.
std::vector<Variable> parameters(Cursor& at, Scopes& scopes);

}  // namespace kiln::emulator::ptx
