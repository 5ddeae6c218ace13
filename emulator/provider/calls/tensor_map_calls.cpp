// Tensor maps: bytes of the program that describe memory. The device is not asked.
#include "emulator/provider/context/call.hpp"
#include "emulator/tensor_map/tensor_map.hpp"

#include <algorithm>
#include <cstring>

using namespace kiln::emulator;

namespace {

constexpr std::uintptr_t map_alignment = 64;

template <class From, class To>
void copy_list(const char* name, const From* from, std::uint32_t count, To& to) {
  if (from == nullptr) throw CallError(CUDA_ERROR_INVALID_VALUE, std::string(name) + " is null");
  std::copy_n(from, count, to.begin());
}

void check_place(const CUtensorMap* map) {
  if (map == nullptr || reinterpret_cast<std::uintptr_t>(map) % map_alignment != 0)
    throw CallError(CUDA_ERROR_INVALID_VALUE, "tensorMap is not at an address that is a multiple of 64");
}

// What both kinds have, so far that check_rules can look at it.
TensorMap common_map(CUtensorMapDataType type, cuuint32_t rank, void* address, const cuuint64_t* sizes,
                     const cuuint64_t* strides, const cuuint32_t* element_strides) {
  TensorMap map;
  if (rank < 1 || rank > map.sizes.size())
    throw CallError(CUDA_ERROR_INVALID_VALUE, "tensorRank is " + std::to_string(rank) + ", not 1 to 5");
  if (address == nullptr) throw CallError(CUDA_ERROR_INVALID_VALUE, "globalAddress is null");
  map.type = type;
  map.rank = rank;
  map.address = reinterpret_cast<std::uint64_t>(address);
  copy_list("globalDim", sizes, rank, map.sizes);
  if (rank > 1) copy_list("globalStrides", strides, rank - 1, map.strides);
  copy_list("elementStrides", element_strides, rank, map.element_strides);
  return map;
}

void write_map(CUtensorMap* to, const TensorMap& map) {
  check_rules(map);
  const TensorMapBytes bytes = encoded(map);
  static_assert(sizeof *to == sizeof bytes);
  std::memcpy(to, bytes.data(), sizeof bytes);
}

}  // namespace

KILN_EMULATOR_API cuTensorMapEncodeTiled(CUtensorMap* tensor_map, CUtensorMapDataType type, cuuint32_t rank,
                                         void* address, const cuuint64_t* sizes, const cuuint64_t* strides,
                                         const cuuint32_t* box, const cuuint32_t* element_strides,
                                         CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                         CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  return call(__func__, [&] {
    check_place(tensor_map);
    TensorMap map = common_map(type, rank, address, sizes, strides, element_strides);
    copy_list("boxDim", box, rank, map.box);
    map.interleave = interleave;
    map.swizzle = swizzle;
    map.promotion = promotion;
    map.fill = fill;
    write_map(tensor_map, map);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuTensorMapEncodeIm2col(CUtensorMap* tensor_map, CUtensorMapDataType type, cuuint32_t rank,
                                          void* address, const cuuint64_t* sizes, const cuuint64_t* strides,
                                          const int* lower, const int* upper, cuuint32_t channels, cuuint32_t pixels,
                                          const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                          CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                          CUtensorMapFloatOOBfill fill) {
  return call(__func__, [&] {
    check_place(tensor_map);
    TensorMap map = common_map(type, rank, address, sizes, strides, element_strides);
    if (rank < 3) throw CallError(CUDA_ERROR_INVALID_VALUE, "tensorRank is less than 3");
    map.im2col = true;
    copy_list("pixelBoxLowerCorner", lower, rank - 2, map.lower_corner);
    copy_list("pixelBoxUpperCorner", upper, rank - 2, map.upper_corner);
    map.channels = channels;
    map.pixels = pixels;
    map.interleave = interleave;
    map.swizzle = swizzle;
    map.promotion = promotion;
    map.fill = fill;
    write_map(tensor_map, map);
    return CUDA_SUCCESS;
  });
}

#if CUDA_VERSION >= 12080
KILN_EMULATOR_API cuTensorMapEncodeIm2colWide(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                              const cuuint64_t*, int, int, cuuint32_t, cuuint32_t, const cuuint32_t*,
                                              CUtensorMapInterleave, CUtensorMapIm2ColWideMode, CUtensorMapSwizzle,
                                              CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return call(__func__,
              [] { return not_supported("cuTensorMapEncodeIm2colWide", "maps for im2col along W, of sm_100"); });
}
#endif

KILN_EMULATOR_API cuTensorMapReplaceAddress(CUtensorMap* tensor_map, void* address) {
  return call(__func__, [&] {
    check_place(tensor_map);
    TensorMapBytes bytes;
    std::memcpy(bytes.data(), tensor_map, sizeof bytes);
    TensorMap map;
    if (!decode(bytes, map)) throw CallError(CUDA_ERROR_INVALID_VALUE, "the emulator has not made the tensor map");
    map.address = reinterpret_cast<std::uint64_t>(address);
    if (map.address == 0) throw CallError(CUDA_ERROR_INVALID_VALUE, "globalAddress is null");
    write_map(tensor_map, map);
    return CUDA_SUCCESS;
  });
}
