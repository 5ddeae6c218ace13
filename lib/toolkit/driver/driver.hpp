// The interface to the driver: one table of CUDA driver functions, filled from libcuda.so.1 or from any library that
// exports the same symbols. The only file of Kiln that binds them; tests put a fake library behind it.
#pragma once

#include "toolkit/driver/driver_symbols.hpp"

#include <cuda.h>

#include <optional>
#include <string>

namespace kiln {

struct Driver {
  /// Binds all functions; calls none. Throws ToolkitError that names the first missing one.
  explicit Driver(const SharedLibrary& library);

  std::string path;
  /// For what is bound later: driver_extras.hpp.
  DriverSymbols symbols;
  /// The library loads machine code. False for one that takes PTX only (it says so by exporting the unsigned integer
  /// kiln_driver_code_kinds with bit 0, cubin, clear; bit 1 is PTX).
  bool loads_cubin;
  /// What the calling thread's last call said beyond its result: kiln_driver_message of a library that has it, else
  /// null. Empty where it said nothing.
  const char* (*message)();

  decltype(&::cuInit) init = required("cuInit", 2000);
  decltype(&::cuGetErrorName) get_error_name = required("cuGetErrorName", 6000);
  decltype(&::cuGetErrorString) get_error_string = required("cuGetErrorString", 6000);
  decltype(&::cuDriverGetVersion) driver_get_version = required("cuDriverGetVersion", 2020);
  decltype(&::cuDeviceGet) device_get = required("cuDeviceGet", 2000);
  decltype(&::cuDeviceGetCount) device_get_count = required("cuDeviceGetCount", 2000);
  decltype(&::cuDeviceGetName) device_get_name = required("cuDeviceGetName", 2000);
  decltype(&::cuDeviceTotalMem) device_total_mem = required("cuDeviceTotalMem", 3020, "_v2");
  decltype(&::cuDeviceGetAttribute) device_get_attribute = required("cuDeviceGetAttribute", 2000);
  decltype(&::cuDevicePrimaryCtxRetain) device_primary_ctx_retain = required("cuDevicePrimaryCtxRetain", 7000);
  decltype(&::cuCtxGetCurrent) ctx_get_current = required("cuCtxGetCurrent", 4000);
  decltype(&::cuCtxSetCurrent) ctx_set_current = required("cuCtxSetCurrent", 4000);
  decltype(&::cuCtxGetDevice) ctx_get_device = required("cuCtxGetDevice", 2000);
  decltype(&::cuStreamCreate) stream_create = required("cuStreamCreate", 2000);
  decltype(&::cuStreamDestroy) stream_destroy = required("cuStreamDestroy", 4000, "_v2");
  decltype(&::cuStreamSynchronize) stream_synchronize = required("cuStreamSynchronize", 2000);
  decltype(&::cuStreamQuery) stream_query = required("cuStreamQuery", 2000);
  decltype(&::cuStreamWaitEvent) stream_wait_event = required("cuStreamWaitEvent", 3020);
  decltype(&::cuStreamGetCtx) stream_get_ctx = required("cuStreamGetCtx", 9020);
  decltype(&::cuEventCreate) event_create = required("cuEventCreate", 2000);
  decltype(&::cuEventDestroy) event_destroy = required("cuEventDestroy", 4000, "_v2");
  decltype(&::cuEventRecord) event_record = required("cuEventRecord", 2000);
  decltype(&::cuEventSynchronize) event_synchronize = required("cuEventSynchronize", 2000);
  decltype(&::cuEventQuery) event_query = required("cuEventQuery", 2000);
  decltype(&::cuEventElapsedTime) event_elapsed_time = required("cuEventElapsedTime", 2000);
  decltype(&::cuMemAlloc) mem_alloc = required("cuMemAlloc", 3020, "_v2");
  decltype(&::cuMemFree) mem_free = required("cuMemFree", 3020, "_v2");
  decltype(&::cuMemcpyHtoD) memcpy_htod = required("cuMemcpyHtoD", 3020, "_v2");
  decltype(&::cuMemcpyDtoH) memcpy_dtoh = required("cuMemcpyDtoH", 3020, "_v2");
  decltype(&::cuLibraryLoadData) library_load_data = required("cuLibraryLoadData", 12000);
  decltype(&::cuLibraryUnload) library_unload = required("cuLibraryUnload", 12000);
  decltype(&::cuLibraryGetKernel) library_get_kernel = required("cuLibraryGetKernel", 12000);
  decltype(&::cuLibraryGetGlobal) library_get_global = required("cuLibraryGetGlobal", 12000);
  decltype(&::cuLibraryGetManaged) library_get_managed = required("cuLibraryGetManaged", 12000);
  decltype(&::cuKernelGetFunction) kernel_get_function = required("cuKernelGetFunction", 12000);
  decltype(&::cuKernelGetAttribute) kernel_get_attribute = required("cuKernelGetAttribute", 12000);
  decltype(&::cuKernelSetAttribute) kernel_set_attribute = required("cuKernelSetAttribute", 12000);
  decltype(&::cuLaunchKernel) launch_kernel = required("cuLaunchKernel", 4000);
  // Newer than 12.0; null where the driver lacks them.
  decltype(&::cuKernelGetParamInfo) kernel_get_param_info = newer("cuKernelGetParamInfo", 12040);
  decltype(&::cuLibraryGetKernelCount) library_get_kernel_count = newer("cuLibraryGetKernelCount", 12040);
  decltype(&::cuLibraryEnumerateKernels) library_enumerate_kernels = newer("cuLibraryEnumerateKernels", 12040);
  decltype(&::cuKernelGetName) kernel_get_name = newer("cuKernelGetName", 12030);

  /// The table, opened and initialised (cuInit) at the first call. Throws ToolkitError (no library, a function missing)
  /// or DriverError (cuInit failed: no device, a driver older than the library; or this process is a fork of one that
  /// had initialised the driver). Thread-safe; costs a load and a compare once open.
  static const Driver& get();
  /// The table where get() succeeded before in this process, else null. Never opens or initialises anything.
  static const Driver* if_open() noexcept;

 private:
  FunctionAddress required(const char* name, int version, const char* suffix = "") const;
  FunctionAddress newer(const char* name, int version) const { return {symbols.find(name, version)}; }
};

/// "<call> failed: <text> (<name>)<context>", and what the driver library says beyond that.
std::string driver_failure(int result, const char* call, const std::string& context = "");

/// Throws DriverError with that text unless result is CUDA_SUCCESS.
void check_driver(int result, const char* call, const std::string& context = {});
[[noreturn]] void throw_driver_error(int result, const char* call, const std::string& context = {});

/// The name of a result, such as "CUDA_ERROR_INVALID_VALUE"; "CUresult <n>" where the driver does not know it or is not
/// open.
std::string driver_result_name(int result);

/// Whether get() would succeed and there is a device; opens and initialises the driver, never throws.
bool has_device() noexcept;

/// The current device's compute capability, such as 90, where the driver is initialised in this process already: by
/// Kiln, or by the program through libcuda.so.1. The current context's device, else device 0. Never initialises
/// anything.
std::optional<int> initialised_device_arch() noexcept;

}  // namespace kiln
