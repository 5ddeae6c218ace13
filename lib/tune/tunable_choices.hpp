// Which variant a tunable kernel launches for a problem.
#pragma once

#include <kiln/detail/tuned_launch.hpp>
#include <kiln/problem_size.hpp>
#include <kiln/tune_value.hpp>

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>

namespace kiln {

/// What was chosen for a problem on a kind of device, and the values of its parameters.
struct TunableChoice {
  detail::TunedLaunch launch;
  TuneConfiguration values;
};

/// Choices that were made. Thread-safe. A choice lives as long as this object, so that it may be read while another
/// takes its place: some 300 bytes for each problem size.
class TunableChoices {
 public:
  /// Null where there is none. Those that are found are among recent() from then on.
  const TunableChoice* find(int device_kind, const ProblemSize& problem) noexcept;
  /// Keeps it, unless another thread was first; the one that is kept.
  const TunableChoice& add(TunableChoice choice);
  /// Finds none of these any more.
  void forget();

  const detail::RecentLaunches& recent() const noexcept { return recent_; }

 private:
  /// An empty grid is not launched, and not among recent(), so that launches need not look for one.
  void remember(const detail::TunedLaunch& launch) noexcept;

  using Key = std::tuple<int, std::size_t, unsigned long long, unsigned long long, unsigned long long>;
  static Key key_of(int device_kind, const ProblemSize& problem) noexcept {
    return {device_kind, problem.dimensions(), problem[0], problem[1], problem[2]};
  }

  detail::RecentLaunches recent_;
  std::mutex mutex_;
  std::deque<TunableChoice> all_;
  std::map<Key, const TunableChoice*> by_key_;
};

}  // namespace kiln
