// Which header of CUDA's declares a name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// "<curand_kernel.h>" for "curandState"; of a namespace, such as "cub", a header of its. Empty for other names.
std::string declaring_header(std::string_view name);

/// A sentence about a name of a header, such as "<cuda_fp16.h>" or that with more behind it: that the header is to be
/// included, or that its #include is below the byte of the source where the error is (npos: in another text). Empty
/// where it is included above, so that something else is wrong, and where `header` is empty.
std::string missing_header(std::string_view name, const std::string& header, std::string_view source, std::size_t at);

}  // namespace kiln
