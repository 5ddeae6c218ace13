// Calls that the emulator has only to say by name that it does not do them: memory and events of several processes, and
// virtual memory. The attributes of its devices say so, too.
#include "emulator/provider/context/call.hpp"

namespace {

using kiln::emulator::not_supported;

constexpr char processes[] = "what it allocates and records is of this process";
constexpr char virtual_memory[] = "virtual memory (CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED is 0)";

CUresult refuse(const char* function, const char* what) {
  return kiln::emulator::call(function, [=] { return not_supported(function, what); });
}

}  // namespace

KILN_EMULATOR_API cuIpcGetEventHandle(CUipcEventHandle*, CUevent) { return refuse(__func__, processes); }
KILN_EMULATOR_API cuIpcOpenEventHandle(CUevent*, CUipcEventHandle) { return refuse(__func__, processes); }
KILN_EMULATOR_API cuIpcGetMemHandle(CUipcMemHandle*, CUdeviceptr) { return refuse(__func__, processes); }
KILN_EMULATOR_API cuIpcOpenMemHandle(CUdeviceptr*, CUipcMemHandle, unsigned) { return refuse(__func__, processes); }
KILN_EMULATOR_API cuIpcCloseMemHandle(CUdeviceptr) { return refuse(__func__, processes); }

KILN_EMULATOR_API cuMemPoolExportToShareableHandle(void*, CUmemoryPool, CUmemAllocationHandleType, unsigned long long) {
  return refuse(__func__, processes);
}
KILN_EMULATOR_API cuMemPoolImportFromShareableHandle(CUmemoryPool*, void*, CUmemAllocationHandleType,
                                                     unsigned long long) {
  return refuse(__func__, processes);
}
KILN_EMULATOR_API cuMemPoolExportPointer(CUmemPoolPtrExportData*, CUdeviceptr) { return refuse(__func__, processes); }
KILN_EMULATOR_API cuMemPoolImportPointer(CUdeviceptr*, CUmemoryPool, CUmemPoolPtrExportData*) {
  return refuse(__func__, processes);
}

KILN_EMULATOR_API cuMemAddressReserve(CUdeviceptr*, size_t, size_t, CUdeviceptr, unsigned long long) {
  return refuse(__func__, virtual_memory);
}
KILN_EMULATOR_API cuMemAddressFree(CUdeviceptr, size_t) { return refuse(__func__, virtual_memory); }
KILN_EMULATOR_API cuMemCreate(CUmemGenericAllocationHandle*, size_t, const CUmemAllocationProp*, unsigned long long) {
  return refuse(__func__, virtual_memory);
}
KILN_EMULATOR_API cuMemRelease(CUmemGenericAllocationHandle) { return refuse(__func__, virtual_memory); }
KILN_EMULATOR_API cuMemMap(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long) {
  return refuse(__func__, virtual_memory);
}
KILN_EMULATOR_API cuMemMapArrayAsync(CUarrayMapInfo*, unsigned, CUstream) { return refuse(__func__, virtual_memory); }
KILN_EMULATOR_API cuMemUnmap(CUdeviceptr, size_t) { return refuse(__func__, virtual_memory); }
KILN_EMULATOR_API cuMemSetAccess(CUdeviceptr, size_t, const CUmemAccessDesc*, size_t) {
  return refuse(__func__, virtual_memory);
}
KILN_EMULATOR_API cuMemGetAccess(unsigned long long*, const CUmemLocation*, CUdeviceptr) {
  return refuse(__func__, virtual_memory);
}
KILN_EMULATOR_API cuMemGetAllocationGranularity(size_t*, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) {
  return refuse(__func__, virtual_memory);
}
KILN_EMULATOR_API cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp*, CUmemGenericAllocationHandle) {
  return refuse(__func__, virtual_memory);
}
KILN_EMULATOR_API cuMemRetainAllocationHandle(CUmemGenericAllocationHandle*, void*) {
  return refuse(__func__, virtual_memory);
}
KILN_EMULATOR_API cuMemExportToShareableHandle(void*, CUmemGenericAllocationHandle, CUmemAllocationHandleType,
                                               unsigned long long) {
  return refuse(__func__, virtual_memory);
}
KILN_EMULATOR_API cuMemImportFromShareableHandle(CUmemGenericAllocationHandle*, void*, CUmemAllocationHandleType) {
  return refuse(__func__, virtual_memory);
}
