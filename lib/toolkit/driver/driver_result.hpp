// What a driver says about its results.
#pragma once

#include "toolkit/driver/driver.hpp"

namespace kiln {

/// cuInit of a driver that has been bound. Throws DriverError that says what the usual causes and remedies are.
void start_driver(const Driver& driver);

}  // namespace kiln
