// Copies of plain ranges.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>

namespace kiln::emulator {

/// Which memory an address must be of: a device's (or what devices reach), the host's (any), or either.
enum class Side { device, host, either };

struct CopyRequest {
  std::uint64_t to = 0, from = 0;
  std::size_t size = 0;
  Side to_side = Side::either, from_side = Side::either;
};

/// Done when this returns, in the order of the legacy stream. Throws CallError.
CUresult copy_now(const CopyRequest& request);
/// In the stream's order. What the host may not see change under it is done or kept at once, as by the driver: the
/// source may be used again where it is memory of the host that no device reaches.
CUresult copy_in_order(const CopyRequest& request, CUstream stream);

}  // namespace kiln::emulator
