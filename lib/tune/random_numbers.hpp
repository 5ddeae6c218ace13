// Random numbers that are the same on all machines: the standard's engine, without its distributions, which differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace kiln {

/// For one thread.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : engine_(seed) {}

  /// Below `count`, which is not 0, each as often as the others.
  std::size_t below(std::size_t count) {
    const std::uint64_t unfair = (0 - std::uint64_t{count}) % count;  // how many numbers are beyond whole rounds
    std::uint64_t number = engine_();
    while (number < unfair) number = engine_();
    return static_cast<std::size_t>(number % count);
  }

  /// In [0, 1).
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace kiln
