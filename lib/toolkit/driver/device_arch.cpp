#include "base/shared_library.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/driver_library.hpp"

namespace kiln {
namespace {

constexpr const char* driver_name = "libcuda.so.1";
constinit LibraryWatch driver_library{driver_name};

// The few functions for the current device's architecture; all of them fail with CUDA_ERROR_NOT_INITIALIZED before
// cuInit.
struct DeviceQuery {
  decltype(&::cuCtxGetDevice) ctx_get_device;
  decltype(&::cuDeviceGet) device_get;
  decltype(&::cuDeviceGetAttribute) device_get_attribute;

  std::optional<int> arch() const {
    CUdevice device = 0;
    if (ctx_get_device == nullptr || device_get == nullptr || device_get_attribute == nullptr) return std::nullopt;
    if (ctx_get_device(&device) != CUDA_SUCCESS && device_get(&device, 0) != CUDA_SUCCESS) return std::nullopt;
    int major = 0;
    int minor = 0;
    if (device_get_attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) != CUDA_SUCCESS ||
        device_get_attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) != CUDA_SUCCESS)
      return std::nullopt;
    return major * 10 + minor;
  }
};

}  // namespace

std::optional<int> initialised_device_arch() noexcept {
  try {
    if (const Driver* driver = Driver::if_open())
      return DeviceQuery{driver->ctx_get_device, driver->device_get, driver->device_get_attribute}.arch();
    if (!nvidia_driver_is_chosen() || !driver_library.is_loaded()) return std::nullopt;
    const SharedLibrary library = SharedLibrary::open(driver_name);
    // The plain exported names: these three have had one prototype from the start.
    return DeviceQuery{reinterpret_cast<decltype(&::cuCtxGetDevice)>(library.symbol("cuCtxGetDevice")),
                       reinterpret_cast<decltype(&::cuDeviceGet)>(library.symbol("cuDeviceGet")),
                       reinterpret_cast<decltype(&::cuDeviceGetAttribute)>(library.symbol("cuDeviceGetAttribute"))}
        .arch();
  } catch (...) {
    return std::nullopt;
  }
}

bool has_device() noexcept {
  try {
    int count = 0;
    return Driver::get().device_get_count(&count) == CUDA_SUCCESS && count > 0;
  } catch (...) {
    return false;
  }
}

}  // namespace kiln
