// Names of NVIDIA's C++ libraries, whose inline namespaces have a version.
#pragma once

#include <string>

namespace kiln {

/// A C++ name or a text with such names, without these namespaces, which no source writes: "cuda::std::__4::array" is
/// "cuda::std::array", "thrust::THRUST_300001_SM_900_NS::tuple" is "thrust::tuple".
std::string without_library_versions(std::string text);

}  // namespace kiln
