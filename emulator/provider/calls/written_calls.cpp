// Not functions of the driver: which bytes of device memory no kernel and no copy has written. `kiln run` calls them.
#include "emulator/memory/address_space.hpp"
#include "emulator/provider/context/call.hpp"

#include <cstddef>

using namespace kiln::emulator;

/// These bytes, which lie in one allocation of cuMemAlloc, count as not written from now on.
KILN_EMULATOR_API kiln_driver_follow_writes(CUdeviceptr address, std::size_t size) {
  return call(__func__, [=] {
    if (size == 0) return CUDA_SUCCESS;
    return AddressSpace::get().follow_writes(address, size) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

/// 1 for each byte that nothing has written since, 0 for the others. The caller has waited for the device.
KILN_EMULATOR_API kiln_driver_unwritten(CUdeviceptr address, std::size_t size, unsigned char* unwritten) {
  return call(__func__, [=] {
    for (std::size_t i = 0; i < size; ++i) unwritten[i] = AddressSpace::get().written(address + i, 1) ? 0 : 1;
    return CUDA_SUCCESS;
  });
}
