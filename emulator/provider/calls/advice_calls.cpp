// Hints about managed memory: checked, then ignored, because all memory is on the host.
#include "emulator/core/device_attributes.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/memory.hpp"
#include "emulator/provider/context/stream_state.hpp"

// The headers of CUDA 13 use these names for the second versions. The first ones are declared here.
#undef cuMemPrefetchAsync
#undef cuMemAdvise

namespace {

using namespace kiln::emulator;

void check_range(CUdeviceptr address, size_t size) {
  require(size != 0);
  const Allocation allocation = range_of(address, size);
  require(allocation.kind == Allocation::Kind::managed);
}

void check_advised_device(int device) {
  if (device != CU_DEVICE_CPU) check_device(device);
}

void check_location(const CUmemLocation& location) {
  if (location.type == CU_MEM_LOCATION_TYPE_DEVICE) check_device(location.id);
}

CUresult prefetch(CUdeviceptr address, size_t size, CUstream stream) {
  check_range(address, size);
  enqueue(stream, [] { return CUDA_SUCCESS; });
  return CUDA_SUCCESS;
}

CUresult advise(CUdeviceptr address, size_t size, CUmem_advise advice) {
  require(advice >= CU_MEM_ADVISE_SET_READ_MOSTLY && advice <= CU_MEM_ADVISE_UNSET_ACCESSED_BY);
  check_range(address, size);
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" CUresult cuMemPrefetchAsync(CUdeviceptr, size_t, CUdevice, CUstream);
KILN_EMULATOR_API cuMemPrefetchAsync(CUdeviceptr address, size_t size, CUdevice device, CUstream stream) {
  return call(__func__, [&] {
    check_advised_device(device);
    return prefetch(address, size, stream);
  });
}

extern "C" CUresult cuMemPrefetchAsync_v2(CUdeviceptr, size_t, CUmemLocation, unsigned, CUstream);
KILN_EMULATOR_API cuMemPrefetchAsync_v2(CUdeviceptr address, size_t size, CUmemLocation location, unsigned flags,
                                        CUstream stream) {
  return call(__func__, [&] {
    require(flags == 0);
    check_location(location);
    return prefetch(address, size, stream);
  });
}

extern "C" CUresult cuMemAdvise(CUdeviceptr, size_t, CUmem_advise, CUdevice);
KILN_EMULATOR_API cuMemAdvise(CUdeviceptr address, size_t size, CUmem_advise advice, CUdevice device) {
  return call(__func__, [&] {
    const bool has_place = advice != CU_MEM_ADVISE_SET_READ_MOSTLY && advice != CU_MEM_ADVISE_UNSET_READ_MOSTLY &&
                           advice != CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
    if (has_place) check_advised_device(device);
    return advise(address, size, advice);
  });
}

extern "C" CUresult cuMemAdvise_v2(CUdeviceptr, size_t, CUmem_advise, CUmemLocation);
KILN_EMULATOR_API cuMemAdvise_v2(CUdeviceptr address, size_t size, CUmem_advise advice, CUmemLocation location) {
  return call(__func__, [&] {
    check_location(location);
    return advise(address, size, advice);
  });
}

// A length of 0 means all of the allocation.
KILN_EMULATOR_API cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t size, unsigned flags) {
  return call(__func__, [&] {
    require(flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST || flags == CU_MEM_ATTACH_SINGLE);
    check_range(address, size == 0 ? 1 : size);
    enqueue(stream, [] { return CUDA_SUCCESS; });
    return CUDA_SUCCESS;
  });
}
