// A kernel whose blocks are as many as the device runs at once, and no more.
#pragma once

#include "generate/generated_function.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace kiln {

/// Thread-safe.
class OneWave : public GeneratedFunction {
 public:
  using GeneratedFunction::GeneratedFunction;

  /// Blocks for so many turns of a thread: at least one.
  std::size_t blocks_for(int device, std::size_t turns) const;

 private:
  static constexpr std::size_t most_devices = 64;
  std::size_t most_blocks(int device) const;
  // Of each device; 0 where it is not known yet.
  mutable std::array<std::atomic<unsigned>, most_devices> blocks_ = {};
};

}  // namespace kiln
