// Fills of device memory, rows of a pitch included.
#include "fake_memory.hpp"

#include <algorithm>

using fake_cuda::address_of;
using fake_cuda::call;
using fake_cuda::current_context;
using fake_cuda::host;
using fake_cuda::is_device_memory;
using fake_cuda::note_arguments;
using fake_cuda::State;
using fake_cuda::stream_result;

namespace {

template <class Value>
CUresult fill(const char* name, CUdeviceptr address, std::size_t pitch, Value value, std::size_t width,
              std::size_t height, const CUstream* stream) {
  return call(name, [&](State& state) {
    note_arguments(state, name, {address, pitch, value, width, height, stream != nullptr ? address_of(*stream) : 0});
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (stream != nullptr && stream_result(state, *stream) != CUDA_SUCCESS) return stream_result(state, *stream);
    if (address % sizeof(Value) != 0 || pitch % sizeof(Value) != 0) return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t y = 0; y < height; ++y) {
      if (!is_device_memory(state, address + y * pitch, width * sizeof(Value))) return CUDA_ERROR_INVALID_VALUE;
      std::fill_n(reinterpret_cast<Value*>(host(address + y * pitch)), width, value);
    }
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult cuMemsetD8(CUdeviceptr address, unsigned char value, std::size_t count) {
  return fill("cuMemsetD8", address, 0, value, count, 1, nullptr);
}
CUresult cuMemsetD16(CUdeviceptr address, unsigned short value, std::size_t count) {
  return fill("cuMemsetD16", address, 0, value, count, 1, nullptr);
}
CUresult cuMemsetD32(CUdeviceptr address, unsigned value, std::size_t count) {
  return fill("cuMemsetD32", address, 0, value, count, 1, nullptr);
}
CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, std::size_t count, CUstream stream) {
  return fill("cuMemsetD8Async", address, 0, value, count, 1, &stream);
}
CUresult cuMemsetD16Async(CUdeviceptr address, unsigned short value, std::size_t count, CUstream stream) {
  return fill("cuMemsetD16Async", address, 0, value, count, 1, &stream);
}
CUresult cuMemsetD32Async(CUdeviceptr address, unsigned value, std::size_t count, CUstream stream) {
  return fill("cuMemsetD32Async", address, 0, value, count, 1, &stream);
}
CUresult cuMemsetD2D8(CUdeviceptr address, std::size_t pitch, unsigned char value, std::size_t width,
                      std::size_t height) {
  return fill("cuMemsetD2D8", address, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D16(CUdeviceptr address, std::size_t pitch, unsigned short value, std::size_t width,
                       std::size_t height) {
  return fill("cuMemsetD2D16", address, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D32(CUdeviceptr address, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
  return fill("cuMemsetD2D32", address, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D8Async(CUdeviceptr address, std::size_t pitch, unsigned char value, std::size_t width,
                           std::size_t height, CUstream stream) {
  return fill("cuMemsetD2D8Async", address, pitch, value, width, height, &stream);
}
CUresult cuMemsetD2D16Async(CUdeviceptr address, std::size_t pitch, unsigned short value, std::size_t width,
                            std::size_t height, CUstream stream) {
  return fill("cuMemsetD2D16Async", address, pitch, value, width, height, &stream);
}
CUresult cuMemsetD2D32Async(CUdeviceptr address, std::size_t pitch, unsigned value, std::size_t width,
                            std::size_t height, CUstream stream) {
  return fill("cuMemsetD2D32Async", address, pitch, value, width, height, &stream);
}

}  // extern "C"
