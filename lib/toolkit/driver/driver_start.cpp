#include "toolkit/driver/driver_start.hpp"

#include "toolkit/driver/driver_result.hpp"

#include <kiln/error.hpp>

namespace kiln {
namespace {

const char* advice(CUresult result) {
  switch (result) {
    case CUDA_ERROR_NO_DEVICE:
      return "there is no CUDA device that this process may use: see what nvidia-smi lists, whether "
             "CUDA_VISIBLE_DEVICES hides it, and whether the container or batch job was given a GPU";
    case CUDA_ERROR_STUB_LIBRARY:
      return "this is the toolkit's stub, which is for linking only and not a driver: take the 'stubs' folder off "
             "LD_LIBRARY_PATH, or install the NVIDIA driver";
    case CUDA_ERROR_NOT_INITIALIZED:
      return "this happens in a child of fork whose parent uses the driver: start the process with exec or "
             "posix_spawn, or fork before the first CUDA call";
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
      return "the driver's library and its kernel module have different versions: restart the machine after a driver "
             "update, or install the library that fits the module";
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
      return "a forward-compatibility libcuda is in use on a device that does not allow it: take the toolkit's "
             "'compat' folder off the loader's path";
    case CUDA_ERROR_SYSTEM_NOT_READY:
      return "a service that the GPUs of this machine need, such as nvidia-fabricmanager, does not run yet";
    default:
      return "see nvidia-smi and the kernel's log";
  }
}

}  // namespace

void start_driver(const Driver& driver) {
  const CUresult result = driver.init(0);
  if (result == CUDA_SUCCESS) return;
  const std::string name = result_name(driver, result);
  throw DriverError("cuInit failed: " + result_text(driver, result) + " (" + name + "): " + advice(result) +
                        ". The driver library is " + driver.path,
                    result, name, "cuInit");
}

}  // namespace kiln
