// What a driver says about its results.
#pragma once

#include "toolkit/driver/driver.hpp"

#include <string>

namespace kiln {

/// "CUDA_ERROR_INVALID_VALUE", or "CUresult <n>" where the driver does not know it.
std::string result_name(const Driver& driver, int result);
/// "invalid argument", or "unknown result".
std::string result_text(const Driver& driver, int result);

}  // namespace kiln
