// The rules of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col, as cuda.h states them.
#include "emulator/core/call_error.hpp"
#include "emulator/tensor_map/box_rows.hpp"
#include "emulator/tensor_map/tensor_map.hpp"

#include <string>

namespace kiln::emulator {
namespace {

[[noreturn]] void refuse_map(const std::string& text) { throw CallError(CUDA_ERROR_INVALID_VALUE, text); }

std::string numbered(const char* what, std::uint32_t i) { return std::string(what) + "[" + std::to_string(i) + "]"; }

void check_range(const std::string& what, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value < least || value > most)
    refuse_map(what + " is " + std::to_string(value) + ", not " + std::to_string(least) + " to " +
               std::to_string(most));
}

void check_multiple(const std::string& what, std::uint64_t value, std::uint64_t of) {
  if (value % of != 0) refuse_map(what + " is " + std::to_string(value) + ", no multiple of " + std::to_string(of));
}

void check_kinds(const TensorMap& map) {
  check_range("tensorDataType", map.type, 0, CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B);
  check_range("interleave", map.interleave, 0, CU_TENSOR_MAP_INTERLEAVE_32B);
  check_range("swizzle", map.swizzle, 0, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B);
  check_range("l2Promotion", map.promotion, 0, CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
  check_range("oobFill", map.fill, 0, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
  if (map.type > CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ)
    throw CallError(CUDA_ERROR_NOT_SUPPORTED, "the emulator has no tensor maps of packed types, which are of sm_100");
  if (map.swizzle > CU_TENSOR_MAP_SWIZZLE_128B)
    throw CallError(CUDA_ERROR_NOT_SUPPORTED, "the emulator has no swizzle with an atom, which is of sm_100");
  if (map.fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE && !is_floating(map.type))
    refuse_map("oobFill is NaN for elements that are not floating");
  if (map.interleave == CU_TENSOR_MAP_INTERLEAVE_32B && map.swizzle != CU_TENSOR_MAP_SWIZZLE_32B)
    refuse_map("swizzle is not CU_TENSOR_MAP_SWIZZLE_32B, which CU_TENSOR_MAP_INTERLEAVE_32B needs");
}

void check_memory(const TensorMap& map) {
  const unsigned alignment = address_alignment(map);
  check_multiple("globalAddress", map.address, alignment);
  for (std::uint32_t i = 0; i < map.rank; ++i) {
    check_range(numbered("globalDim", i), static_cast<std::int64_t>(map.sizes[i]), 1, std::int64_t{1} << 32);
    check_range(numbered("elementStrides", i), map.element_strides[i], 1, 8);
  }
  for (std::uint32_t i = 0; i + 1 < map.rank; ++i) {
    check_multiple(numbered("globalStrides", i), map.strides[i], alignment);
    check_range(numbered("globalStrides", i), static_cast<std::int64_t>(map.strides[i]), 0,
                (std::int64_t{1} << 40) - 1);
  }
}

// An H200's driver wants a multiple of 16 bytes of interleaved layouts, too.
void check_inner(const TensorMap& map, const std::string& what, std::uint32_t elements) {
  const unsigned bytes = elements * element_bytes(map.type);
  check_multiple(what + ", in bytes,", bytes, 16);
  if (map.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE || map.swizzle == CU_TENSOR_MAP_SWIZZLE_NONE) return;
  const unsigned span = 16u << map.swizzle;  // 32, 64, 128
  if (bytes > span)
    refuse_map(what + " has " + std::to_string(bytes) + " bytes, and the swizzle " + std::to_string(span));
}

void check_box(const TensorMap& map) {
  for (std::uint32_t i = 0; i < map.rank; ++i) check_range(numbered("boxDim", i), map.box[i], 1, 256);
  check_inner(map, "boxDim[0]", map.box[0]);
}

void check_pixels(const TensorMap& map) {
  constexpr std::int32_t lowest[] = {-32768, -128, -16};
  const std::int32_t low = lowest[map.rank - 3];
  const std::uint32_t first = first_pixel_dimension(map);
  for (std::uint32_t i = 0; i + 2 < map.rank; ++i) {
    check_range(numbered("pixelBoxLowerCorner", i), map.lower_corner[i], low, -low - 1);
    check_range(numbered("pixelBoxUpperCorner", i), map.upper_corner[i], low, -low - 1);
    if (map.lower_corner[i] >= static_cast<std::int64_t>(map.sizes[i + first]) + map.upper_corner[i])
      refuse_map("no pixel lies between " + numbered("pixelBoxLowerCorner", i) + " and the upper one");
  }
  check_range("channelsPerPixel", map.channels, 1, 256);
  check_range("pixelsPerColumn", map.pixels, 1, 1024);
  check_inner(map, "channelsPerPixel", map.channels);
}

}  // namespace

unsigned address_alignment(const TensorMap& map) { return map.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16; }

void check_rules(const TensorMap& map) {
  check_kinds(map);
  const bool inner_dimensions = map.im2col || map.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE;
  check_range("tensorRank", map.rank, inner_dimensions ? 3 : 1, 5);
  check_memory(map);
  if (map.im2col)
    check_pixels(map);
  else
    check_box(map);
}

}  // namespace kiln::emulator
