// The primary contexts of the devices.
#pragma once

#include "emulator/provider/context/context.hpp"

namespace kiln::emulator {

Context& retain_primary(int device);
/// Releases the context. False if it is not retained. The last release destroys the contents; until it is retained
/// again, calls in it return CUDA_ERROR_CONTEXT_IS_DESTROYED.
bool release_primary(int device);
/// Destroys the contents, even if it is retained.
void reset_primary(int device);
bool primary_is_active(int device);

}  // namespace kiln::emulator
