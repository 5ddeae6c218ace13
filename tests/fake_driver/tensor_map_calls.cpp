// Tensor maps: the bytes of a map are the address, and a digest of all else that it was made of.
#include "fake_state.hpp"

#include <cstring>

using fake_cuda::call;
using fake_cuda::State;

namespace {

struct FakeMap {
  const void* address;
  CUtensorMapDataType type;
  cuuint32_t rank;
  cuuint64_t sizes[5];
  cuuint64_t strides[4];
  cuuint32_t element_strides[5];
  bool im2col;
};
static_assert(sizeof(FakeMap) <= sizeof(CUtensorMap));

CUresult encode(CUtensorMap* map, bool im2col, CUtensorMapDataType type, cuuint32_t rank, void* address,
                const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* element_strides) {
  if (reinterpret_cast<std::uintptr_t>(map) % 64 != 0 || reinterpret_cast<std::uintptr_t>(address) % 16 != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (rank < (im2col ? 3u : 1u) || rank > 5) return CUDA_ERROR_INVALID_VALUE;
  FakeMap fake = {};
  fake.address = address;
  fake.type = type;
  fake.rank = rank;
  std::memcpy(fake.sizes, sizes, rank * sizeof *sizes);
  if (rank > 1) std::memcpy(fake.strides, strides, (rank - 1) * sizeof *strides);
  std::memcpy(fake.element_strides, element_strides, rank * sizeof *element_strides);
  fake.im2col = im2col;
  std::memset(map, 0, sizeof *map);
  std::memcpy(map, &fake, sizeof fake);
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t*,
                                const cuuint32_t* element_strides, CUtensorMapInterleave, CUtensorMapSwizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return call("cuTensorMapEncodeTiled",
              [&](State&) { return encode(map, false, type, rank, address, sizes, strides, element_strides); });
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                 const cuuint64_t* sizes, const cuuint64_t* strides, const int*, const int*, cuuint32_t,
                                 cuuint32_t, const cuuint32_t* element_strides, CUtensorMapInterleave,
                                 CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return call("cuTensorMapEncodeIm2col",
              [&](State&) { return encode(map, true, type, rank, address, sizes, strides, element_strides); });
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  return call("cuTensorMapReplaceAddress", [&](State&) {
    if (reinterpret_cast<std::uintptr_t>(address) % 16 != 0) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(map, &address, sizeof address);
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
