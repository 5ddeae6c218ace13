#include <kiln/mem_get_info.hpp>

#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "toolkit/driver/driver_extras.hpp"

namespace kiln {

MemoryInfo mem_get_info() {
  const DriverExtras& driver = DriverExtras::get();
  MemoryInfo info = {};
  check_work(with_context([&] { return driver.mem_get_info(&info.free, &info.total); }), "cuMemGetInfo");
  return info;
}

}  // namespace kiln
