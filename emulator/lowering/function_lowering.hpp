// Lowers a function to steps.
#pragma once

#include "emulator/lowering/form_fault.hpp"
#include "emulator/lowering/image.hpp"
#include "emulator/lowering/shared_layout.hpp"

namespace kiln::emulator {

/// Fills the code; its source, parameters and results must be set. Throws ptx::ParseError, CallError.
void lower_function(const Image& image, const ImageSymbols& symbols, FormCheck& forms, Code& code);

}  // namespace kiln::emulator
