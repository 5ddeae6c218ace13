// Copies of byte ranges.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>

namespace kiln::emulator {

/// The memory that an address must be in: device memory (or memory that devices can access), host memory (any), or
/// either.
enum class Side { device, host, either };

struct CopyRequest {
  std::uint64_t to = 0, from = 0;
  std::size_t size = 0;
  Side to_side = Side::either, from_side = Side::either;
};

/// Copies before it returns, in the order of the legacy stream. Throws CallError.
CUresult copy_now(const CopyRequest& request);
/// Copies in the order of the stream. As with the driver, host memory that devices cannot access is read or written, or
/// its contents are saved, before this returns.
CUresult copy_in_order(const CopyRequest& request, CUstream stream);

}  // namespace kiln::emulator
