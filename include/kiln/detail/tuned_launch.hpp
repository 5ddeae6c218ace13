// What a TunableKernel launches for a problem, found again without a lock.
#pragma once

#include <kiln/dim3.hpp>
#include <kiln/function.hpp>
#include <kiln/problem_size.hpp>

#include <array>
#include <atomic>
#include <cstddef>

namespace kiln::detail {

/// Stands for each device of a process whose devices are all of one name.
inline constexpr int any_device = -1;

/// What was chosen for a problem on a kind of device. What a launch reads lies together, as the driver's code leaves
/// little else in the nearest cache.
struct alignas(128) TunedLaunch {
  ProblemSize problem;
  int device_kind;
  Dim3 grid;
  Dim3 block;
  std::size_t shared_size;
  Function function;
};

/// Those that were used last, for up to 64 problems. Thread-safe; a launch must live as long as this object.
class RecentLaunches {
 public:
  /// Null where it is not among them.
  const TunedLaunch* find(int device_kind, const ProblemSize& problem) const noexcept {
    const TunedLaunch* const recent = recent_[slot(device_kind, problem)].load(std::memory_order_acquire);
    const bool is_it = recent != nullptr && recent->device_kind == device_kind && recent->problem == problem;
    return is_it ? recent : nullptr;
  }
  void add(const TunedLaunch& launch) noexcept {
    recent_[slot(launch.device_kind, launch.problem)].store(&launch, std::memory_order_release);
  }
  void clear() noexcept {
    for (auto& recent : recent_) recent.store(nullptr, std::memory_order_release);
  }

 private:
  static std::size_t slot(int device_kind, const ProblemSize& problem) noexcept {
    // A multiplication spreads sizes that are powers of two; the highest bits are its best ones.
    const unsigned long long mixed =
        problem[0] + 31 * problem[1] + 961 * problem[2] + 29791 * static_cast<unsigned long long>(device_kind);
    return (mixed * 0x9e3779b97f4a7c15U) >> 58;
  }

  std::array<std::atomic<const TunedLaunch*>, 64> recent_ = {};
};

}  // namespace kiln::detail
