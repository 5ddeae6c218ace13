// Device code that makes random numbers.
#pragma once

#include <string>

namespace kiln {

/// CUDA C++: kiln_uniform and kiln_normal store what a block of random bits gives into the places that a vector has of
/// it.
std::string random_text();

}  // namespace kiln
