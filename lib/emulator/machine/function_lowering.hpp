// One function's text becomes steps.
#pragma once

#include "emulator/machine/code.hpp"
#include "emulator/machine/image_symbols.hpp"

namespace kiln::emulator {

/// Fills the code, whose source, parameters and results are known. Throws ptx::ParseError, LoadError.
void lower_function(const Image& image, const ImageSymbols& symbols, Code& code);

}  // namespace kiln::emulator
