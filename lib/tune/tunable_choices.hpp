// Which variant a tunable kernel launches for a problem.
#pragma once

#include <kiln/problem_size.hpp>
#include <kiln/tunable_kernel.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>

namespace kiln {

/// What was chosen for a problem on a kind of device.
struct TunableChoice {
  int device_kind;
  ProblemSize problem;
  TuneConfiguration values;
  detail::TunedLaunch launch;
};

/// Choices that were made. Thread-safe; finding one again takes no lock. A choice lives as long as this object, so that
/// it may be read while another takes its place: some 200 bytes for each problem size.
class TunableChoices {
 public:
  /// Null where there is none.
  const TunableChoice* find(int device_kind, const ProblemSize& problem) noexcept {
    const TunableChoice* const recent = slot(device_kind, problem).load(std::memory_order_acquire);
    const bool is_it = recent != nullptr && recent->device_kind == device_kind && recent->problem == problem;
    return is_it ? recent : find_all(device_kind, problem);
  }
  /// Keeps it, unless another thread was first; the one that is kept.
  const TunableChoice& add(TunableChoice choice);
  /// Finds none of these any more.
  void forget();

 private:
  using Key = std::tuple<int, std::size_t, unsigned long long, unsigned long long, unsigned long long>;
  static Key key_of(int device_kind, const ProblemSize& problem) noexcept {
    return {device_kind, problem.dimensions(), problem[0], problem[1], problem[2]};
  }
  std::atomic<const TunableChoice*>& slot(int device_kind, const ProblemSize& problem) noexcept {
    // A multiplication spreads sizes that are powers of two; the highest bits are its best ones.
    const unsigned long long mixed =
        (problem[0] + 31 * problem[1] + 961 * problem[2] + 29791 * static_cast<unsigned long long>(device_kind)) *
        0x9e3779b97f4a7c15U;
    return recent_[mixed >> 58];
  }
  const TunableChoice* find_all(int device_kind, const ProblemSize& problem) noexcept;

  std::array<std::atomic<const TunableChoice*>, 64> recent_ = {};
  std::mutex mutex_;
  std::deque<TunableChoice> all_;
  std::map<Key, const TunableChoice*> by_key_;
};

}  // namespace kiln
