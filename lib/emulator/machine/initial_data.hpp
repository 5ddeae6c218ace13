// The bytes that a variable begins with.
#pragma once

#include "emulator/machine/code.hpp"
#include "emulator/machine/image_symbols.hpp"

#include <cstddef>

namespace kiln::emulator {

/// Zeros where the text gives no bytes; addresses of other variables and functions where it names them. Throws
/// LoadError for a name that has no place.
void write_initial_data(const Image& image, const ImageSymbols& symbols, const ptx::Variable& variable,
                        std::byte* bytes);

}  // namespace kiln::emulator
