#include "emulator/core/occupancy.hpp"

#include "emulator/core/device_attributes.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

// Registers are allocated for a whole warp, in units, in one of the parts of a multiprocessor.
constexpr std::uint32_t threads_per_warp = 32, register_unit = 256;

std::uint32_t limit(CUdevice_attribute attribute) { return static_cast<std::uint32_t>(device_attribute(0, attribute)); }

template <class T>
T rounded_up(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

std::uint32_t parts_of_multiprocessor() { return device_arch() == 60 ? 2 : 4; }

std::uint32_t by_registers(const BlockNeeds& needs, std::uint32_t otherwise) {
  if (needs.registers == 0) return otherwise;
  const std::uint32_t parts = parts_of_multiprocessor();
  const std::uint32_t of_warp = rounded_up(needs.registers * threads_per_warp, register_unit);
  const std::uint32_t in_block = of_warp * rounded_up(warps_of(needs), parts);
  if (in_block > limit(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK)) return 0;
  const std::uint32_t of_part = limit(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR) / parts;
  return of_part / of_warp * parts / warps_of(needs);
}

std::uint32_t by_shared(const BlockNeeds& needs, std::uint32_t otherwise) {
  const std::uint64_t reserved = limit(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  const std::uint64_t unit = device_arch() >= 80 ? 128 : 256;  // bytes
  const std::uint64_t taken = rounded_up(needs.shared + reserved, unit);
  if (taken == 0) return otherwise;
  return static_cast<std::uint32_t>(limit(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) / taken);
}

}  // namespace

std::uint32_t BlockLimits::least() const { return std::min({warps, blocks, shared, registers}); }

std::uint32_t warps_of(const BlockNeeds& needs) { return (needs.threads + threads_per_warp - 1) / threads_per_warp; }

std::uint32_t warps_per_multiprocessor() {
  return limit(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / threads_per_warp;
}

BlockLimits block_limits(const BlockNeeds& needs) {
  BlockLimits limits;
  limits.blocks = limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  limits.warps = warps_per_multiprocessor() / warps_of(needs);
  limits.shared = by_shared(needs, limits.blocks);
  limits.registers = by_registers(needs, limits.blocks);
  return limits;
}

}  // namespace kiln::emulator
