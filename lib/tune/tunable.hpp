// What all copies of a TunableKernel share.
#pragma once

#include "tune/tunable_choices.hpp"
#include "tune/tunable_space.hpp"
#include "tune/tunable_variants.hpp"
#include "tune/tuned_device.hpp"

#include <kiln/tunable_kernel.hpp>

#include <kiln/tune_options.hpp>

#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kiln {

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
