#include "emulator/tensor_map/tensor_map.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace kiln::emulator {
namespace {

constexpr std::uint64_t first_mark = 0x70616D726F736E65u, last_mark = 0x6E6C696B2E74u;

// No padding, so that equal maps are equal bytes.
struct Layout {
  std::uint64_t mark;
  std::uint64_t address;
  std::uint64_t strides[4];
  std::uint32_t sizes_less_one[5];
  std::uint16_t box[5];
  std::uint16_t channels, pixels;
  std::int16_t lower_corner[3], upper_corner[3];
  std::uint8_t element_strides[5];
  std::uint8_t type, rank, im2col, interleave, swizzle, promotion, fill;
  std::uint8_t unused[6];
  std::uint64_t last;
};
static_assert(sizeof(Layout) == 120 && std::is_trivially_copyable_v<Layout>);

template <class From, class To, std::size_t n>
void put(const std::array<From, n>& from, To (&to)[n]) {
  std::transform(from.begin(), from.end(), to, [](From value) { return static_cast<To>(value); });
}

template <class From, class To, std::size_t n>
void get(const From (&from)[n], std::array<To, n>& to) {
  std::transform(from, from + n, to.begin(), [](From value) { return To{value}; });
}

bool is_known(const Layout& layout) {
  return layout.mark == first_mark && layout.last == last_mark && layout.rank >= 1 && layout.rank <= 5 &&
         layout.type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ && layout.interleave <= CU_TENSOR_MAP_INTERLEAVE_32B &&
         layout.swizzle <= CU_TENSOR_MAP_SWIZZLE_128B && layout.promotion <= CU_TENSOR_MAP_L2_PROMOTION_L2_256B &&
         layout.fill <= CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
}

}  // namespace

TensorMapBytes encoded(const TensorMap& map) {
  Layout layout = {};
  layout.mark = first_mark;
  layout.last = last_mark;
  layout.address = map.address;
  put(map.strides, layout.strides);
  for (std::size_t i = 0; i < map.sizes.size(); ++i)
    layout.sizes_less_one[i] = static_cast<std::uint32_t>(map.sizes[i] - 1);
  put(map.box, layout.box);
  layout.channels = static_cast<std::uint16_t>(map.channels);
  layout.pixels = static_cast<std::uint16_t>(map.pixels);
  put(map.lower_corner, layout.lower_corner);
  put(map.upper_corner, layout.upper_corner);
  put(map.element_strides, layout.element_strides);
  layout.type = static_cast<std::uint8_t>(map.type);
  layout.rank = static_cast<std::uint8_t>(map.rank);
  layout.im2col = map.im2col ? 1 : 0;
  layout.interleave = static_cast<std::uint8_t>(map.interleave);
  layout.swizzle = static_cast<std::uint8_t>(map.swizzle);
  layout.promotion = static_cast<std::uint8_t>(map.promotion);
  layout.fill = static_cast<std::uint8_t>(map.fill);
  TensorMapBytes bytes = {};
  std::memcpy(bytes.data(), &layout, sizeof layout);
  return bytes;
}

bool decode(const TensorMapBytes& bytes, TensorMap& map) {
  Layout layout;
  std::memcpy(&layout, bytes.data(), sizeof layout);
  if (!is_known(layout)) return false;
  map.address = layout.address;
  get(layout.strides, map.strides);
  for (std::size_t i = 0; i < map.sizes.size(); ++i) map.sizes[i] = std::uint64_t{layout.sizes_less_one[i]} + 1;
  get(layout.box, map.box);
  map.channels = layout.channels;
  map.pixels = layout.pixels;
  get(layout.lower_corner, map.lower_corner);
  get(layout.upper_corner, map.upper_corner);
  get(layout.element_strides, map.element_strides);
  map.type = static_cast<CUtensorMapDataType>(layout.type);
  map.rank = layout.rank;
  map.im2col = layout.im2col != 0;
  map.interleave = static_cast<CUtensorMapInterleave>(layout.interleave);
  map.swizzle = static_cast<CUtensorMapSwizzle>(layout.swizzle);
  map.promotion = static_cast<CUtensorMapL2promotion>(layout.promotion);
  map.fill = static_cast<CUtensorMapFloatOOBfill>(layout.fill);
  return true;
}

unsigned element_bytes(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
      return 1;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return 2;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return 8;
    default:
      return 4;
  }
}

bool is_floating(CUtensorMapDataType type) {
  return type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;
}

}  // namespace kiln::emulator
