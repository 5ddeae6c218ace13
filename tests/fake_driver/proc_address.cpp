// cuGetProcAddress_v2, in a file of its own: one build of the fake leaves it out, as an old or foreign library does.
#include "fake_state.hpp"

#include <dlfcn.h>

#include <cstring>
#include <string>

#undef cuEventElapsedTime
extern "C" CUresult cuEventElapsedTime(float*, CUevent, CUevent);

namespace {

struct Entry {
  const char* name;
  /// The CUDA version that brought this prototype.
  int version;
  void* address;
};

template <class F>
void* address_of(F* function) {
  return reinterpret_cast<void*>(function);
}

const Entry entries[] = {
    {"cuInit", 2000, address_of(&cuInit)},
    {"cuGetErrorName", 6000, address_of(&cuGetErrorName)},
    {"cuGetErrorString", 6000, address_of(&cuGetErrorString)},
    {"cuDriverGetVersion", 2020, address_of(&cuDriverGetVersion)},
    {"cuDeviceGet", 2000, address_of(&cuDeviceGet)},
    {"cuDeviceGetCount", 2000, address_of(&cuDeviceGetCount)},
    {"cuDeviceGetName", 2000, address_of(&cuDeviceGetName)},
    {"cuDeviceTotalMem", 3020, address_of(&cuDeviceTotalMem)},
    {"cuDeviceGetAttribute", 2000, address_of(&cuDeviceGetAttribute)},
    {"cuDevicePrimaryCtxRetain", 7000, address_of(&cuDevicePrimaryCtxRetain)},
    {"cuCtxGetCurrent", 4000, address_of(&cuCtxGetCurrent)},
    {"cuCtxSetCurrent", 4000, address_of(&cuCtxSetCurrent)},
    {"cuCtxGetDevice", 2000, address_of(&cuCtxGetDevice)},
    {"cuCtxSynchronize", 2000, address_of(&cuCtxSynchronize)},
    {"cuStreamCreate", 2000, address_of(&cuStreamCreate)},
    {"cuStreamDestroy", 4000, address_of(&cuStreamDestroy)},
    {"cuStreamSynchronize", 2000, address_of(&cuStreamSynchronize)},
    {"cuStreamQuery", 2000, address_of(&cuStreamQuery)},
    {"cuStreamWaitEvent", 3020, address_of(&cuStreamWaitEvent)},
    {"cuStreamGetId", 12000, address_of(&cuStreamGetId)},
    {"cuStreamGetCtx", 9020, address_of(&cuStreamGetCtx)},
    {"cuEventCreate", 2000, address_of(&cuEventCreate)},
    {"cuEventDestroy", 4000, address_of(&cuEventDestroy)},
    {"cuEventRecord", 2000, address_of(&cuEventRecord)},
    {"cuEventSynchronize", 2000, address_of(&cuEventSynchronize)},
    {"cuEventQuery", 2000, address_of(&cuEventQuery)},
    {"cuEventElapsedTime", 2000, address_of(&cuEventElapsedTime)},
    {"cuMemAlloc", 3020, address_of(&cuMemAlloc)},
    {"cuMemFree", 3020, address_of(&cuMemFree)},
    {"cuMemcpyHtoD", 3020, address_of(&cuMemcpyHtoD)},
    {"cuMemcpyDtoH", 3020, address_of(&cuMemcpyDtoH)},
    {"cuLibraryLoadData", 12000, address_of(&cuLibraryLoadData)},
    {"cuLibraryUnload", 12000, address_of(&cuLibraryUnload)},
    {"cuLibraryGetKernel", 12000, address_of(&cuLibraryGetKernel)},
    {"cuLibraryGetGlobal", 12000, address_of(&cuLibraryGetGlobal)},
    {"cuLibraryGetManaged", 12000, address_of(&cuLibraryGetManaged)},
    {"cuKernelGetFunction", 12000, address_of(&cuKernelGetFunction)},
    {"cuKernelGetAttribute", 12000, address_of(&cuKernelGetAttribute)},
    {"cuKernelSetAttribute", 12000, address_of(&cuKernelSetAttribute)},
    {"cuLaunchKernel", 4000, address_of(&cuLaunchKernel)},
    {"cuKernelGetName", 12030, address_of(&cuKernelGetName)},
    {"cuKernelGetParamInfo", 12040, address_of(&cuKernelGetParamInfo)},
    {"cuLibraryGetKernelCount", 12040, address_of(&cuLibraryGetKernelCount)},
    {"cuLibraryEnumerateKernels", 12040, address_of(&cuLibraryEnumerateKernels)},
};

/// What the table does not list is of CUDA 12.0 or older, and asked for by its only prototype that Kiln knows.
void* exported(const fake_cuda::State& state, const std::string& name) {
  static void* const self = dlopen(fake_cuda::library_path().c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (state.version < 12000) return nullptr;
  void* address = dlsym(self, (name + "_v2").c_str());
  return address != nullptr ? address : dlsym(self, name.c_str());
}

}  // namespace

extern "C" CUresult cuGetProcAddress_v2(const char* symbol, void** address, int version, cuuint64_t,
                                        CUdriverProcAddressQueryResult* status) {
  return fake_cuda::call(
      "cuGetProcAddress",
      [&](fake_cuda::State& state) {
        CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
        *address = nullptr;
        bool listed = false;
        for (const Entry& entry : entries) {
          if (std::strcmp(entry.name, symbol) != 0) continue;
          listed = true;
          if (state.hidden.count(symbol) != 0) continue;
          const bool known = entry.version <= state.version && entry.version <= version;
          found = known ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
          if (known) *address = entry.address;
        }
        if (!listed && state.hidden.count(symbol) == 0) *address = exported(state, symbol);
        if (*address != nullptr) found = CU_GET_PROC_ADDRESS_SUCCESS;
        if (status != nullptr) *status = found;
        return *address != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
      },
      false);
}
