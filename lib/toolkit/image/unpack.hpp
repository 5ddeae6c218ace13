// Unpacks images, by liblz4 and libzstd, which are opened when first needed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln {

/// nvcc packs by LZ4 up to CUDA 12, by Zstandard from CUDA 13 on.
enum class Packing { none, lz4, zstd };

/// The `size` bytes that were packed. Throws ToolkitError where the library is missing, Error where the bytes are
/// damaged or `size` is beyond 1 GiB.
std::string unpack(Packing packing, std::string_view packed, std::uint64_t size);

}  // namespace kiln
