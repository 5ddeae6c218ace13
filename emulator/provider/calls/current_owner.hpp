// The owner of an array, texture or surface that the calling thread makes.
#pragma once

#include "emulator/provider/context/context.hpp"
#include "emulator/texture/array.hpp"

namespace kiln::emulator {

/// Throws CallError(CUDA_ERROR_INVALID_CONTEXT) without a current context.
inline Owner current_owner() {
  const Context& context = current_context();
  return {&context, context.device()};
}

}  // namespace kiln::emulator
