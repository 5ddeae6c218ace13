// Copies and fills that kernels put into streams.
#include "emulator/core/addresses.hpp"
#include "emulator/instructions/device_runtime/runtime_thread.hpp"
#include "emulator/memory/address_space.hpp"
#include "emulator/memory/relaxed_copy.hpp"
#include "emulator/memory/windows.hpp"

#include <algorithm>
#include <string>

namespace kiln::emulator {
namespace {

constexpr std::int32_t device_to_device = 3, by_address = 4;  // cudaMemcpyKind

// Memory in rows and slices.
struct MemoryBox {
  std::uint64_t address = 0, pitch = 0, rows_of_slice = 1;
  std::uint64_t row(std::uint64_t y, std::uint64_t z) const { return address + (z * rows_of_slice + y) * pitch; }
};
struct CopyExtent {
  std::uint64_t width = 0, height = 1, depth = 1;  // width in bytes
  bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
};

bool is_device_range(std::uint64_t address, std::uint64_t size, bool write) {
  const AddressSpace& memory = AddressSpace::get();
  for (std::uint64_t part; size != 0; address += part, size -= part) {
    part = std::min(size, AddressSpace::largest_range);
    if (write ? !memory.writable(address, part) : !memory.readable(address, part)) return false;
  }
  return true;
}

std::string device_copy_fault(const char* what, std::uint64_t size, std::uint64_t address) {
  return std::string(what) + " " + std::to_string(size) + " bytes at " + address_text(address) +
         ", where not all of them are memory of the device";
}

// Calls row(y, z) for each row; ends at the first that returns a text.
template <class Row>
std::string for_box_rows(const CopyExtent& extent, Row row) {
  for (std::uint64_t z = 0; z < extent.depth; ++z)
    for (std::uint64_t y = 0; y < extent.height; ++y)
      if (std::string wrong = row(y, z); !wrong.empty()) return wrong;
  return {};
}

std::string copy_box_rows(const MemoryBox& to, const MemoryBox& from, const CopyExtent& extent) {
  return for_box_rows(extent, [&](std::uint64_t y, std::uint64_t z) -> std::string {
    const std::uint64_t target = to.row(y, z), source = from.row(y, z);
    if (!is_device_range(source, extent.width, false))
      return device_copy_fault("a copy that a kernel made reads", extent.width, source);
    if (!is_device_range(target, extent.width, true))
      return device_copy_fault("a copy that a kernel made writes", extent.width, target);
    relaxed_copy(reinterpret_cast<void*>(target), reinterpret_cast<const void*>(source), extent.width);
    AddressSpace::get().mark_written(target, extent.width);
    return {};
  });
}

std::string fill_box_rows(const MemoryBox& box, std::uint8_t value, const CopyExtent& extent) {
  return for_box_rows(extent, [&](std::uint64_t y, std::uint64_t z) -> std::string {
    const std::uint64_t target = box.row(y, z);
    if (!is_device_range(target, extent.width, true))
      return device_copy_fault("a fill that a kernel made writes", extent.width, target);
    relaxed_fill(reinterpret_cast<std::byte*>(target), value, extent.width);
    AddressSpace::get().mark_written(target, extent.width);
    return {};
  });
}

bool is_own_memory(std::uint64_t address) {
  return in_window(address, local_window) || in_window(address, shared_window);
}

DeviceError device_copy(const RuntimeThread& thread, const MemoryBox& to, const MemoryBox& from,
                        const CopyExtent& extent, std::int32_t kind, DeviceStream stream) {
  if (kind != device_to_device && kind != by_address) return DeviceError::invalid_memcpy_direction;
  if (extent.is_empty()) return DeviceError::success;
  if (is_own_memory(to.address) || is_own_memory(from.address)) return DeviceError::invalid_value;
  if (extent.height * extent.depth > 1 && (to.pitch < extent.width || from.pitch < extent.width))
    return DeviceError::invalid_pitch_value;
  return thread.tree().copy(thread.grid(), stream, thread.place(), [=] { return copy_box_rows(to, from, extent); });
}

DeviceError device_fill(const RuntimeThread& thread, const MemoryBox& box, std::int32_t value, const CopyExtent& extent,
                        DeviceStream stream) {
  if (extent.is_empty()) return DeviceError::success;
  if (is_own_memory(box.address)) return DeviceError::invalid_value;
  if (extent.height * extent.depth > 1 && box.pitch < extent.width) return DeviceError::invalid_pitch_value;
  const auto byte = static_cast<std::uint8_t>(value);
  return thread.tree().copy(thread.grid(), stream, thread.place(), [=] { return fill_box_rows(box, byte, extent); });
}

using Word64 = std::uint64_t;

// cudaMemcpyAsync(to, from, size, kind, stream)
template <bool per_thread>
void copy_1d(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    return device_copy(thread, {thread.argument<Word64>(0)}, {thread.argument<Word64>(1)}, {thread.argument<Word64>(2)},
                       thread.argument<std::int32_t>(3), thread.stream(thread.argument<Word64>(4), per_thread));
  });
}

// cudaMemcpy2DAsync(to, its pitch, from, its pitch, width, height, kind, stream)
template <bool per_thread>
void copy_2d(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    return device_copy(thread, {thread.argument<Word64>(0), thread.argument<Word64>(1)},
                       {thread.argument<Word64>(2), thread.argument<Word64>(3)},
                       {thread.argument<Word64>(4), thread.argument<Word64>(5)}, thread.argument<std::int32_t>(6),
                       thread.stream(thread.argument<Word64>(7), per_thread));
  });
}

// cudaMemcpy3DAsync(const cudaMemcpy3DParms*, stream). Words: the source's array, position (x, y, z), pointer, pitch,
// width and height; the same of the target; the extent; the kind.
template <bool per_thread>
void copy_3d(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    const LaneMemory memory(thread.call().warp, thread.lane());
    const auto params = thread.argument<Word64>(0);
    const auto word = [&](unsigned number) { return memory.value<Word64>(params + Word64{8} * number); };
    if (word(0) != 0 || word(8) != 0)
      throw Fault(CUDA_ERROR_NOT_SUPPORTED, thread.lane(), "the emulator does not copy arrays (cudaArray) by kernels");
    const auto box = [&](unsigned first) {
      MemoryBox at{0, word(first + 5), word(first + 7)};
      at.address = word(first + 4) + word(first + 1);
      at.address = at.row(word(first + 2), word(first + 3));
      return at;
    };
    return device_copy(thread, box(8), box(0), {word(16), word(17), word(18)},
                       memory.value<std::int32_t>(params + Word64{8} * 19),
                       thread.stream(thread.argument<Word64>(1), per_thread));
  });
}

// cudaMemsetAsync(to, value, size, stream)
template <bool per_thread>
void fill_1d(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    return device_fill(thread, {thread.argument<Word64>(0)}, thread.argument<std::int32_t>(1),
                       {thread.argument<Word64>(2)}, thread.stream(thread.argument<Word64>(3), per_thread));
  });
}

// cudaMemset2DAsync(to, pitch, value, width, height, stream)
template <bool per_thread>
void fill_2d(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    return device_fill(thread, {thread.argument<Word64>(0), thread.argument<Word64>(1)},
                       thread.argument<std::int32_t>(2), {thread.argument<Word64>(3), thread.argument<Word64>(4)},
                       thread.stream(thread.argument<Word64>(5), per_thread));
  });
}

struct PitchedPointer {
  Word64 pointer, pitch, width, height;
};

// cudaMemset3DAsync(cudaPitchedPtr, value, cudaExtent, stream)
template <bool per_thread>
void fill_3d(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    const auto to = thread.argument<PitchedPointer>(0);
    return device_fill(thread, {to.pointer, to.pitch, to.height}, thread.argument<std::int32_t>(1),
                       thread.argument<CopyExtent>(2), thread.stream(thread.argument<Word64>(3), per_thread));
  });
}

}  // namespace

std::span<const BuiltinRow> copy_function_rows() {
  static constexpr BuiltinRow rows[] = {
      {"MemcpyAsync", copy_1d<false>},       {"MemcpyAsync_ptsz", copy_1d<true>}, {"Memcpy2DAsync", copy_2d<false>},
      {"Memcpy2DAsync_ptsz", copy_2d<true>}, {"Memcpy3DAsync", copy_3d<false>},   {"Memcpy3DAsync_ptsz", copy_3d<true>},
      {"MemsetAsync", fill_1d<false>},       {"MemsetAsync_ptsz", fill_1d<true>}, {"Memset2DAsync", fill_2d<false>},
      {"Memset2DAsync_ptsz", fill_2d<true>}, {"Memset3DAsync", fill_3d<false>},   {"Memset3DAsync_ptsz", fill_3d<true>},
  };
  return rows;
}

}  // namespace kiln::emulator
