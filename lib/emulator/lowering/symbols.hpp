// Look-up of functions by name; aliases are followed.
#pragma once

#include "emulator/ptx/module.hpp"

#include <string_view>

namespace kiln::emulator {

inline const ptx::Function* function_named(const ptx::Module& module, std::string_view name) {
  const auto alias = module.aliases.find(name);
  return module.function(alias == module.aliases.end() ? name : alias->second);
}

}  // namespace kiln::emulator
