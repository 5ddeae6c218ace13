#include "toolkit/driver/driver_extras.hpp"

#include "toolkit/driver/driver.hpp"

#include <atomic>
#include <memory>

namespace kiln {
namespace {

// Never freed: destructors of static objects still ask for it.
std::atomic<const DriverExtras*> extras_in_use{nullptr};

const DriverExtras& bind(const DriverSymbols& symbols) {
  auto extras = std::make_unique<DriverExtras>(symbols);
  const DriverExtras* first = nullptr;  // of threads that bind at the same time
  if (extras_in_use.compare_exchange_strong(first, extras.get(), std::memory_order_acq_rel)) return *extras.release();
  return *first;
}

}  // namespace

const DriverExtras& DriverExtras::get() {
  const Driver& driver = Driver::get();
  if (const DriverExtras* extras = extras_in_use.load(std::memory_order_acquire)) return *extras;
  return bind(driver.symbols);
}

const DriverExtras* DriverExtras::if_open() noexcept {
  return Driver::if_open() == nullptr ? nullptr : extras_in_use.load(std::memory_order_acquire);
}

}  // namespace kiln
