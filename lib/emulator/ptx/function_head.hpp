// What stands before a function's body, and prototypes of functions that are called by address.
#pragma once

#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/module.hpp"
#include "emulator/ptx/scopes.hpp"

namespace kiln::emulator::ptx {

/// Behind ".entry" or ".func", up to the body or the semicolon.
Function function_head(Cursor& at, bool is_entry, Linkage linkage, Scopes& scopes);

/// Behind ".callprototype", with the semicolon.
Prototype prototype(Cursor& at, std::string_view label, Scopes& scopes);

}  // namespace kiln::emulator::ptx
