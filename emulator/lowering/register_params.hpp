// Arguments and results in registers. Frames pass all of them as parameter bytes: a .reg parameter is loaded from its
// bytes when the function begins, and a .reg result is stored to its bytes before it returns.
#pragma once

#include "emulator/lowering/lowering.hpp"

namespace kiln::emulator {

/// Emits a step that stores an operand, of the size of the place, to the parameter bytes of the frame ...
void store_param(Lowering& lowering, const ptx::Operand& operand, ptx::Type type, const ParamPlace& place);
/// ... or loads it from there.
void load_param(Lowering& lowering, const ptx::Operand& operand, ptx::Type type, const ParamPlace& place);

void load_register_params(Lowering& lowering, const Code& code);
void store_register_returns(Lowering& lowering, const Code& code);

}  // namespace kiln::emulator
