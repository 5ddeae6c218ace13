// Device code that makes random numbers.
#pragma once

#include <string>

namespace kiln {

/// CUDA C++: kiln_uniform, kiln_normal and kiln_log_normal store what a block of random bits gives into the places that
/// a vector has of it.
std::string random_text();
/// CUDA C++: kiln_poisson gives the number of a mean, a seed and a position.
std::string poisson_text();

}  // namespace kiln
