// LaunchPlan: a sequence of launches, recorded once and replayed with new arguments by one call.
#pragma once

#include <kiln/detail/plan_argument.hpp>
#include <kiln/function.hpp>
#include <kiln/tensor_map.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace kiln {

class Plan;

/// Stands for a value of type T that each replay brings. Made by LaunchPlan::parameter, for that plan only.
template <class T>
class PlanParameter {
 public:
  const detail::PlanArgument& argument() const noexcept { return argument_; }  ///< for Kiln itself

 private:
  friend class LaunchPlan;
  explicit PlanParameter(const detail::PlanArgument& argument) : argument_(argument) {}

  detail::PlanArgument argument_;
};

/// Launches in order, each after the one before it, as on a stream:
///
///   kiln::LaunchPlan plan;
///   const auto x = plan.parameter<float*>("x");
///   const auto n = plan.parameter<int>("n");
///   plan.add(scale, {64, 256}, x, 2.0f, n);  // 2.0f in every replay; x and n are what each replay brings
///   plan.add(sum, {1, 256}, x, n);
///   plan(stream, buffer, 1000);              // x is buffer, n is 1000
///
/// What is checked is checked while the plan is made; a replay sets what changed since the last one and goes by one
/// CUDA graph a context. It goes by single launches where that is faster (one launch), while the stream is being
/// captured, with texture references or programmatic launches, and where the driver refuses the graph. It allocates
/// nothing, except for the first time in a context and after a change of the plan. Movable, not copyable; keeps the
/// kernels' modules alive, and must go before a context of the program's own in which it was replayed. Several threads
/// may replay one plan at the same time, on any streams: those of one context run one after the other. Every other
/// member changes the plan and may not be called at the same time. Counterpart: the host function that TileLang
/// generates. Members of a plan that was moved from throw ArgumentError.
class KILN_EXPORT LaunchPlan {
 public:
  LaunchPlan();
  ~LaunchPlan();
  LaunchPlan(LaunchPlan&& other) noexcept;
  LaunchPlan& operator=(LaunchPlan&& other) noexcept;

  /// The next argument of the replays. T as the kernels take it: a scalar, a pointer, a trivially copyable struct, a
  /// span or an mdspan by value. The name is for error texts.
  template <class T>
  PlanParameter<T> parameter(const std::string& name = {}) {
    static_assert(std::is_same_v<typename detail::Passed<T>::type, T> || detail::is_device_view<T>,
                  "state what the kernel takes: T* for a kiln::DeviceBuffer<T>");
    return PlanParameter<T>(add_parameter(name, detail::argument_info<T>()));
  }

  /// Adds a launch and returns its index, counted from 0. Arguments are parameters of this plan, and constants of any
  /// kind that a launch of `function` takes; they are checked as there. A plan may grow after a replay too. Throws
  /// ArgumentError (launch, kernel, parameter, expected, given), also for a size of 0, a parameter of another plan, and
  /// a stream in the configuration: a replay names its stream. The plan is as before then.
  template <class... Args>
  std::size_t add(const Function& function, const LaunchConfig& config, const Args&... args) {
    detail::refuse_host_memory<Args...>();
    return record(function, config, detail::signature<typename detail::Launched<Args>::type...>,
                  detail::recorded(args)...);
  }

  /// Another grid, block, shared memory or other attributes for a launch, from the next replay on. New sizes cost what
  /// new arguments cost; new attributes a new graph. Throws ArgumentError as add() does.
  void set_config(std::size_t index, const LaunchConfig& config);

  /// The launches added from now on keep their accesses to `bytes` bytes from `start` in L2, a share of `hit_ratio` of
  /// them; 0 bytes end that. A launch has one window: that of its own attributes, else the last one stated here. It is
  /// clamped to the device, and left out where the device has none; the context's limit of persisting lines is raised
  /// where it is less, and stays so. A start that changes with each replay makes them go by single launches. Throws
  /// ArgumentError for a ratio outside 0 to 1 and a parameter of another plan.
  template <class T>
  void l2_window(const PlanParameter<T*>& start, std::size_t bytes, float hit_ratio = 1) {
    add_window(start.argument(), bytes, hit_ratio);
  }
  void l2_window(const void* start, std::size_t bytes, float hit_ratio = 1) {
    add_window({std::addressof(start), 0, 0}, bytes, hit_ratio);
  }

  /// A tensor map over what each replay has for `address`, to be given to add() as an argument. It is pointed there
  /// when that changes; equal maps over one parameter are one. Throws ArgumentError for a parameter of another plan.
  template <class T>
  PlanParameter<TensorMap> tensor_map(const TensorMap& map, const PlanParameter<T*>& address) {
    return PlanParameter<TensorMap>(add_map(map, address.argument()));
  }

  /// How many launches were added.
  std::size_t size() const noexcept;

  /// Replays the launches on `stream`, whose device they run on; null is the legacy default stream. `args` are the
  /// values of the parameters in the order in which those were made. Nothing is converted, as in a call of Function:
  /// builtin scalars and pointers must be of the parameter's type, const apart; void*, CUdeviceptr and nullptr fit
  /// every pointer. Returns when the driver has taken the work. Throws ArgumentError (index: the argument) where they
  /// do not fit and for a plan without launches, before anything is launched; DriverError where the driver refuses.
  /// Where launches are made one by one, an impossible launch is reported when its turn comes, after those before it.
  template <class... Args>
  void operator()(CUstream stream, const Args&... args) const {
    detail::refuse_host_memory<Args...>();
    submit(stream, detail::transformed(detail::launch_transform(stream, args))...);
  }

 private:
  template <class... Values>
  std::size_t record(const Function& function, const LaunchConfig& config, const detail::Signature& signature,
                     const Values&... values) {
    const detail::PlanArgument arguments[] = {detail::plan_argument(values)..., {}};
    return add_launch(function, config, signature, arguments);
  }
  template <class... Args>
  void submit(CUstream stream, const Args&... args) const {
    call<typename detail::Launched<Args>::type...>(stream, detail::Launched<Args>::pass(args)...);
  }
  template <class... Types, class... Values>
  void call(CUstream stream, const Values&... values) const {
    const void* const pointers[] = {static_cast<const void*>(std::addressof(values))..., nullptr};
    replay(stream, detail::signature<Types...>, pointers);
  }

  detail::PlanArgument add_parameter(const std::string& name, const detail::ArgumentInfo& info);
  std::size_t add_launch(const Function& function, const LaunchConfig& config, const detail::Signature& signature,
                         const detail::PlanArgument* arguments);
  void add_window(const detail::PlanArgument& start, std::size_t bytes, float hit_ratio);
  detail::PlanArgument add_map(const TensorMap& map, const detail::PlanArgument& address);
  void replay(CUstream stream, const detail::Signature& signature, const void* const* values) const;

  std::unique_ptr<Plan> plan_;
};

}  // namespace kiln
