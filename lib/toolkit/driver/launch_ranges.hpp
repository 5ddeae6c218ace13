// KILN_NVTX=launches: a range around each call of the driver that launches.
#pragma once

#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <string>

namespace kiln {

// Where launches have ranges, the tables get other functions in the place of the driver's: without that variable a
// launch does the same as without ranges, without a check. To be called before the table is used.
void put_launches_in_ranges(Driver& driver);
void put_launches_in_ranges(DriverExtras& driver);

/// What is launched by that CUfunction or CUkernel, for the ranges. Does nothing where launches have none.
void name_for_launches(const void* handle, const std::string& kernel);

}  // namespace kiln
