// Arguments and results in registers. Between frames all go through parameter bytes: a .reg parameter is loaded from
// its bytes where the function begins, a .reg result stored to its bytes before it returns.
#pragma once

#include "emulator/lowering/lowering.hpp"

namespace kiln::emulator {

/// Emits a step that stores an operand of the place's size to a place in the frame's parameter bytes ...
void store_param(Lowering& lowering, const ptx::Operand& operand, ptx::Type type, const ParamPlace& place);
/// ... and one that loads it from there.
void load_param(Lowering& lowering, const ptx::Operand& operand, ptx::Type type, const ParamPlace& place);

void load_register_params(Lowering& lowering, const Code& code);
void store_register_returns(Lowering& lowering, const Code& code);

}  // namespace kiln::emulator
