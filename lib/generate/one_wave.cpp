#include "generate/one_wave.hpp"

#include "memory/context.hpp"

#include <kiln/device.hpp>

#include <algorithm>

namespace kiln {

std::size_t OneWave::most_blocks(int device) const {
  const bool is_kept = static_cast<std::size_t>(device) < most_devices;
  if (is_kept)
    if (const unsigned known = blocks_[static_cast<std::size_t>(device)].load(std::memory_order_relaxed)) return known;
  const ContextGuard guard(device);
  const int processors = Device(device).attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  const auto blocks =
      static_cast<unsigned>(std::max(1, max_active_blocks_per_multiprocessor(Dim3(block)) * processors));
  if (is_kept) blocks_[static_cast<std::size_t>(device)].store(blocks, std::memory_order_relaxed);
  return blocks;
}

std::size_t OneWave::blocks_for(int device, std::size_t turns) const {
  // A thread has two turns before there is another block: so few are done before the next one has begun.
  const std::size_t wanted = turns / (2 * std::size_t{block});
  return std::clamp<std::size_t>(wanted, 1, wanted <= 1 ? 1 : most_blocks(device));
}

}  // namespace kiln
