#include "launch/launch_limits.hpp"

#include "launch/kernel.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"

#include <kiln/device.hpp>
#include <kiln/dim3.hpp>
#include <kiln/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace kiln {

namespace {

void check_dimension(const KernelOnDevice& kernel, const char* what, std::uint32_t given, CUdevice_attribute limit) {
  const int allowed = Device(kernel.device).attribute(limit);
  if (std::int64_t{given} <= allowed) return;
  throw_limit(kernel.name, what, "1 to " + std::to_string(allowed), std::to_string(given),
              " (the limit of device " + std::to_string(kernel.device) + ")");
}

void check_thread_count(const Dim3& block, const KernelOnDevice& kernel) {
  const int of_device = Device(kernel.device).attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  const int of_kernel = kernel.attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  const int allowed = std::min(of_device, of_kernel);
  if (allowed <= 0 || block.count() <= static_cast<std::uint64_t>(allowed)) return;
  const std::string advice =
      of_kernel < of_device ? "; its registers, its shared memory or its __launch_bounds__ allow no more" : "";
  throw_limit(kernel.name, "threads in a block", "at most " + std::to_string(allowed),
              std::to_string(block.count()) + " (" + text_of(block) + ")", advice);
}

constexpr const char* use_a_buffer =
    "; keep a thread's large arrays in a buffer of device memory, of which each thread uses its part";

// More is refused by the launch alone, as an invalid value: compiler and load take it (H200, driver 580).
void check_local_memory(const KernelOnDevice& kernel) {
  constexpr int allowed =
      512 * 1024;  // of every compute capability: CUDA C++ Programming Guide, "Compute Capabilities"
  const int used = kernel.attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  if (used <= allowed) return;
  // Not a small one that has no part in it.
  const auto called = kernel.code == nullptr ? std::nullopt : kernel.code->largest_called();
  const bool is_largest = called && called->local_bytes >= static_cast<std::size_t>(used) / 2;
  throw_limit(
      kernel.name, "local memory of a thread", "at most " + std::to_string(allowed) + " bytes",
      std::to_string(used) + " bytes" +
          (is_largest ? ", " + std::to_string(called->local_bytes) + " of them for " + called->name + ", which it calls"
                      : ""),
      use_a_buffer);
}

/// What the kernel and the device have, in bytes a block.
struct SharedMemory {
  std::size_t of_kernel;
  std::size_t of_device;
  std::size_t left() const { return of_device - std::min(of_kernel, of_device); }
};

std::size_t shared_of_kernel(const KernelOnDevice& kernel) {
  return static_cast<std::size_t>(std::max(0, kernel.attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)));
}

SharedMemory shared_memory(const KernelOnDevice& kernel, std::size_t of_kernel) {
  const Device device(kernel.device);
  return {of_kernel,
          static_cast<std::size_t>(std::max({device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
                                             device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK), 0}))};
}

}  // namespace

std::string text_of(const Dim3& size) {
  return std::to_string(size.x) + "x" + std::to_string(size.y) + "x" + std::to_string(size.z);
}

void throw_limit(const std::string& kernel, const std::string& what, const std::string& expected,
                 const std::string& given, const std::string& advice) {
  throw ArgumentError("kernel " + kernel + ": " + what + ": expected " + expected + ", given " + given + advice, kernel,
                      ArgumentError::no_index, expected, given);
}

int KernelOnDevice::attribute(CUfunction_attribute attribute) const {
  int value = 0;
  if (const int result = Driver::get().kernel_get_attribute(&value, attribute, kernel, device); result != CUDA_SUCCESS)
    check_work(result, "cuKernelGetAttribute", " for attribute " + about(attribute));
  return value;
}

void KernelOnDevice::set_attribute(CUfunction_attribute attribute, int value) const {
  const int result = Driver::get().kernel_set_attribute(attribute, value, kernel, device);
  if (result != CUDA_SUCCESS)
    check_work(result, "cuKernelSetAttribute", " for " + std::to_string(value) + " as attribute " + about(attribute));
}

std::string KernelOnDevice::about(CUfunction_attribute attribute) const {
  return std::to_string(static_cast<int>(attribute)) + " of kernel " + name + " on device " + std::to_string(device);
}

void check_no_zero(const LaunchConfig& config, const std::string& kernel_name) {
  const auto check = [&](const char* what, const Dim3& size) {
    if (size.x != 0 && size.y != 0 && size.z != 0) return;
    throw_limit(kernel_name, what, "sizes of at least 1", text_of(size),
                "; a launch of nothing is an error: leave it out, or round the division up ((n + 255) / 256)");
  };
  check("grid, in blocks", config.grid);
  if (config.block.is_left_out())
    throw_limit(kernel_name, "block, in threads", "a block", "none", "; write {grid, block}, such as {64, 256}");
  check("block, in threads", config.block);
}

void check_limits(const LaunchConfig& config, const KernelOnDevice& kernel) {
  check_no_zero(config, kernel.name);
  check_dimension(kernel, "grid x", config.grid.x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
  check_dimension(kernel, "grid y", config.grid.y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
  check_dimension(kernel, "grid z", config.grid.z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
  check_dimension(kernel, "block x", config.block.x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
  check_dimension(kernel, "block y", config.block.y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
  check_dimension(kernel, "block z", config.block.z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
  check_thread_count(config.block, kernel);
  check_local_memory(kernel);
}

std::string local_memory_hint(const KernelOnDevice& kernel) {
  const int used = kernel.attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  if (used <= 0) return {};
  const Device device(kernel.device);
  const std::int64_t threads = std::int64_t{device.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)} *
                               device.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  return "; each thread has " + std::to_string(used) +
         " bytes of local memory, which the driver reserves for all threads that the device can hold: " +
         std::to_string(used * threads) + " bytes for " + std::to_string(threads) + " threads" + use_a_buffer;
}

std::size_t most_shared_memory(const KernelOnDevice& kernel) {
  return shared_memory(kernel, shared_of_kernel(kernel)).left();
}

std::size_t allow_shared_memory(std::size_t bytes, const KernelOnDevice& kernel) {
  const std::size_t of_kernel = shared_of_kernel(kernel);
  const std::size_t unasked = shared_without_asking - std::min(of_kernel, shared_without_asking);
  if (bytes <= unasked) return unasked;
  const SharedMemory memory = shared_memory(kernel, of_kernel);
  const std::size_t of_device = memory.of_device;
  const std::size_t limit = memory.left();
  if (bytes > limit)
    throw_limit(
        kernel.name, "shared_size", "at most " + std::to_string(limit) + " bytes", std::to_string(bytes) + " bytes",
        " (device " + std::to_string(kernel.device) + " has " + std::to_string(of_device) +
            " bytes a block, and the kernel's own __shared__ variables take " + std::to_string(of_kernel) + ")");
  check_driver(Driver::get().kernel_set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                  static_cast<int>(bytes), kernel.kernel, kernel.device),
               "cuKernelSetAttribute",
               " for " + std::to_string(bytes) + " bytes of dynamic shared memory for kernel " + kernel.name +
                   " on device " + std::to_string(kernel.device));
  return bytes;
}

std::string describe(const LaunchConfig& config) {
  std::array<char, 16> digits = {};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), reinterpret_cast<std::uintptr_t>(config.stream), 16);
  return "grid " + text_of(config.grid) + ", block " +
         (config.block.is_left_out() ? std::string("left out") : text_of(config.block)) + ", " +
         std::to_string(config.shared_size) + " bytes of dynamic shared memory, stream 0x" +
         std::string(digits.data(), end.ptr) + (config.stream == nullptr ? " (the default)" : "");
}

}  // namespace kiln

namespace kiln::detail {

void throw_dimension_out_of_range(char axis, bool negative, unsigned long long magnitude) {
  const std::string given = (negative ? "-" : "") + std::to_string(magnitude);
  throw ArgumentError("Dim3: " + std::string(1, axis) + " is " + given + ", but a size is 0 to 4294967295", {},
                      ArgumentError::no_index, "0 to 4294967295", given);
}

}  // namespace kiln::detail
