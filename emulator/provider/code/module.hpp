// Modules: code loaded into one context.
#pragma once

#include "emulator/provider/code/function.hpp"

namespace kiln::emulator {

/// A library that belongs to this module.
struct ModuleState {
  std::shared_ptr<LibraryState> library;
  Context& context;
};
using Modules = HandleTable<CUmodule, ModuleState>;

}  // namespace kiln::emulator
