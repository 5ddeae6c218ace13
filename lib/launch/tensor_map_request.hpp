// A tensor map in the form of the driver's call.
#pragma once

#include <kiln/tensor_map.hpp>

#include <array>
#include <cstdint>
#include <string>

#include <cuda.h>

namespace kiln {

/// Both kinds of maps, complete: what was left out is filled in. A plain value of fixed size, so that equal requests
/// are equal in all their members.
struct TensorMapRequest {
  bool im2col = false;
  int device = 0;
  const void* pointer = nullptr;
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
  std::uint32_t rank = 0;
  std::array<cuuint64_t, 5> sizes = {};
  std::array<cuuint64_t, 4> strides = {};
  std::array<cuuint32_t, 5> element_strides = {};
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMapL2promotion l2_promotion = CU_TENSOR_MAP_L2_PROMOTION_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  std::array<cuuint32_t, 5> box = {};    // tiled
  std::array<int, 3> lower_corner = {};  // im2col
  std::array<int, 3> upper_corner = {};  // im2col
  cuuint32_t channels_per_pixel = 0;     // im2col
  cuuint32_t pixels_per_column = 0;      // im2col

  auto operator<=>(const TensorMapRequest&) const = default;  // NOLINT(modernize-use-nullptr): its 0

  const char* function() const { return im2col ? "TensorMap::im2col" : "TensorMap::tiled"; }
};

/// Complete requests for a device. They throw ArgumentError where the numbers of dimensions do not match, or where an
/// enumeration's value is none of the driver's.
TensorMapRequest request_of(const TensorMapTiled& tensor, int device);
TensorMapRequest request_of(const TensorMapIm2col& tensor, int device);

/// Throws ArgumentError, which names the member at fault, unless the request keeps every rule that the driver's
/// documentation states, and its device can do it.
void check_tensor_map(const TensorMapRequest& request);

/// Throws ArgumentError about one member: "TensorMap::tiled: what: expected E, given G" and the advice.
[[noreturn]] void throw_tensor_map(const char* function, const std::string& what, const std::string& expected,
                                   const std::string& given, const std::string& advice = {});

/// Bits of an element in global memory.
unsigned element_bits(CUtensorMapDataType type);

}  // namespace kiln
