// The driver door: one table of CUDA driver functions, filled from libcuda.so.1 or from any library that exports the
// same symbols. The only file of Kiln that binds them; tests put a fake library behind it.
#pragma once

#include "toolkit/driver/driver_symbols.hpp"

#include <cuda.h>

#include <optional>
#include <string>

namespace kiln {

struct Driver {
  decltype(&::cuInit) init = nullptr;
  decltype(&::cuGetErrorName) get_error_name = nullptr;
  decltype(&::cuGetErrorString) get_error_string = nullptr;
  decltype(&::cuDriverGetVersion) driver_get_version = nullptr;
  decltype(&::cuDeviceGet) device_get = nullptr;
  decltype(&::cuDeviceGetCount) device_get_count = nullptr;
  decltype(&::cuDeviceGetName) device_get_name = nullptr;
  decltype(&::cuDeviceTotalMem) device_total_mem = nullptr;
  decltype(&::cuDeviceGetAttribute) device_get_attribute = nullptr;
  decltype(&::cuDevicePrimaryCtxRetain) device_primary_ctx_retain = nullptr;
  decltype(&::cuCtxGetCurrent) ctx_get_current = nullptr;
  decltype(&::cuCtxSetCurrent) ctx_set_current = nullptr;
  decltype(&::cuCtxGetDevice) ctx_get_device = nullptr;
  decltype(&::cuCtxSynchronize) ctx_synchronize = nullptr;
  decltype(&::cuStreamCreate) stream_create = nullptr;
  decltype(&::cuStreamDestroy) stream_destroy = nullptr;
  decltype(&::cuStreamSynchronize) stream_synchronize = nullptr;
  decltype(&::cuStreamQuery) stream_query = nullptr;
  decltype(&::cuStreamWaitEvent) stream_wait_event = nullptr;
  decltype(&::cuStreamGetCtx) stream_get_ctx = nullptr;
  decltype(&::cuEventCreate) event_create = nullptr;
  decltype(&::cuEventDestroy) event_destroy = nullptr;
  decltype(&::cuEventRecord) event_record = nullptr;
  decltype(&::cuEventSynchronize) event_synchronize = nullptr;
  decltype(&::cuEventQuery) event_query = nullptr;
  decltype(&::cuEventElapsedTime) event_elapsed_time = nullptr;
  decltype(&::cuMemAlloc) mem_alloc = nullptr;
  decltype(&::cuMemFree) mem_free = nullptr;
  decltype(&::cuMemcpyHtoD) memcpy_htod = nullptr;
  decltype(&::cuMemcpyDtoH) memcpy_dtoh = nullptr;
  decltype(&::cuLibraryLoadData) library_load_data = nullptr;
  decltype(&::cuLibraryUnload) library_unload = nullptr;
  decltype(&::cuLibraryGetKernel) library_get_kernel = nullptr;
  decltype(&::cuLibraryGetGlobal) library_get_global = nullptr;
  decltype(&::cuLibraryGetManaged) library_get_managed = nullptr;
  decltype(&::cuKernelGetFunction) kernel_get_function = nullptr;
  decltype(&::cuKernelGetAttribute) kernel_get_attribute = nullptr;
  decltype(&::cuKernelSetAttribute) kernel_set_attribute = nullptr;
  decltype(&::cuLaunchKernel) launch_kernel = nullptr;
  // Newer than 12.0; null where the driver lacks them.
  decltype(&::cuKernelGetParamInfo) kernel_get_param_info = nullptr;
  decltype(&::cuLibraryGetKernelCount) library_get_kernel_count = nullptr;
  decltype(&::cuLibraryEnumerateKernels) library_enumerate_kernels = nullptr;
  decltype(&::cuKernelGetName) kernel_get_name = nullptr;

  std::string path;
  /// For what is bound later: driver_extras.hpp.
  std::optional<DriverSymbols> symbols;
  /// The library loads machine code. False for one that takes PTX only (it says so by exporting the unsigned integer
  /// kiln_driver_code_kinds with bit 0, cubin, clear; bit 1 is PTX).
  bool loads_cubin = true;
  /// What the calling thread's last call said beyond its result: kiln_driver_message of a library that has it, else
  /// null. Empty where it said nothing.
  const char* (*message)() = nullptr;

  /// The table, opened and initialised (cuInit) at the first call. Throws ToolkitError (no library, a function missing)
  /// or DriverError (cuInit failed: no device, a driver older than the library; or this process is a fork of one that
  /// had initialised the driver). Thread-safe; costs a load and a compare once open.
  static const Driver& get();
  /// The table where get() succeeded before in this process, else null. Never opens or initialises anything.
  static const Driver* if_open() noexcept;
};

/// "<call> failed: <text> (<name>)<context>", and what the driver library says beyond that.
std::string driver_failure(int result, const char* call, const std::string& context = "");

/// Throws DriverError with that text unless result is CUDA_SUCCESS.
void check_driver(int result, const char* call, const std::string& context = {});

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
