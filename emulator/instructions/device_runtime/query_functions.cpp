// What kernels ask the device runtime about errors, devices and kernels, and its memory.
#include "emulator/core/device_attributes.hpp"
#include "emulator/core/occupancy.hpp"
#include "emulator/instructions/device_runtime/runtime_thread.hpp"
#include "emulator/memory/address_space.hpp"
#include "emulator/memory/device_heap.hpp"

#include <cuda.h>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace kiln::emulator {

namespace {

struct DeviceErrorRow {
  std::int32_t error;
  std::string_view name, text;
};
// What functions of the device runtime return. The last row is for all others.
constexpr DeviceErrorRow device_error_rows[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {65, "cudaErrorLaunchMaxDepthExceeded",
     "launch failed because launch would exceed maximum depth of nested launches"},
    {69, "cudaErrorLaunchPendingCountExceeded",
     "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {215, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {-1, "unrecognized error code", "unrecognized error code"},
};

const DeviceErrorRow& error_row_of(std::int32_t error) {
  const DeviceErrorRow* row = std::begin(device_error_rows);
  while (row != std::end(device_error_rows) - 1 && row->error != error) ++row;
  return *row;
}

// All device_error_texts with their zeros, for as long as the process runs.
std::uint64_t device_error_texts() {
  static const std::uint64_t address = [] {
    std::string all;
    for (const DeviceErrorRow& row : device_error_rows)
      all.append(row.name).append(1, '\0').append(row.text).append(1, '\0');
    const std::uint64_t made = AddressSpace::get().allocate(all.size(), Allocation::Kind::constant, 0);
    if (made != 0) std::memcpy(reinterpret_cast<void*>(made), all.data(), all.size());
    return made;
  }();
  return address;
}

std::uint64_t text_place(std::int32_t error, bool of_name) {
  const std::uint64_t begin = device_error_texts();
  if (begin == 0) return 0;
  const DeviceErrorRow& wanted = error_row_of(error);
  std::uint64_t offset = 0;
  for (const DeviceErrorRow* row = std::begin(device_error_rows); row != &wanted; ++row)
    offset += row->name.size() + row->text.size() + 2;
  return begin + offset + (of_name ? 0 : wanted.name.size() + 1);
}

// The texts of cudaGetErrorName and cudaGetErrorString in kernels.

/// The addresses of the texts, in memory that every kernel can read; 0 if there is no memory for them.
std::uint64_t device_error_name(std::int32_t error) { return text_place(error, true); }
std::uint64_t device_error_text(std::int32_t error) { return text_place(error, false); }

// cudaGetLastError, cudaPeekAtLastError: of the calling thread.
template <bool clears>
void give_last_error(BuiltinCall& call) {
  each_lane(call.active, [&](unsigned lane) {
    const RuntimeThread thread(call, lane);
    call.set_result(lane, thread.tree().last_error(thread.grid(), thread.number()));
    if (clears) thread.fails(DeviceError::success);
  });
}

// const char* cudaGetErrorName(error), cudaGetErrorString(error)
template <std::uint64_t (*text_of)(std::int32_t)>
void give_error_text(BuiltinCall& call) {
  each_lane(call.active, [&](unsigned lane) { call.set_result(lane, text_of(call.argument<std::int32_t>(lane, 0))); });
}

// cudaGetDevice(int*), cudaGetDeviceCount(int*), cudaRuntimeGetVersion(int*), and two settings that have no effect.
template <int (*value_of)(const RuntimeThread&)>
void give_device_value(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    thread.store(thread.argument<std::uint64_t>(0), std::int32_t{value_of(thread)});
    return DeviceError::success;
  });
}

int device_of_thread(const RuntimeThread& thread) { return thread.device(); }
int count_of_devices(const RuntimeThread&) { return device_count(); }
int version_of_runtime(const RuntimeThread&) { return 13000; }
int no_preference(const RuntimeThread&) { return 0; }

// cudaDeviceGetAttribute(int*, attribute, device): its attributes have the driver's numbers.
void give_device_attribute(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    const auto attribute = thread.argument<std::int32_t>(1), device = thread.argument<std::int32_t>(2);
    if (device < 0 || device >= device_count()) return DeviceError::invalid_device;
    if (attribute <= 0 || attribute >= CU_DEVICE_ATTRIBUTE_MAX) return DeviceError::invalid_value;
    thread.store(thread.argument<std::uint64_t>(0),
                 std::int32_t{device_attribute(device, static_cast<CUdevice_attribute>(attribute))});
    return DeviceError::success;
  });
}

// cudaDeviceGetLimit(size_t*, limit): limits have the driver's numbers, too.
void give_device_limit(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    const LaunchRequest& launch = thread.grid().request;
    std::uint64_t value = 0;
    switch (thread.argument<std::int32_t>(1)) {
      case CU_LIMIT_STACK_SIZE:
        value = launch.stack_limit;
        break;
      case CU_LIMIT_PRINTF_FIFO_SIZE:
        value = launch.printf_limit;
        break;
      case CU_LIMIT_MALLOC_HEAP_SIZE:
        value = DeviceHeap::get().limit();
        break;
      case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT:
        value = launch.pending_limit;
        break;
      default:
        return DeviceError::unsupported_limit;
    }
    thread.store(thread.argument<std::uint64_t>(0), value);
    return DeviceError::success;
  });
}

// cudaFuncGetAttributes(attributes*, function): the members of cudaFuncAttributes at their offsets.
void give_kernel_attributes(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    const auto out = thread.argument<std::uint64_t>(0);
    const Kernel* const kernel = kernel_at(thread.argument<std::uint64_t>(1));
    if (kernel == nullptr) return DeviceError::invalid_device_function;
    thread.store(out, std::uint64_t{kernel->static_shared});
    thread.store(out + 8, std::uint64_t{kernel->constant_bytes});
    thread.store(out + 16, local_bytes_with_calls(*kernel));
    const std::int32_t numbers[] = {
        static_cast<std::int32_t>(kernel->max_threads),
        0,  // registers: PTX does not say
        static_cast<std::int32_t>(kernel->code->module->sm),
        static_cast<std::int32_t>(device_arch()),
        0,  // cacheModeCA
        static_cast<std::int32_t>(max_dynamic_shared(*kernel, thread.grid().request)),
        -1,  // preferredShmemCarveout: the default
    };
    for (std::size_t i = 0; i < std::size(numbers); ++i) thread.store(out + 24 + 4 * i, numbers[i]);
    return DeviceError::success;
  });
}

// cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, function, threads of a block, dynamic shared memory)
void give_kernel_occupancy(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    const Kernel* const kernel = kernel_at(thread.argument<std::uint64_t>(1));
    const auto threads = thread.argument<std::int32_t>(2);
    const auto dynamic = thread.argument<std::uint64_t>(3);
    if (kernel == nullptr) return DeviceError::invalid_device_function;
    if (threads <= 0) return DeviceError::invalid_value;
    std::uint32_t blocks = 0;
    if (static_cast<std::uint32_t>(threads) <= kernel->max_threads &&
        dynamic <= max_dynamic_shared(*kernel, thread.grid().request))
      blocks = block_limits({static_cast<std::uint32_t>(threads), 0, kernel->static_shared + dynamic}).least();
    thread.store(thread.argument<std::uint64_t>(0), blocks);
    return DeviceError::success;
  });
}

// cudaMalloc(void**, size): from the heap of the kernel's malloc, as on a GPU.
void allocate_on_heap(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    const std::uint64_t made = DeviceHeap::get().allocate(thread.argument<std::uint64_t>(1));
    if (made == 0) return DeviceError::memory_allocation;
    thread.store(thread.argument<std::uint64_t>(0), made);
    return DeviceError::success;
  });
}

// cudaFree(pointer)
void release_on_heap(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    const auto address = thread.argument<std::uint64_t>(0);
    return address == 0 || DeviceHeap::get().release(address) ? DeviceError::success : DeviceError::invalid_value;
  });
}

}  // namespace

std::span<const BuiltinRow> query_function_rows() {
  static constexpr BuiltinRow rows[] = {
      {"GetLastError", give_last_error<true>},
      {"PeekAtLastError", give_last_error<false>},
      {"GetErrorName", give_error_text<device_error_name>},
      {"GetErrorString", give_error_text<device_error_text>},
      {"GetDevice", give_device_value<device_of_thread>},
      {"GetDeviceCount", give_device_value<count_of_devices>},
      {"RuntimeGetVersion", give_device_value<version_of_runtime>},
      {"DeviceGetCacheConfig", give_device_value<no_preference>},
      {"DeviceGetSharedMemConfig", give_device_value<no_preference>},
      {"DeviceGetAttribute", give_device_attribute},
      {"DeviceGetLimit", give_device_limit},
      {"FuncGetAttributes", give_kernel_attributes},
      {"OccupancyMaxActiveBlocksPerMultiprocessor", give_kernel_occupancy},
      {"OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", give_kernel_occupancy},
      {"Malloc", allocate_on_heap},
      {"Free", release_on_heap},
  };
  return rows;
}

}  // namespace kiln::emulator
