// Names of the host's libraries, which kernels cannot use.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// A sentence about a name that is not declared, or not for kernels, such as "std::vector", "rand" or "cudaMalloc":
/// whose it is, and what a kernel uses instead. Empty for other names. Of std::, and of text that has several such
/// names, as nvcc's words for a function of a class template, the first that is known counts.
std::string host_name_advice(std::string_view name);

/// The same of Thrust's vectors alone, such as "thrust::device_vector", in a name or a text that has one.
std::string host_container_advice(std::string_view name);

/// Whether a name, or text that has several, has one of std.
bool is_of_std(std::string_view name);

}  // namespace kiln
