// Tensor maps: what cuTensorMapEncode* makes and the copies of boxes (cp.async.bulk.tensor) read.
#pragma once

#include <cuda.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace kiln::emulator {

/// The arguments of cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col. Dimensions go from the innermost outwards.
struct TensorMap {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
  std::uint32_t rank = 1;
  bool im2col = false;
  std::uint64_t address = 0;
  std::array<std::uint64_t, 5> sizes = {1, 1, 1, 1, 1};  // elements, 1 to 2^32
  std::array<std::uint64_t, 4> strides = {};             // bytes, of all dimensions but the innermost
  std::array<std::uint32_t, 5> box = {1, 1, 1, 1, 1};    // tiled only
  std::array<std::int32_t, 3> lower_corner = {};         // im2col only: W, H, D
  std::array<std::int32_t, 3> upper_corner = {};         // the same
  std::uint32_t channels = 1, pixels = 1;                // the same
  std::array<std::uint32_t, 5> element_strides = {1, 1, 1, 1, 1};
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMapL2promotion promotion = CU_TENSOR_MAP_L2_PROMOTION_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
};

using TensorMapBytes = std::array<std::byte, 128>;

/// The emulator's own encoding, with a mark by which it is recognised.
TensorMapBytes encoded(const TensorMap& map);
/// False for bytes that encoded() has not made.
bool decode(const TensorMapBytes& bytes, TensorMap& map);

/// Bytes of an element, 1 to 8.
unsigned element_bytes(CUtensorMapDataType type);
bool is_floating(CUtensorMapDataType type);

/// Throws CallError (CUDA_ERROR_INVALID_VALUE, or CUDA_ERROR_NOT_SUPPORTED for what is of sm_100) with the rule of
/// cuda.h that the map breaks.
void check_rules(const TensorMap& map);
/// The alignment of its address, in bytes.
unsigned address_alignment(const TensorMap& map);

}  // namespace kiln::emulator
