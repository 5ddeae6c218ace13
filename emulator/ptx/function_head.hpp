// The head of a function with its linkage, and prototypes for indirect calls.
#pragma once

#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/module.hpp"
#include "emulator/ptx/scopes.hpp"

#include <string_view>

namespace kiln::emulator::ptx {

/// Reads what follows ".entry" or ".func" up to the body or the semicolon.
Function function_head(Cursor& at, bool is_entry, Linkage linkage, Scopes& scopes);

/// Reads what follows ".callprototype", with the semicolon.
Prototype prototype(Cursor& at, std::string_view label, Scopes& scopes);

/// For "visible", "extern", "weak" and "common"; internal for any other word.
inline Linkage linkage_named(std::string_view word) {
  if (word == "visible") return Linkage::visible;
  if (word == "extern") return Linkage::external;
  if (word == "weak") return Linkage::weak;
  if (word == "common") return Linkage::common;
  return Linkage::internal;
}

}  // namespace kiln::emulator::ptx
