#include "emulator/instructions/builtin.hpp"

namespace kiln::emulator {

Builtin builtin_named(std::string_view) { return nullptr; }

}  // namespace kiln::emulator
