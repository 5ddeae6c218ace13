// Copies of 2-D and 3-D boxes, and copies from and to arrays.
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/memory.hpp"
#include "emulator/provider/context/scheduler.hpp"
#include "emulator/provider/context/stream_state.hpp"
#include "emulator/provider/stream/capture.hpp"
#include "emulator/texture/box_copy.hpp"

#include <type_traits>

namespace {

using namespace kiln::emulator;

template <class Copy>
constexpr bool is_flat = std::is_same_v<Copy, CUDA_MEMCPY2D>;

/// Works for all structures of the driver, whose members have the same names.
template <class Copy>
CopySide source_of(const Copy& copy) {
  CopySide side{copy.srcMemoryType, copy.srcDevice, copy.srcArray, copy.srcXInBytes, copy.srcY};
  if (side.type == CU_MEMORYTYPE_HOST) side.address = address_of(copy.srcHost);
  side.pitch = copy.srcPitch;
  if constexpr (!is_flat<Copy>) {
    side.z = copy.srcZ;
    side.level = copy.srcLOD;
    side.height = copy.srcHeight;
  }
  return side;
}

template <class Copy>
CopySide target_of(const Copy& copy) {
  CopySide side{copy.dstMemoryType, copy.dstDevice, copy.dstArray, copy.dstXInBytes, copy.dstY};
  if (side.type == CU_MEMORYTYPE_HOST) side.address = address_of(copy.dstHost);
  side.pitch = copy.dstPitch;
  if constexpr (!is_flat<Copy>) {
    side.z = copy.dstZ;
    side.level = copy.dstLOD;
    side.height = copy.dstHeight;
  }
  return side;
}

template <class Copy>
BoxCopy checked(const Copy* copy) {
  require(copy != nullptr);
  CopyExtent extent{copy->WidthInBytes, copy->Height, 1};
  if constexpr (!is_flat<Copy>) extent.depth = copy->Depth;
  if constexpr (std::is_same_v<Copy, CUDA_MEMCPY3D>)
    require(copy->reserved0 == nullptr && copy->reserved1 == nullptr, "the reserved members are null");
  return checked_copy(source_of(*copy), target_of(*copy), extent);
}

/// Copies before it returns, in the order of the legacy stream.
CUresult copy_now(const BoxCopy& copy) {
  const StreamPtr stream = stream_of(nullptr);
  refuse_in_capture(*stream);
  return copy.empty() ? CUDA_SUCCESS : run_in_order(*stream, [&] { return copy.run(); });
}

/// Copies in the order of the stream. As with the driver, pageable memory is read or written before this returns.
CUresult copy_in_order(BoxCopy copy, CUstream handle) {
  const StreamPtr stream = stream_of(handle);
  const bool captured = capture_of(*stream) != nullptr;
  if (copy.empty()) return CUDA_SUCCESS;
  if (!captured && copy.target.pageable) return run_in_order(*stream, [&] { return copy.run(); });
  if (!captured && copy.source.pageable) copy.stage();
  enqueue(
      handle, [copy] { return copy.run(); }, "memcpy");
  return CUDA_SUCCESS;
}

CopySide of_array(CUarray array, size_t offset) { return {CU_MEMORYTYPE_ARRAY, 0, array, offset}; }

/// One row of memory.
CopySide of_memory(CUmemorytype type, std::uint64_t address, size_t size) {
  CopySide side{type, address};
  side.pitch = size;
  return side;
}

}  // namespace

KILN_EMULATOR_API cuMemcpy2D(const CUDA_MEMCPY2D* copy) {
  return call(__func__, [&] { return copy_now(checked(copy)); });
}

KILN_EMULATOR_API cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy) {
  return call(__func__, [&] { return copy_now(checked(copy)); });
}

KILN_EMULATOR_API cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return call(__func__, [&] { return copy_in_order(checked(copy), stream); });
}

KILN_EMULATOR_API cuMemcpy3D(const CUDA_MEMCPY3D* copy) {
  return call(__func__, [&] { return copy_now(checked(copy)); });
}

KILN_EMULATOR_API cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return call(__func__, [&] { return copy_in_order(checked(copy), stream); });
}

// All devices share one address space, so the contexts do not matter.
KILN_EMULATOR_API cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy) {
  return call(__func__, [&] { return copy_now(checked(copy)); });
}

KILN_EMULATOR_API cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* copy, CUstream stream) {
  return call(__func__, [&] { return copy_in_order(checked(copy), stream); });
}

KILN_EMULATOR_API cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t size) {
  return call(__func__, [&] {
    return copy_now(checked_copy(of_memory(CU_MEMORYTYPE_DEVICE, from, size), of_array(to, offset), {size}));
  });
}

KILN_EMULATOR_API cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t size) {
  return call(__func__, [&] {
    return copy_now(checked_copy(of_array(from, offset), of_memory(CU_MEMORYTYPE_DEVICE, to, size), {size}));
  });
}

KILN_EMULATOR_API cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t size) {
  return call(__func__, [&] {
    return copy_now(checked_copy(of_memory(CU_MEMORYTYPE_HOST, address_of(from), size), of_array(to, offset), {size}));
  });
}

KILN_EMULATOR_API cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t size) {
  return call(__func__, [&] {
    return copy_now(checked_copy(of_array(from, offset), of_memory(CU_MEMORYTYPE_HOST, address_of(to), size), {size}));
  });
}

KILN_EMULATOR_API cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t size) {
  return call(__func__,
              [&] { return copy_now(checked_copy(of_array(from, from_offset), of_array(to, to_offset), {size})); });
}

KILN_EMULATOR_API cuMemcpyHtoAAsync(CUarray to, size_t offset, const void* from, size_t size, CUstream stream) {
  return call(__func__, [&] {
    return copy_in_order(
        checked_copy(of_memory(CU_MEMORYTYPE_HOST, address_of(from), size), of_array(to, offset), {size}), stream);
  });
}

KILN_EMULATOR_API cuMemcpyAtoHAsync(void* to, CUarray from, size_t offset, size_t size, CUstream stream) {
  return call(__func__, [&] {
    return copy_in_order(
        checked_copy(of_array(from, offset), of_memory(CU_MEMORYTYPE_HOST, address_of(to), size), {size}), stream);
  });
}
