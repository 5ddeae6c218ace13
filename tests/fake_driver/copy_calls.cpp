// Copies: one address to another, rectangles and boxes.
#include "fake_memory.hpp"

#include <cstring>

using fake_cuda::address_of;
using fake_cuda::ArrayStorage;
using fake_cuda::call;
using fake_cuda::current_context;
using fake_cuda::host;
using fake_cuda::is_device_memory;
using fake_cuda::note_arguments;
using fake_cuda::State;
using fake_cuda::stream_result;

namespace {

using Numbers = std::vector<unsigned long long>;

/// A copy between addresses, of which those of the device must be allocated.
CUresult copy_bytes(const char* name, CUdeviceptr to, bool to_device, CUdeviceptr from, bool from_device,
                    std::size_t size, const CUstream* stream, const Numbers& arguments) {
  return call(name, [&](State& state) {
    note_arguments(state, name, arguments);
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (stream != nullptr && stream_result(state, *stream) != CUDA_SUCCESS) return stream_result(state, *stream);
    if (size == 0) return CUDA_SUCCESS;
    if (to_device && !is_device_memory(state, to, size)) return CUDA_ERROR_INVALID_VALUE;
    if (from_device && !is_device_memory(state, from, size)) return CUDA_ERROR_INVALID_VALUE;
    std::memmove(host(to), host(from), size);
    return CUDA_SUCCESS;
  });
}

/// One side of a box copy.
struct Side {
  CUmemorytype type;
  CUdeviceptr host;
  CUdeviceptr device;
  CUarray array;
  std::size_t x, y, z, pitch, height;
};

/// The first byte of a row, null where the side does not hold it.
char* row_of(State& state, const Side& side, std::size_t y, std::size_t z, std::size_t width) {
  std::size_t row_bytes = side.pitch;
  std::size_t height = side.height;
  ArrayStorage* array = nullptr;
  if (side.type == CU_MEMORYTYPE_ARRAY) {
    const auto found = state.arrays.find(side.array);
    if (found == state.arrays.end()) return nullptr;
    array = &found->second;
    row_bytes = array->row_bytes;
    height = array->height;
  }
  if (side.x + width > row_bytes) return nullptr;
  const std::size_t offset = ((side.z + z) * height + side.y + y) * row_bytes + side.x;
  if (array != nullptr) return offset + width <= array->bytes.size() ? array->bytes.data() + offset : nullptr;
  const CUdeviceptr base = side.type == CU_MEMORYTYPE_HOST ? side.host : side.device;
  if (side.type == CU_MEMORYTYPE_DEVICE && !is_device_memory(state, base + offset, width)) return nullptr;
  return host(base + offset);
}

CUresult copy_box(State& state, const Side& to, const Side& from, std::size_t width, std::size_t height,
                  std::size_t depth) {
  for (std::size_t z = 0; z < depth; ++z)
    for (std::size_t y = 0; y < height; ++y) {
      char* const target = row_of(state, to, y, z, width);
      const char* const source = row_of(state, from, y, z, width);
      if (target == nullptr || source == nullptr) return CUDA_ERROR_INVALID_VALUE;
      std::memcpy(target, source, width);
    }
  return CUDA_SUCCESS;
}

CUresult copy_2d(const char* name, const CUDA_MEMCPY2D& copy, const CUstream* stream) {
  return call(name, [&](State& state) {
    note_arguments(state, name, {copy.WidthInBytes, copy.Height, stream != nullptr ? address_of(*stream) : 0});
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (stream != nullptr && stream_result(state, *stream) != CUDA_SUCCESS) return stream_result(state, *stream);
    const Side to = {copy.dstMemoryType,
                     address_of(copy.dstHost),
                     copy.dstDevice,
                     copy.dstArray,
                     copy.dstXInBytes,
                     copy.dstY,
                     0,
                     copy.dstPitch,
                     0};
    const Side from = {copy.srcMemoryType,
                       address_of(copy.srcHost),
                       copy.srcDevice,
                       copy.srcArray,
                       copy.srcXInBytes,
                       copy.srcY,
                       0,
                       copy.srcPitch,
                       0};
    return copy_box(state, to, from, copy.WidthInBytes, copy.Height, 1);
  });
}

template <class Parameters>
CUresult copy_3d(const char* name, const Parameters& copy, const CUstream* stream, const Numbers& more = {}) {
  return call(name, [&](State& state) {
    Numbers arguments = {copy.WidthInBytes, copy.Height, copy.Depth, stream != nullptr ? address_of(*stream) : 0};
    arguments.insert(arguments.end(), more.begin(), more.end());
    note_arguments(state, name, arguments);
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (stream != nullptr && stream_result(state, *stream) != CUDA_SUCCESS) return stream_result(state, *stream);
    const Side to = {copy.dstMemoryType, address_of(copy.dstHost),
                     copy.dstDevice,     copy.dstArray,
                     copy.dstXInBytes,   copy.dstY,
                     copy.dstZ,          copy.dstPitch,
                     copy.dstHeight};
    const Side from = {copy.srcMemoryType, address_of(copy.srcHost),
                       copy.srcDevice,     copy.srcArray,
                       copy.srcXInBytes,   copy.srcY,
                       copy.srcZ,          copy.srcPitch,
                       copy.srcHeight};
    return copy_box(state, to, from, copy.WidthInBytes, copy.Height, copy.Depth);
  });
}

}  // namespace

extern "C" {

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t size, CUstream stream) {
  return copy_bytes("cuMemcpyHtoDAsync", to, true, address_of(from), false, size, &stream,
                    {to, address_of(from), size, address_of(stream)});
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t size, CUstream stream) {
  return copy_bytes("cuMemcpyDtoHAsync", address_of(to), false, from, true, size, &stream,
                    {address_of(to), from, size, address_of(stream)});
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t size) {
  return copy_bytes("cuMemcpyDtoD", to, true, from, true, size, nullptr, {to, from, size});
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t size, CUstream stream) {
  return copy_bytes("cuMemcpyDtoDAsync", to, true, from, true, size, &stream, {to, from, size, address_of(stream)});
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                      std::size_t size) {
  return copy_bytes("cuMemcpyPeer", to, true, from, true, size, nullptr,
                    {to, address_of(to_context), from, address_of(from_context), size});
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                           std::size_t size, CUstream stream) {
  return copy_bytes("cuMemcpyPeerAsync", to, true, from, true, size, &stream,
                    {to, address_of(to_context), from, address_of(from_context), size, address_of(stream)});
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy) { return copy_2d("cuMemcpy2DUnaligned", *copy, nullptr); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return copy_2d("cuMemcpy2DAsync", *copy, &stream);
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* copy) { return copy_3d("cuMemcpy3D", *copy, nullptr); }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return copy_3d("cuMemcpy3DAsync", *copy, &stream);
}
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy) {
  return copy_3d("cuMemcpy3DPeer", *copy, nullptr, {address_of(copy->srcContext), address_of(copy->dstContext)});
}
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* copy, CUstream stream) {
  return copy_3d("cuMemcpy3DPeerAsync", *copy, &stream, {address_of(copy->srcContext), address_of(copy->dstContext)});
}

}  // extern "C"
