// Function: one kernel, ready to be launched.
#pragma once

#include <kiln/code_object.hpp>
#include <kiln/detail/argument.hpp>
#include <kiln/detail/launch_transform.hpp>
#include <kiln/detail/passkey.hpp>
#include <kiln/export.hpp>
#include <kiln/function_attribute.hpp>
#include <kiln/host_argument.hpp>
#include <kiln/launch_config.hpp>
#include <kiln/prepared_function.hpp>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

class Kernel;

/// A kernel of a loaded module. Copies share the kernel and keep its module alive. Every member may be called from
/// several threads at once. Attribute queries and launches throw ToolkitError or DriverError where there is no usable
/// device. Counterpart: pycuda.driver.Function.
class KILN_EXPORT Function {
 public:
  // Copied, never moved, so that there is no null one.
  Function(const Function&) = default;
  Function& operator=(const Function&) = default;
  ~Function() = default;

  /// Launches the kernel; returns when the driver has taken the launch, not when it is done. Arguments are passed by
  /// value: scalars, pointers, driver handles, trivially copyable structs, and what stands for device memory
  /// (DeviceBuffer, DevicePointer) as its address. A span or an mdspan, of memory that the device can use, is passed as
  /// its address too, and by value where the kernel's parameter is one: a class of its size. What CCCL's
  /// transform_launch_argument(stream, argument) takes is passed as what that returns. With In, Out or InOut a call on
  /// the null stream returns when all is done and Out can be read; on another stream the host's memory is needed until
  /// that is synchronised. Count and sizes are checked against the kernel's own parameters; kinds where its name or its
  /// PTX shows them; what pointers point to where its name shows it (void*, CUdeviceptr and bytes fit everything).
  /// Nothing is converted, and no pointer is followed: freed memory, or that of another device without peer access, is
  /// an error of the kernel, which a later call reports. Throws ArgumentError (kernel, parameter, expected, given; a
  /// size of 0 or above the device's limit; too much shared memory) before anything is launched, DriverError where the
  /// driver refuses. Counterpart: Function.__call__, cuLaunchKernel.
  template <class... Args>
  void operator()(const LaunchConfig& config, const Args&... args) const {
    detail::refuse_temporaries<Args...>();
    submit(config, detail::transformed(detail::launch_transform(config.stream, args))...);
  }

  /// Launches and waits; the seconds that the kernel took on the device, by two events on the config's stream.
  /// Counterpart: Function.__call__(time_kernel=True), which measures the host's clock.
  template <class... Args>
  double timed(const LaunchConfig& config, const Args&... args) const {
    return submit_timed(config, detail::transformed(detail::launch_transform(config.stream, args))...);
  }

  /// Does not compile: a stream in the place of the shared memory. Write {grid, block, shared_size, stream}.
  template <class... Args>
  void operator()(const detail::StreamAsSharedSize&, const Args&...) const {
    detail::StreamAsSharedSize::refuse<Args...>();
  }
  /// Does not compile: a stream in the place of the shared memory. Write {grid, block, shared_size, stream}.
  template <class... Args>
  double timed(const detail::StreamAsSharedSize&, const Args&...) const {
    detail::StreamAsSharedSize::refuse<Args...>();
    return 0;
  }

  /// The kernel with one code a parameter ("PPPi", or {"P", "float4"}), and the block of its launches; see
  /// PreparedFunction for the codes. `texrefs` are kept, and named by each launch that names none itself, as
  /// LaunchConfig::texrefs. Throws ArgumentError where a code is unknown, or where count, sizes, offsets or (as far as
  /// they are known) kinds differ from the kernel's own. Counterpart: Function.prepare.
  PreparedFunction prepare(std::string_view codes, const TextureReferences& texrefs = {}) const;
  PreparedFunction prepare(std::string_view codes, const Dim3& block, const TextureReferences& texrefs = {}) const;
  PreparedFunction prepare(std::initializer_list<std::string_view> codes, const TextureReferences& texrefs = {}) const;
  PreparedFunction prepare(std::initializer_list<std::string_view> codes, const Dim3& block,
                           const TextureReferences& texrefs = {}) const;
  PreparedFunction prepare(const std::vector<std::string>& codes, const TextureReferences& texrefs = {}) const;
  PreparedFunction prepare(const std::vector<std::string>& codes, const Dim3& block,
                           const TextureReferences& texrefs = {}) const;
  /// The same with C++ types, which are checked as a TypedFunction's: prepare<const float*, int>(256).
  template <class... Args>
  PreparedFunction prepare(const TextureReferences& texrefs = {}) const {
    return prepare_types(detail::signature<Args...>, nullptr, texrefs);
  }
  template <class... Args>
  PreparedFunction prepare(const Dim3& block, const TextureReferences& texrefs = {}) const {
    return prepare_types(detail::signature<Args...>, &block, texrefs);
  }

  /// The symbol in the code: mangled unless the source says extern "C". Lives as long as a copy of this object.
  /// Counterpart: cuKernelGetName.
  const std::string& name() const noexcept;
  /// The parameters in order, as the code describes them, without a device; those of a fatbin as the driver does, which
  /// needs one. Empty for a fatbin where the driver is older than 12.4. Counterpart: cuKernelGetParamInfo.
  const std::vector<Parameter>& parameters() const;

  /// The current device's figures, as PyCUDA names them. Bytes are a block's (shared), a thread's (local) or the
  /// kernel's. On the emulator num_regs() throws DriverError: ptxas chooses registers, PTX has none (docs/emulator.md).
  /// @{
  int max_threads_per_block() const;
  int shared_size_bytes() const;
  int const_size_bytes() const;
  int local_size_bytes() const;
  int num_regs() const;
  int ptx_version() const;
  int binary_version() const;
  int cache_mode_ca() const;
  int max_dynamic_shared_size_bytes() const;
  int preferred_shared_memory_carveout() const;
  /// @}
  /// The cluster of the kernel's __cluster_dims__; 1x1x1 where it has none. Counterpart:
  /// CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH and the like.
  Dim3 required_cluster() const;
  /// An attribute by its name, or any CUfunction_attribute by its number in cuda.h. Counterpart:
  /// Function.get_attribute, cuKernelGetAttribute.
  int attribute(int function_attribute) const;
  int attribute(FunctionAttribute function_attribute) const { return attribute(static_cast<int>(function_attribute)); }
  /// All attributes that the driver knows, by their names in FunctionAttribute: attributes().at("num_regs"). On the
  /// emulator num_regs is left out.
  std::map<std::string, int> attributes() const;

  /// Sets an attribute on the current device, for all copies of this object; other devices keep their own. The maximum
  /// of dynamic shared memory only rises, and launches raise it themselves where they need more. Throws ArgumentError
  /// where a value cannot be, DriverError where the driver refuses. Not for use while another thread launches the
  /// kernel. Counterpart: Function.set_attribute, cuKernelSetAttribute.
  void set_attribute(int function_attribute, int value) const;
  void set_attribute(FunctionAttribute function_attribute, int value) const {
    set_attribute(static_cast<int>(function_attribute), value);
  }
  /// As set_attribute(), for the split between the L1 cache and shared memory; a hint. Counterpart:
  /// Function.set_cache_config, cuKernelSetCacheConfig.
  void set_cache_config(CacheConfig config) const;

  // Occupancy on the current device, by the driver's own reckoning. Where a shared size is given, and more than the
  // kernel may have now, it is allowed first, as for a launch. They throw ArgumentError where the device can have no
  // such block or cluster.

  /// Blocks of `block` threads that run on one multiprocessor at once. Counterpart:
  /// cuOccupancyMaxActiveBlocksPerMultiprocessor.
  int max_active_blocks_per_multiprocessor(const Dim3& block, std::size_t shared_size = 0) const;
  /// The number of threads in a block that keeps the device fullest, not above `block_limit` where that is not 0, and
  /// the number of such blocks that fill it. Every block has `shared_size` bytes. Counterpart:
  /// cuOccupancyMaxPotentialBlockSize.
  PotentialBlockSize max_potential_block_size(std::size_t shared_size = 0, int block_limit = 0) const;
  /// The same for dynamic shared memory that depends on the block: any callable that gives the bytes for a number of
  /// threads, such as [](int threads) { return threads * sizeof(float); }. Blocks that need more than the device has do
  /// not count; ArgumentError where no block needs less, and for a negative number. The callable is called on this
  /// thread, once for each multiple of a warp and for the limit; what it throws comes out here. Counterpart:
  /// cuOccupancyMaxPotentialBlockSize with blockSizeToDynamicSMemSize.
  PotentialBlockSize max_potential_block_size(const std::function<std::size_t(int)>& shared_size,
                                              int block_limit = 0) const;
  /// The dynamic shared memory in bytes that each of `blocks` blocks on one multiprocessor can have, but not more than
  /// max_dynamic_shared_size_bytes() is now: the driver's result, and no maximum is raised for it. It includes what the
  /// device reserves in each block (CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK). Counterpart:
  /// cuOccupancyAvailableDynamicSMemPerBlock.
  std::size_t available_dynamic_shared_size(int blocks, const Dim3& block) const;
  /// Clusters of the configuration's size, or the kernel's own, that run at once on the device of the configuration's
  /// stream. Counterpart: cuOccupancyMaxActiveClusters.
  int max_active_clusters(const LaunchConfig& config) const;
  /// The most blocks that a cluster of such blocks can have there; beyond 8 only where the attribute
  /// non_portable_cluster_size_allowed is set. Counterpart: cuOccupancyMaxPotentialClusterSize.
  int max_potential_cluster_size(const LaunchConfig& config) const;

  /// The driver's handle for the current device, which is a CUfunction too. Lives as long as a copy of this object.
  CUkernel handle() const;

  /// For Kiln itself.
  Function(detail::Passkey, std::shared_ptr<Kernel> kernel) : kernel_(std::move(kernel)) {}

 protected:
  /// Launches; Types are the kernel's.
  template <class... Types, class... Values>
  void call(const LaunchConfig& config, Values&&... values) const {
    void* pointers[] = {detail::address_of(values)..., nullptr};
    if constexpr (detail::has_views<Values...>) place_views(pointers, detail::signature<Types...>);
    if constexpr (detail::slot_count<Values...> == 0)
      launch(config, pointers, detail::signature<Types...>);
    else
      launch(config, pointers, detail::signature<Types...>, detail::SlotList<detail::slot_count<Values...>>(values...));
  }
  /// Likewise; waits, and returns the seconds on the device.
  template <class... Types, class... Values>
  double timed_call(const LaunchConfig& config, Values&&... values) const {
    void* pointers[] = {detail::address_of(values)..., nullptr};
    if constexpr (detail::has_views<Values...>) place_views(pointers, detail::signature<Types...>);
    if constexpr (detail::slot_count<Values...> == 0)
      return timed_launch(config, pointers, detail::signature<Types...>, {});
    else
      return timed_launch(config, pointers, detail::signature<Types...>,
                          detail::SlotList<detail::slot_count<Values...>>(values...));
  }
  /// Throws ArgumentError where the kernel's parameters differ from the signature's, types included.
  void check_types(const detail::Signature& signature) const;
  Kernel& kernel() const noexcept { return *kernel_; }  ///< for Kiln itself

 private:
  friend class LaunchPlan;  // records the kernel
  template <class... Args>
  void submit(const LaunchConfig& config, const Args&... args) const {
    call<typename detail::Launched<Args>::type...>(config, detail::Launched<Args>::pass(args)...);
  }
  template <class... Args>
  double submit_timed(const LaunchConfig& config, const Args&... args) const {
    return timed_call<typename detail::Launched<Args>::type...>(config, detail::Launched<Args>::pass(args)...);
  }
  /// Checks the arguments, and decides which views go as a whole.
  void place_views(void** arguments, const detail::Signature& signature) const;
  void launch(const LaunchConfig& config, void** arguments, const detail::Signature& signature) const;
  void launch(const LaunchConfig& config, void** arguments, const detail::Signature& signature,
              const detail::HostSlots& slots) const;
  double timed_launch(const LaunchConfig& config, void** arguments, const detail::Signature& signature,
                      const detail::HostSlots& slots) const;
  PreparedFunction prepare_types(const detail::Signature& signature, const Dim3* block,
                                 const TextureReferences& texrefs) const;

  std::shared_ptr<Kernel> kernel_;
};

}  // namespace kiln
