// What all copies of a TunableKernel share.
#pragma once

#include "tune/tunable_space.hpp"
#include "tune/tunable_variants.hpp"
#include "tune/tuned_device.hpp"

#include <kiln/detail/tuned_launch.hpp>
#include <kiln/problem_size.hpp>
#include <kiln/tunable_kernel.hpp>
#include <kiln/tune_options.hpp>
#include <kiln/tune_value.hpp>

#include <atomic>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

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
  /// Stores it, unless another thread was first; the one that is stored.
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

/// What tune() found for one kind of device and one problem.
struct TunedProblem {
  int device_kind;
  ProblemSize problem;
  TuneConfiguration values;
};

/// Thread-safe once the definition is complete.
struct TunableKernel::Impl {
  /// For the members that describe the kernel. Throws Error after the first use.
  TunableDefinition& describe();
  /// The definition is complete.
  const TunableDefinition& use() noexcept {
    is_used.store(true, std::memory_order_relaxed);
    return definition;
  }
  /// Of the current device.
  TunableSpace space_for(const ProblemSize& problem);
  /// What a launch on the stream uses, found again or made.
  const TunableChoice& choose(const ProblemSize& problem, CUstream stream);
  /// Likewise; without a lock where it is among the choices that were used last.
  const detail::TunedLaunch& launch_for(const ProblemSize& problem, CUstream stream);

  /// Keeps the values that tune() found, for later choices for this kind of device and this problem. Wisdom keeps them
  /// only if `tells_apart`: tuning compared different programs.
  void keep_best(const TunedDevice& device, const ProblemSize& problem, const TuneCandidate& best,
                 const TuneOptions& options, bool tells_apart);

  TunableDefinition definition;
  std::atomic<bool> is_used{false};
  std::optional<Wisdom> wisdom;  // none: that of the environment, from the first use on
  TunableVariants variants{definition};
  TunableChoices choices;

 private:
  const Wisdom& known_wisdom();
  std::optional<Configuration> best_known(const TunableSpace& space, const TunedDevice& device,
                                          const ProblemSize& problem);
  std::optional<Configuration> wise(const TunableSpace& space, const TunedDevice& device, const ProblemSize& problem);
  void note(const TuneConfiguration& values, const std::string& origin) const;
  void warn_once(const std::string& message);
  TunableChoice make_choice(const TunedDevice& device, const ProblemSize& problem);
  Function function_for(const TuneConfiguration& values, const ProblemSize& problem);
  TunableChoice choice_of(const TunableSpace& space, const Configuration& configuration, const TunedDevice& device,
                          const ProblemSize& problem);

  std::mutex mutex_;
  std::vector<TunedProblem> tuned_;  // in this process
  std::set<std::string> warned_;
};

}  // namespace kiln
