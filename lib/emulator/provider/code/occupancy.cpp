#include "emulator/provider/code/occupancy.hpp"

#include "emulator/core/device_attributes.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

std::size_t attribute(const FunctionState& function, CUdevice_attribute attribute) {
  return static_cast<std::size_t>(device_attribute(function.context->device(), attribute));
}

constexpr std::size_t shared_unit = 128;  // granularity of shared memory in bytes

}  // namespace

std::size_t max_dynamic_shared_opt_in(const FunctionState& function) {
  const std::size_t most = attribute(function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  return most - std::min<std::size_t>(most, function.kernel->static_shared);
}

std::size_t max_dynamic_shared(const FunctionState& function) {
  const int raised = function.settings->max_dynamic_shared;
  if (raised >= 0) return std::min(static_cast<std::size_t>(raised), max_dynamic_shared_opt_in(function));
  const std::size_t usual = attribute(function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  return usual - std::min<std::size_t>(usual, function.kernel->static_shared);
}

int resident_blocks(const FunctionState& function, int block_size, std::size_t dynamic_shared) {
  const std::size_t shared = function.kernel->static_shared + dynamic_shared;
  if (block_size <= 0 || static_cast<std::uint32_t>(block_size) > function.kernel->max_threads) return 0;
  if (shared > attribute(function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)) return 0;
  const std::size_t threads = (static_cast<std::size_t>(block_size) + 31) / 32 * 32;
  const std::size_t reserved = attribute(function, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  const std::size_t taken = (shared + reserved + shared_unit - 1) / shared_unit * shared_unit;
  std::size_t blocks = attribute(function, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  blocks = std::min(blocks, attribute(function, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / threads);
  if (taken != 0)
    blocks = std::min(blocks, attribute(function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) / taken);
  return static_cast<int>(blocks);
}

}  // namespace kiln::emulator
