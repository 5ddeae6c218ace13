// cuGetProcAddress: look-up of functions by name and version.
#include "emulator/provider/context/call.hpp"

#include <dlfcn.h>

#include <string>
#include <string_view>

// The headers use this name for the second version. The first one is declared here.
#undef cuGetProcAddress

namespace {

// Names whose prototype has changed: the symbol for programs of that CUDA version or newer, up to the next row of the
// name. A name that is not listed has one prototype, and is exported under that name.
struct ProcRow {
  std::string_view name;
  int version;
  const char* suffix;
};
constexpr ProcRow proc_rows[] = {
    {"cuArray3DCreate", 3020, "_v2"},
    {"cuArray3DGetDescriptor", 3020, "_v2"},
    {"cuArrayCreate", 3020, "_v2"},
    {"cuArrayGetDescriptor", 3020, "_v2"},
    {"cuCtxCreate", 2000, ""},
    {"cuCtxCreate", 3020, "_v2"},
    {"cuCtxCreate", 11040, "_v3"},
    {"cuCtxCreate", 12050, "_v4"},
    {"cuCtxDestroy", 4000, "_v2"},
    {"cuCtxPopCurrent", 4000, "_v2"},
    {"cuCtxPushCurrent", 4000, "_v2"},
    {"cuDeviceGetUuid", 11040, "_v2"},
    {"cuDevicePrimaryCtxRelease", 11000, "_v2"},
    {"cuDevicePrimaryCtxReset", 11000, "_v2"},
    {"cuDevicePrimaryCtxSetFlags", 11000, "_v2"},
    {"cuDeviceTotalMem", 3020, "_v2"},
    {"cuEventDestroy", 4000, "_v2"},
    {"cuEventElapsedTime", 2000, ""},
    {"cuEventElapsedTime", 12080, "_v2"},
    {"cuGetProcAddress", 11030, ""},
    {"cuGetProcAddress", 12000, "_v2"},
    {"cuGraphAddKernelNode", 12000, "_v2"},
    {"cuGraphExecKernelNodeSetParams", 12000, "_v2"},
    {"cuGraphExecUpdate", 12000, "_v2"},
    {"cuGraphInstantiate", 12000, "WithFlags"},
    {"cuIpcOpenMemHandle", 11000, "_v2"},
    {"cuLinkAddData", 6050, "_v2"},
    {"cuLinkAddFile", 6050, "_v2"},
    {"cuLinkCreate", 6050, "_v2"},
    {"cuMemAdvise", 8000, ""},
    {"cuMemAdvise", 12020, "_v2"},
    {"cuMemAlloc", 3020, "_v2"},
    {"cuMemAllocHost", 3020, "_v2"},
    {"cuMemAllocPitch", 3020, "_v2"},
    {"cuMemFree", 3020, "_v2"},
    {"cuMemGetAddressRange", 3020, "_v2"},
    {"cuMemGetInfo", 3020, "_v2"},
    {"cuMemHostGetDevicePointer", 3020, "_v2"},
    {"cuMemHostRegister", 6050, "_v2"},
    {"cuMemPrefetchAsync", 8000, ""},
    {"cuMemPrefetchAsync", 12020, "_v2"},
    {"cuMemcpy2D", 3020, "_v2"},
    {"cuMemcpy2DAsync", 3020, "_v2"},
    {"cuMemcpy2DUnaligned", 3020, "_v2"},
    {"cuMemcpy3D", 3020, "_v2"},
    {"cuMemcpy3DAsync", 3020, "_v2"},
    {"cuMemcpyAtoA", 3020, "_v2"},
    {"cuMemcpyAtoD", 3020, "_v2"},
    {"cuMemcpyAtoH", 3020, "_v2"},
    {"cuMemcpyAtoHAsync", 3020, "_v2"},
    {"cuMemcpyDtoA", 3020, "_v2"},
    {"cuMemcpyDtoD", 3020, "_v2"},
    {"cuMemcpyDtoDAsync", 3020, "_v2"},
    {"cuMemcpyDtoH", 3020, "_v2"},
    {"cuMemcpyDtoHAsync", 3020, "_v2"},
    {"cuMemcpyHtoA", 3020, "_v2"},
    {"cuMemcpyHtoAAsync", 3020, "_v2"},
    {"cuMemcpyHtoD", 3020, "_v2"},
    {"cuMemcpyHtoDAsync", 3020, "_v2"},
    {"cuMemsetD16", 3020, "_v2"},
    {"cuMemsetD2D16", 3020, "_v2"},
    {"cuMemsetD2D32", 3020, "_v2"},
    {"cuMemsetD2D8", 3020, "_v2"},
    {"cuMemsetD32", 3020, "_v2"},
    {"cuMemsetD8", 3020, "_v2"},
    {"cuModuleGetGlobal", 3020, "_v2"},
    {"cuStreamBatchMemOp", 8000, "_v2"},
    {"cuStreamBeginCapture", 10010, "_v2"},
    {"cuStreamDestroy", 4000, "_v2"},
    {"cuStreamWaitValue32", 8000, "_v2"},
    {"cuStreamWaitValue64", 9000, "_v2"},
    {"cuStreamWriteValue32", 8000, "_v2"},
    {"cuStreamWriteValue64", 9000, "_v2"},
};

struct Choice {
  bool known = false, version_fits = true;
  std::string exported;
};

Choice choose(std::string_view name, int version) {
  Choice choice{false, true, std::string(name)};
  for (const ProcRow& row : proc_rows) {
    if (row.name != name) continue;
    if (!choice.known) choice.version_fits = false;
    choice.known = true;
    if (row.version > version) continue;
    choice.exported = std::string(name) + row.suffix;
    choice.version_fits = true;
  }
  return choice;
}

// This library, in whichever way it was opened.
void* own_library() {
  static void* const handle = [] {
    Dl_info info = {};
    const auto here = reinterpret_cast<void*>(&cuGetProcAddress_v2);
    return dladdr(here, &info) != 0 ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
  }();
  return handle;
}

CUresult find_function(const char* name, void** out, int version, CUdriverProcAddressQueryResult* status) {
  if (name == nullptr || out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *out = nullptr;
  const auto tell = [&](CUdriverProcAddressQueryResult result) {
    if (status != nullptr) *status = result;
  };
  const Choice choice = choose(name, version);
  if (!choice.version_fits) {
    tell(CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    return CUDA_ERROR_NOT_FOUND;
  }
  void* const library = own_library();
  const bool is_driver_name = choice.exported.rfind("cu", 0) == 0;
  *out = library != nullptr && is_driver_name ? dlsym(library, choice.exported.c_str()) : nullptr;
  tell(*out != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  return *out != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

}  // namespace

KILN_EMULATOR_API cuGetProcAddress_v2(const char* name, void** out, int version, cuuint64_t,
                                      CUdriverProcAddressQueryResult* status) {
  try {
    return find_function(name, out, version, status);
  } catch (...) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
}

extern "C" CUresult cuGetProcAddress(const char*, void**, int, cuuint64_t);
KILN_EMULATOR_API cuGetProcAddress(const char* name, void** out, int version, cuuint64_t) {
  return cuGetProcAddress_v2(name, out, version, 0, nullptr);
}
