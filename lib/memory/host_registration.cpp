#include <kiln/host_registration.hpp>

#include "base/argument_error.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <memory>
#include <string>

namespace kiln {

HostRegistration::HostRegistration(void* pointer, std::size_t bytes, HostRegistrationFlags flags) {
  if (bytes == 0) return;
  if (pointer == nullptr)
    throw_argument_error("HostRegistration: a null pointer, with " + std::to_string(bytes) + " bytes to page-lock",
                         "host memory", "null");
  unsigned driver_flags = 0;
  if (flags.portable) driver_flags |= CU_MEMHOSTREGISTER_PORTABLE;
  if (flags.mapped) driver_flags |= CU_MEMHOSTREGISTER_DEVICEMAP;
  if (flags.io_memory) driver_flags |= CU_MEMHOSTREGISTER_IOMEMORY;
  if (flags.read_only) driver_flags |= CU_MEMHOSTREGISTER_READ_ONLY;
  require_context();
  const DriverExtras& driver = DriverExtras::get();
  check_work(driver.mem_host_register(pointer, bytes, driver_flags), "cuMemHostRegister",
             " for " + std::to_string(bytes) + " bytes");
  std::unique_ptr<void, decltype(&unregister_host)> owner(pointer, &unregister_host);
  if (flags.mapped) check_work(driver.mem_host_get_device_pointer(&device_, pointer, 0), "cuMemHostGetDevicePointer");
  pointer_ = owner.release();
}

HostRegistration::~HostRegistration() { unregister_host(pointer_); }

}  // namespace kiln
