// Initialising a driver that has been bound.
#pragma once

#include "toolkit/driver/driver.hpp"

namespace kiln {

/// cuInit. Throws DriverError that says what the usual causes and remedies are.
void start_driver(const Driver& driver);

/// Whether neither use_driver nor KILN_DRIVER names a library.
bool nvidia_driver_is_chosen() noexcept;

}  // namespace kiln
