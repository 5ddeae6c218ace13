// Declarations of variables, in every space but .reg, and of parameters.
#pragma once

#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/module.hpp"
#include "emulator/ptx/scopes.hpp"

#include <vector>

namespace kiln::emulator::ptx {

/// The space of that name; none if variables cannot be declared in it.
Space space_named(std::string_view spelling);

/// Reads what precedes the names, after ".global" and the like: alignment, attributes, vector and type.
Variable declared_kind(Cursor& at, Space space, Linkage linkage);

/// Reads the next name with its dimensions and its initial value.
Variable declared_variable(Cursor& at, const Variable& kind, Scopes& scopes);

/// Reads "(.param .b32 a, .reg .b32 b)"; empty if no parenthesis follows.
std::vector<Variable> parameters(Cursor& at, Scopes& scopes);

}  // namespace kiln::emulator::ptx
