// Initial values of variables.
#pragma once

#include "emulator/lowering/image.hpp"
#include "emulator/lowering/image_symbols.hpp"

#include <cstddef>

namespace kiln::emulator {

/// Writes the initial value to memory: zeros where the text gives none, and addresses of the variables and functions
/// that it names. Throws CallError for an unresolved name.
void write_initial_data(const Image& image, const ImageSymbols& symbols, const ptx::Variable& variable,
                        std::byte* bytes);

}  // namespace kiln::emulator
