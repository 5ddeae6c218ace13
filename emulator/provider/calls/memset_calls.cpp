// Fills of device memory, by rows of elements.
#include "emulator/memory/address_space.hpp"
#include "emulator/memory/relaxed_copy.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/memory.hpp"
#include "emulator/provider/context/stream_state.hpp"
#include "emulator/provider/stream/capture.hpp"

namespace {

using namespace kiln::emulator;

template <class T>
struct Fill {
  CUdeviceptr address;
  std::size_t pitch;  // bytes from row to row
  T value;
  std::size_t width, height;  // elements

  bool empty() const { return width == 0 || height == 0; }

  void check() const {
    require(address % sizeof(T) == 0 && (height <= 1 || pitch % sizeof(T) == 0));
    constexpr std::size_t most = std::size_t{1} << 47;  // larger than any address
    require(width <= most && (height <= 1 || pitch <= most / height));
    require(height <= 1 || pitch >= width * sizeof(T));
    (void)writable_range_of(address, (height - 1) * pitch + width * sizeof(T));
  }

  CUresult run() const {
    for (std::size_t row = 0; row < height; ++row) {
      const std::uint64_t start = address + row * pitch;
      relaxed_fill(reinterpret_cast<std::byte*>(start), value, width);
      AddressSpace::get().mark_written(start, width * sizeof(T));
    }
    return CUDA_SUCCESS;
  }
};

template <class T>
CUresult now(const Fill<T>& fill) {
  const StreamPtr stream = stream_of(nullptr);
  refuse_in_capture(*stream);
  if (fill.empty()) return CUDA_SUCCESS;
  fill.check();
  return run_in_order(*stream, [&] { return fill.run(); });
}

template <class T>
CUresult in_order(const Fill<T>& fill, CUstream stream) {
  (void)stream_of(stream);
  if (fill.empty()) return CUDA_SUCCESS;
  fill.check();
  enqueue(
      stream, [fill] { return fill.run(); }, "memset");
  return CUDA_SUCCESS;
}

using Byte = unsigned char;
using Unit16 = unsigned short;
using Word = unsigned;

}  // namespace

KILN_EMULATOR_API cuMemsetD8(CUdeviceptr to, Byte value, size_t count) {
  return call(__func__, [&] { return now(Fill<Byte>{to, 0, value, count, 1}); });
}
KILN_EMULATOR_API cuMemsetD16(CUdeviceptr to, Unit16 value, size_t count) {
  return call(__func__, [&] { return now(Fill<Unit16>{to, 0, value, count, 1}); });
}
KILN_EMULATOR_API cuMemsetD32(CUdeviceptr to, Word value, size_t count) {
  return call(__func__, [&] { return now(Fill<Word>{to, 0, value, count, 1}); });
}

KILN_EMULATOR_API cuMemsetD8Async(CUdeviceptr to, Byte value, size_t count, CUstream stream) {
  return call(__func__, [&] { return in_order(Fill<Byte>{to, 0, value, count, 1}, stream); });
}
KILN_EMULATOR_API cuMemsetD16Async(CUdeviceptr to, Unit16 value, size_t count, CUstream stream) {
  return call(__func__, [&] { return in_order(Fill<Unit16>{to, 0, value, count, 1}, stream); });
}
KILN_EMULATOR_API cuMemsetD32Async(CUdeviceptr to, Word value, size_t count, CUstream stream) {
  return call(__func__, [&] { return in_order(Fill<Word>{to, 0, value, count, 1}, stream); });
}

KILN_EMULATOR_API cuMemsetD2D8(CUdeviceptr to, size_t pitch, Byte value, size_t width, size_t height) {
  return call(__func__, [&] { return now(Fill<Byte>{to, pitch, value, width, height}); });
}
KILN_EMULATOR_API cuMemsetD2D16(CUdeviceptr to, size_t pitch, Unit16 value, size_t width, size_t height) {
  return call(__func__, [&] { return now(Fill<Unit16>{to, pitch, value, width, height}); });
}
KILN_EMULATOR_API cuMemsetD2D32(CUdeviceptr to, size_t pitch, Word value, size_t width, size_t height) {
  return call(__func__, [&] { return now(Fill<Word>{to, pitch, value, width, height}); });
}

KILN_EMULATOR_API cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, Byte value, size_t width, size_t height,
                                    CUstream stream) {
  return call(__func__, [&] { return in_order(Fill<Byte>{to, pitch, value, width, height}, stream); });
}
KILN_EMULATOR_API cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, Unit16 value, size_t width, size_t height,
                                     CUstream stream) {
  return call(__func__, [&] { return in_order(Fill<Unit16>{to, pitch, value, width, height}, stream); });
}
KILN_EMULATOR_API cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, Word value, size_t width, size_t height,
                                     CUstream stream) {
  return call(__func__, [&] { return in_order(Fill<Word>{to, pitch, value, width, height}, stream); });
}
