// The head of a function, and prototypes for indirect calls.
#pragma once

#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/module.hpp"
#include "emulator/ptx/scopes.hpp"

namespace kiln::emulator::ptx {

/// Reads from behind ".entry" or ".func" up to the body or the semicolon.
Function function_head(Cursor& at, bool is_entry, Linkage linkage, Scopes& scopes);

/// Reads from behind ".callprototype" to behind the semicolon.
Prototype prototype(Cursor& at, std::string_view label, Scopes& scopes);

}  // namespace kiln::emulator::ptx
