// PreparedFunction: a kernel whose arguments' types, and usually its block, were said once.
#pragma once

#include <kiln/detail/argument.hpp>
#include <kiln/detail/launch_transform.hpp>
#include <kiln/detail/passkey.hpp>
#include <kiln/detail/prepared_call.hpp>
#include <kiln/dim3.hpp>
#include <kiln/export.hpp>
#include <kiln/host_argument.hpp>
#include <kiln/launch_config.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace kiln {

struct PreparedPlan;

/// Made by Function::prepare. Codes are those of PyCUDA and Python's struct, in the sizes of 64-bit Linux:
///   b B h H i I l L q Q n N  integers (8, 16, 32, 64, 64, 64 bits; capitals unsigned; n and N are size_t's)
///   ? bool   c a character   e half   f float   d double   F D complex of float, of double
///   P a pointer   s a byte; 12s, or 12p, 12 bytes of any value   x a byte of padding, without an argument; 4x four
/// and, in a list of codes, CUDA's names: float4, int2, uchar4, double2, dim3 ..., half, half2, bfloat16, bfloat162.
/// A number before another code repeats it. Codes lie as the compiler lays out parameters; padding is for layouts by
/// hand, which must agree with the kernel's own.
///
/// A call converts each argument to its code. Integers must be in the code's range; floating codes take any number that
/// does not overflow; no floating value becomes an integer. P takes pointers, CUdeviceptr, nullptr, what stands for
/// device memory, views, and In, Out and InOut; Q may stand for a kernel's pointer, for a CUdeviceptr. Vectors, complex
/// numbers and bytes take any value of that size that is no scalar, half and bfloat16 numbers too. All else throws
/// ArgumentError before anything is launched, and what a launch throws is as Function's. A call with arguments of
/// exactly the code's types converts nothing, and no call without host arguments allocates.
///
/// Where prepare() had a block, a LaunchConfig that leaves its block out has the prepared one. Copies share the kernel,
/// and keep its module. Every member may be called from several threads at once. Counterpart: pycuda.driver.Function
/// after prepare().
class KILN_EXPORT PreparedFunction {
 public:
  // As Function.
  PreparedFunction(const PreparedFunction&) = default;
  PreparedFunction& operator=(const PreparedFunction&) = default;
  ~PreparedFunction() = default;

  /// On the config's stream, and as to host arguments, as Function's. Counterpart: cuLaunchKernel.
  template <class... Args>
  void operator()(const LaunchConfig& config, const Args&... args) const {
    detail::refuse_temporaries<Args...>();
    call(config, config.stream == nullptr, args...);
  }
  /// Does not compile: a stream in the place of the shared memory. Write {grid, block, shared_size, stream}.
  template <class... Args>
  void operator()(const detail::StreamAsSharedSize&, const Args&...) const {
    detail::StreamAsSharedSize::refuse<Args...>();
  }

  /// Does not wait, unless there are host arguments: then until all is done and Out can be read. The first argument is
  /// the grid: an integer, a Dim3, or its sizes in braces, {4, 3}. Where prepare() had no block, it comes second, as a
  /// Dim3 or in braces: prepared_call(64, {256}, a, n); an integer there is an argument of the kernel. A LaunchConfig
  /// in the grid's place, by its name, is for shared memory, another stream than the legacy default one, or attributes:
  /// prepared_call(LaunchConfig{64, 256, 1024}, a, n). Counterpart: Function.prepared_call.
  template <class... Args>
  void prepared_call(const Dim3& grid, const Args&... args) const {
    call(LaunchConfig{grid, prepared_block()}, true, args...);
  }
  template <class... Args>
  void prepared_call(const Dim3& grid, const Dim3& block, const Args&... args) const {
    if (has_block()) return call(LaunchConfig{grid, prepared_block()}, true, block, args...);
    call(LaunchConfig{grid, block}, true, args...);
  }
  template <class Config, class... Args, class = detail::IfLaunchConfig<Config>>
  void prepared_call(const Config& config, const Args&... args) const {
    call(config, true, args...);
  }

  /// The same on a stream (null is the legacy default one), which replaces the config's; a block comes before it. Never
  /// waits: the memory of host arguments is needed until the stream is synchronised. Counterpart:
  /// Function.prepared_async_call.
  template <class... Args>
  void prepared_async_call(const Dim3& grid, CUstream stream, const Args&... args) const {
    detail::refuse_temporaries<Args...>();
    call(LaunchConfig{grid, prepared_block(), 0, stream}, false, args...);
  }
  template <class... Args>
  void prepared_async_call(const Dim3& grid, const Dim3& block, CUstream stream, const Args&... args) const {
    detail::refuse_temporaries<Args...>();
    call(LaunchConfig{grid, only_block(block), 0, stream}, false, args...);
  }
  template <class Config, class... Args, class = detail::IfLaunchConfig<Config>>
  void prepared_async_call(const Config& config, CUstream stream, const Args&... args) const {
    detail::refuse_temporaries<Args...>();
    call(detail::changed(config, config.block, stream), false, args...);
  }

  /// As prepared_call, and waits always: the seconds that the kernel took on the device, without copies of host
  /// arguments, by two events on its stream. Counterpart: Function.prepared_timed_call, which returns a callable.
  template <class... Args>
  double prepared_timed_call(const Dim3& grid, const Args&... args) const {
    return timed(LaunchConfig{grid, prepared_block()}, args...);
  }
  template <class... Args>
  double prepared_timed_call(const Dim3& grid, const Dim3& block, const Args&... args) const {
    if (has_block()) return timed(LaunchConfig{grid, prepared_block()}, block, args...);
    return timed(LaunchConfig{grid, block}, args...);
  }
  template <class Config, class... Args, class = detail::IfLaunchConfig<Config>>
  double prepared_timed_call(const Config& config, const Args&... args) const {
    return timed(config, args...);
  }

  /// For Kiln itself.
  PreparedFunction(detail::Passkey, std::shared_ptr<const PreparedPlan> plan) : plan_(std::move(plan)) {}

 private:
  template <class... Args>
  void call(const LaunchConfig& config, bool wait, const Args&... args) const {
    submit(config, wait, detail::transformed(detail::launch_transform(config.stream, args))...);
  }
  template <class... Args>
  void submit(const LaunchConfig& config, bool wait, const Args&... args) const {
    pass<typename detail::Launched<Args>::type...>(config, wait, detail::Launched<Args>::pass(args)...);
  }
  template <class... Types, class... Values>
  void pass(const LaunchConfig& config, [[maybe_unused]] bool wait, Values&&... values) const {
    void* pointers[] = {detail::address_of(values)..., nullptr};
    if constexpr (detail::has_views<Values...>) place_views(pointers, detail::signature<Types...>);
    std::uint64_t converted[sizeof...(Values) + 1];
    if constexpr (detail::slot_count<Values...> == 0)
      launch(config, pointers, converted, detail::signature<Types...>);
    else
      launch(config, pointers, converted, detail::signature<Types...>,
             detail::SlotList<detail::slot_count<Values...>>(values...), wait);
  }
  template <class... Args>
  double timed(const LaunchConfig& config, const Args&... args) const {
    return submit_timed(config, detail::transformed(detail::launch_transform(config.stream, args))...);
  }
  template <class... Args>
  double submit_timed(const LaunchConfig& config, const Args&... args) const {
    return timed_call<typename detail::Launched<Args>::type...>(config, detail::Launched<Args>::pass(args)...);
  }
  template <class... Types, class... Values>
  double timed_call(const LaunchConfig& config, Values&&... values) const {
    void* pointers[] = {detail::address_of(values)..., nullptr};
    if constexpr (detail::has_views<Values...>) place_views(pointers, detail::signature<Types...>);
    std::uint64_t converted[sizeof...(Values) + 1];
    if constexpr (detail::slot_count<Values...> == 0)
      return timed_launch(config, pointers, converted, detail::signature<Types...>, {});
    else
      return timed_launch(config, pointers, converted, detail::signature<Types...>,
                          detail::SlotList<detail::slot_count<Values...>>(values...));
  }
  /// Those that go as a whole, by their codes.
  void place_views(void** arguments, const detail::Signature& signature) const noexcept;
  bool has_block() const noexcept;
  /// Throws ArgumentError where there is none.
  const Dim3& prepared_block() const;
  /// The given block; throws ArgumentError where there is a prepared one.
  const Dim3& only_block(const Dim3& given) const;
  void launch(const LaunchConfig& config, void** arguments, std::uint64_t* converted,
              const detail::Signature& signature) const;
  void launch(const LaunchConfig& config, void** arguments, std::uint64_t* converted,
              const detail::Signature& signature, const detail::HostSlots& slots, bool wait) const;
  double timed_launch(const LaunchConfig& config, void** arguments, std::uint64_t* converted,
                      const detail::Signature& signature, const detail::HostSlots& slots) const;

  std::shared_ptr<const PreparedPlan> plan_;
};

}  // namespace kiln
