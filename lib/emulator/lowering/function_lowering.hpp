// One function's text becomes steps.
#pragma once

#include "emulator/lowering/image.hpp"
#include "emulator/lowering/image_symbols.hpp"

namespace kiln::emulator {

/// Fills the code, whose source, parameters and results are known. Throws ptx::ParseError, CallError.
void lower_function(const Image& image, const ImageSymbols& symbols, Code& code);

}  // namespace kiln::emulator
