// What a driver says about its results.
#pragma once

#include "toolkit/driver/driver.hpp"

#include <string>
#include <utility>

namespace kiln {

/// cuInit of a driver that has been bound. Throws DriverError that says what the usual causes and remedies are.
void start_driver(const Driver& driver);

/// {12, 4}, as cuDriverGetVersion says it. Throws DriverError.
std::pair<int, int> driver_version(const Driver& driver);

/// What to do where the driver refuses code, a clause for an error's text; empty for results that do not say that.
std::string refused_code_advice(int result);

}  // namespace kiln
