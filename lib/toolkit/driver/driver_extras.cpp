#include "toolkit/driver/driver_extras.hpp"

#include "base/keep_first.hpp"
#include "toolkit/driver/driver.hpp"

#include <atomic>
#include <memory>

namespace kiln {
namespace {

// Never freed: destructors of static objects still ask for it.
std::atomic<const DriverExtras*> extras_in_use{nullptr};

}  // namespace

const DriverExtras& DriverExtras::get() {
  const Driver& driver = Driver::get();
  if (const DriverExtras* extras = extras_in_use.load(std::memory_order_acquire)) return *extras;
  return keep_first(extras_in_use, std::make_unique<const DriverExtras>(driver.symbols));
}

const DriverExtras* DriverExtras::if_open() noexcept {
  return Driver::if_open() == nullptr ? nullptr : extras_in_use.load(std::memory_order_acquire);
}

}  // namespace kiln
