// Calls that the emulator has only to say by name that it does not do them: memory and events of several processes,
// multicast objects, sparse arrays. The attributes of its devices say so, too.
#include "emulator/provider/context/call.hpp"

namespace {

using kiln::emulator::not_supported;

constexpr char processes[] = "what it allocates and records is of this process";
constexpr char multicast[] = "multicast objects (CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED is 0)";
constexpr char sparse[] = "sparse arrays (CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED is 0)";

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

KILN_EMULATOR_API cuMemExportToShareableHandle(void*, CUmemGenericAllocationHandle, CUmemAllocationHandleType,
                                               unsigned long long) {
  return refuse(__func__, processes);
}
KILN_EMULATOR_API cuMemImportFromShareableHandle(CUmemGenericAllocationHandle*, void*, CUmemAllocationHandleType) {
  return refuse(__func__, processes);
}

KILN_EMULATOR_API cuMulticastCreate(CUmemGenericAllocationHandle*, const CUmulticastObjectProp*) {
  return refuse(__func__, multicast);
}
KILN_EMULATOR_API cuMulticastAddDevice(CUmemGenericAllocationHandle, CUdevice) { return refuse(__func__, multicast); }
KILN_EMULATOR_API cuMulticastBindMem(CUmemGenericAllocationHandle, size_t, CUmemGenericAllocationHandle, size_t, size_t,
                                     unsigned long long) {
  return refuse(__func__, multicast);
}
KILN_EMULATOR_API cuMulticastBindAddr(CUmemGenericAllocationHandle, size_t, CUdeviceptr, size_t, unsigned long long) {
  return refuse(__func__, multicast);
}
KILN_EMULATOR_API cuMulticastUnbind(CUmemGenericAllocationHandle, CUdevice, size_t, size_t) {
  return refuse(__func__, multicast);
}
KILN_EMULATOR_API cuMulticastGetGranularity(size_t*, const CUmulticastObjectProp*, CUmulticastGranularity_flags) {
  return refuse(__func__, multicast);
}

KILN_EMULATOR_API cuMemMapArrayAsync(CUarrayMapInfo*, unsigned, CUstream) { return refuse(__func__, sparse); }
