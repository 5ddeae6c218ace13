// A tunable kernel with its arguments on a device, as the engine of tuning knows it, and the clock for its launches.
#pragma once

#include "launch/l2_flush.hpp"
#include "tune/tunable_space.hpp"
#include "tune/tune_outputs.hpp"
#include "tune/tune_target.hpp"
#include "tune/tuned_device.hpp"

#include <kiln/event.hpp>
#include <kiln/stream.hpp>
#include <kiln/tune_arguments.hpp>
#include <kiln/tune_options.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>

namespace kiln {

/// Launches on one stream, whose context must be current; for one thread. Each throws TuneFailure where the launch is
/// refused, crashes or takes more than the limit. After one that does not end, or that takes the context along, it is
/// the last.
class LaunchClock {
 public:
  LaunchClock(CUstream stream, double limit_seconds, bool flush_l2);

  /// Launches and waits.
  void run(const std::function<void()>& launch);
  /// Likewise; the seconds on the device. The cache is emptied before, or a launch goes ahead.
  double time(const std::function<void()>& launch);
  /// Whether a launch did not end: what waits for the device, as freeing memory does, does not end either.
  bool is_stuck() const noexcept { return is_stuck_; }

 private:
  void wait_for_end();
  void put_in(const std::function<void()>& launch);

  CUstream stream_;
  double limit_seconds_;
  std::optional<L2Flush> flush_;
  Event start_;
  Event end_;
  bool is_stuck_ = false;
};

class KernelTarget : public TuneTarget {
 public:
  /// What is given must outlive this object. The device is the calling thread's current one.
  KernelTarget(const TunableDefinition& definition, const TunableSpace& space, const TunedDevice& device,
               const ProblemSize& problem, const TuneArguments& arguments, const TuneOptions& options);
  /// Gives the memory that the kernel may write its first content back, and waits. Not to be called where is_stuck().
  ~KernelTarget() override;
  KernelTarget(const KernelTarget&) = delete;
  KernelTarget& operator=(const KernelTarget&) = delete;

  Configuration default_configuration() const override { return space_.default_configuration(); }
  std::unique_ptr<TuneVariant> compile(const Configuration& configuration, const CancelToken& cancel) override;
  void make_reference(TuneVariant& variant) override;
  double now() const override;
  std::string identity() const override;
  /// Whether a launch does not end, for which every destructor of something on the device would wait.
  bool is_stuck() const noexcept { return clock_.is_stuck(); }

 private:
  class Variant;

  /// Made with the first kernel, whose parameters show what it may write.
  TuneOutputs& outputs(const Function& function);

  const TunableDefinition& definition_;
  const TunableSpace& space_;
  const TunedDevice& device_;
  const ProblemSize problem_;
  const TuneArguments& arguments_;
  const TuneOptions& options_;
  const Stream stream_;
  LaunchClock clock_;
  std::optional<TuneOutputs> outputs_;
  std::set<std::shared_ptr<const Function>> loaded_;  // what is left when a launch is stuck is never unloaded
};

}  // namespace kiln
