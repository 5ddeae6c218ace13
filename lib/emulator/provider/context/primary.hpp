// The devices' primary contexts: retained and released.
#pragma once

#include "emulator/provider/context/context.hpp"

namespace kiln::emulator {

Context& retain_primary(int device);
/// False where it was not retained. The last release takes away all that is in it; until someone retains it, calls in
/// it give CUDA_ERROR_CONTEXT_IS_DESTROYED.
bool release_primary(int device);
/// Takes away all that is in it, whoever retained it; a kernel's failure is forgotten.
void reset_primary(int device);
bool primary_is_active(int device);

}  // namespace kiln::emulator
