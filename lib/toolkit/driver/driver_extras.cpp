#include "toolkit/driver/driver_extras.hpp"

#include "base/keep_first.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/launch_ranges.hpp"

#include <atomic>
#include <memory>
#include <utility>

namespace kiln {
namespace {

// Never freed: destructors of static objects still ask for it.
std::atomic<const DriverExtras*> extras_in_use{nullptr};

}  // namespace

const DriverExtras& DriverExtras::get() {
  const Driver& driver = Driver::get();
  if (const DriverExtras* extras = extras_in_use.load(std::memory_order_acquire)) return *extras;
  auto extras = std::make_unique<DriverExtras>(driver.symbols);
  put_launches_in_ranges(*extras);
  return keep_first(extras_in_use, std::unique_ptr<const DriverExtras>(std::move(extras)));
}

const DriverExtras* DriverExtras::if_open() noexcept {
  return Driver::if_open() == nullptr ? nullptr : extras_in_use.load(std::memory_order_acquire);
}

}  // namespace kiln
