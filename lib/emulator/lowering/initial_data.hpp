// The bytes that a variable begins with.
#pragma once

#include "emulator/lowering/image.hpp"
#include "emulator/lowering/image_symbols.hpp"

#include <cstddef>

namespace kiln::emulator {

/// Zeros where the text gives no bytes; addresses of other variables and functions where it names them. Throws
/// CallError for a name that has no place.
void write_initial_data(const Image& image, const ImageSymbols& symbols, const ptx::Variable& variable,
                        std::byte* bytes);

}  // namespace kiln::emulator
