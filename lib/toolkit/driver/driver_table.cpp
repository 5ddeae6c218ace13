#include "toolkit/driver/driver_table.hpp"

#include <kiln/error.hpp>

namespace kiln {
namespace {

struct DriverRow {
  const char* name;
  const char* exported;
  int version;
  bool required;
  void (*store)(Driver&, void*);
};

constexpr DriverRow driver_rows[] = {
    {"cuInit", "cuInit", 2000, true, store_symbol<&Driver::init>},
    {"cuGetErrorName", "cuGetErrorName", 6000, true, store_symbol<&Driver::get_error_name>},
    {"cuGetErrorString", "cuGetErrorString", 6000, true, store_symbol<&Driver::get_error_string>},
    {"cuDeviceGet", "cuDeviceGet", 2000, true, store_symbol<&Driver::device_get>},
    {"cuDeviceGetCount", "cuDeviceGetCount", 2000, true, store_symbol<&Driver::device_get_count>},
    {"cuDeviceGetName", "cuDeviceGetName", 2000, true, store_symbol<&Driver::device_get_name>},
    {"cuDeviceTotalMem", "cuDeviceTotalMem_v2", 3020, true, store_symbol<&Driver::device_total_mem>},
    {"cuDeviceGetAttribute", "cuDeviceGetAttribute", 2000, true, store_symbol<&Driver::device_get_attribute>},
    {"cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRetain", 7000, true,
     store_symbol<&Driver::device_primary_ctx_retain>},
    {"cuCtxGetCurrent", "cuCtxGetCurrent", 4000, true, store_symbol<&Driver::ctx_get_current>},
    {"cuCtxSetCurrent", "cuCtxSetCurrent", 4000, true, store_symbol<&Driver::ctx_set_current>},
    {"cuCtxGetDevice", "cuCtxGetDevice", 2000, true, store_symbol<&Driver::ctx_get_device>},
    {"cuCtxSynchronize", "cuCtxSynchronize", 2000, true, store_symbol<&Driver::ctx_synchronize>},
    {"cuStreamCreate", "cuStreamCreate", 2000, true, store_symbol<&Driver::stream_create>},
    {"cuStreamDestroy", "cuStreamDestroy_v2", 4000, true, store_symbol<&Driver::stream_destroy>},
    {"cuStreamSynchronize", "cuStreamSynchronize", 2000, true, store_symbol<&Driver::stream_synchronize>},
    {"cuStreamQuery", "cuStreamQuery", 2000, true, store_symbol<&Driver::stream_query>},
    {"cuStreamWaitEvent", "cuStreamWaitEvent", 3020, true, store_symbol<&Driver::stream_wait_event>},
    {"cuStreamGetCtx", "cuStreamGetCtx", 9020, true, store_symbol<&Driver::stream_get_ctx>},
    {"cuEventCreate", "cuEventCreate", 2000, true, store_symbol<&Driver::event_create>},
    {"cuEventDestroy", "cuEventDestroy_v2", 4000, true, store_symbol<&Driver::event_destroy>},
    {"cuEventRecord", "cuEventRecord", 2000, true, store_symbol<&Driver::event_record>},
    {"cuEventSynchronize", "cuEventSynchronize", 2000, true, store_symbol<&Driver::event_synchronize>},
    {"cuEventQuery", "cuEventQuery", 2000, true, store_symbol<&Driver::event_query>},
    // 12.8 has a second version with the same prototype; the first is in every driver.
    {"cuEventElapsedTime", "cuEventElapsedTime", 2000, true, store_symbol<&Driver::event_elapsed_time>},
    {"cuMemAlloc", "cuMemAlloc_v2", 3020, true, store_symbol<&Driver::mem_alloc>},
    {"cuMemFree", "cuMemFree_v2", 3020, true, store_symbol<&Driver::mem_free>},
    {"cuMemcpyHtoD", "cuMemcpyHtoD_v2", 3020, true, store_symbol<&Driver::memcpy_htod>},
    {"cuMemcpyDtoH", "cuMemcpyDtoH_v2", 3020, true, store_symbol<&Driver::memcpy_dtoh>},
    {"cuLibraryLoadData", "cuLibraryLoadData", 12000, true, store_symbol<&Driver::library_load_data>},
    {"cuLibraryUnload", "cuLibraryUnload", 12000, true, store_symbol<&Driver::library_unload>},
    {"cuLibraryGetKernel", "cuLibraryGetKernel", 12000, true, store_symbol<&Driver::library_get_kernel>},
    {"cuLibraryGetGlobal", "cuLibraryGetGlobal", 12000, true, store_symbol<&Driver::library_get_global>},
    {"cuLibraryGetManaged", "cuLibraryGetManaged", 12000, true, store_symbol<&Driver::library_get_managed>},
    {"cuKernelGetFunction", "cuKernelGetFunction", 12000, true, store_symbol<&Driver::kernel_get_function>},
    {"cuKernelGetAttribute", "cuKernelGetAttribute", 12000, true, store_symbol<&Driver::kernel_get_attribute>},
    {"cuKernelSetAttribute", "cuKernelSetAttribute", 12000, true, store_symbol<&Driver::kernel_set_attribute>},
    {"cuLaunchKernel", "cuLaunchKernel", 4000, true, store_symbol<&Driver::launch_kernel>},
    {"cuKernelGetName", "cuKernelGetName", 12030, false, store_symbol<&Driver::kernel_get_name>},
    {"cuKernelGetParamInfo", "cuKernelGetParamInfo", 12040, false, store_symbol<&Driver::kernel_get_param_info>},
    {"cuLibraryGetKernelCount", "cuLibraryGetKernelCount", 12040, false,
     store_symbol<&Driver::library_get_kernel_count>},
    {"cuLibraryEnumerateKernels", "cuLibraryEnumerateKernels", 12040, false,
     store_symbol<&Driver::library_enumerate_kernels>},
};

std::string version_text(const Driver& driver) {
  int version = 0;
  if (driver.driver_get_version == nullptr || driver.driver_get_version(&version) != CUDA_SUCCESS)
    return "of unknown version";
  return "for CUDA " + std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

// A library that says nothing loads machine code and PTX, as NVIDIA's driver does.
bool accepts_cubin(const SharedLibrary& library) {
  const void* kinds = library.symbol("kiln_driver_code_kinds");
  return kinds == nullptr || (*static_cast<const unsigned*>(kinds) & 1u) != 0;
}

}  // namespace

void bind_driver(const SharedLibrary& library, Driver& driver) {
  driver.path = library.path();
  driver.loads_cubin = accepts_cubin(library);
  driver.message = reinterpret_cast<const char* (*)()>(library.symbol("kiln_driver_message"));
  const DriverSymbols& symbols = driver.symbols.emplace(library);
  // First of all, because every other failure is told with the version.
  const DriverRow version_row = {"cuDriverGetVersion", "cuDriverGetVersion", 2020, true,
                                 store_symbol<&Driver::driver_get_version>};
  version_row.store(driver, symbols.find(version_row.name, version_row.exported, version_row.version));
  const auto require = [&](const void* address, const char* name) {
    if (address != nullptr) return;
    throw ToolkitError("the driver library " + driver.path + " (" + version_text(driver) + ") lacks the function " +
                           name + ": Kiln needs a driver for CUDA 12.0 or newer; install a newer NVIDIA driver",
                       {driver.path});
  };
  require(reinterpret_cast<const void*>(driver.driver_get_version), version_row.name);
  for (const DriverRow& row : driver_rows) {
    void* address = symbols.find(row.name, row.exported, row.version);
    if (row.required) require(address, row.name);
    row.store(driver, address);
  }
}

}  // namespace kiln
