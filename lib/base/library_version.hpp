// Names of NVIDIA's C++ libraries, whose inline namespaces have a version.
#pragma once

#include <string>
#include <utility>

namespace kiln {

/// A C++ name or a text with such names, without these namespaces, which no source writes: "cuda::std::__4::array" is
/// "cuda::std::array", "thrust::THRUST_300001_SM_900_NS::tuple" is "thrust::tuple".
std::string without_library_versions(std::string text);

/// "13.0" of {13, 0}.
inline std::string version_text(std::pair<int, int> version) {
  return std::to_string(version.first) + '.' + std::to_string(version.second);
}

}  // namespace kiln
