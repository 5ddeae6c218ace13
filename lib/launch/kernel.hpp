// Kernel: what all copies of a Function share.
#pragma once

#include "toolkit/driver/driver.hpp"
#include "toolkit/image/called_function.hpp"
#include "toolkit/image/parameter_kinds.hpp"

#include <kiln/code_object.hpp>
#include <kiln/function.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

class Kernel;

/// A launch that a hook sees. The references hold during the call.
struct HookedLaunch {
  Kernel& kernel;
  const LaunchConfig& config;
  void** arguments;                    // one address a parameter
  const detail::Signature* signature;  // of the call, where it has one; else null
};

/// What must happen around every launch of a kernel, such as binding its texture references. Thread-safe.
class LaunchHook {
 public:
  virtual ~LaunchHook();
  /// Calls `submit` once, in the same thread; what else it does is ordered on the config's stream.
  virtual void launch(const HookedLaunch& launch, const std::function<void()>& submit) = 0;
};

/// The code that a kernel is of. The kernel keeps it, and with it the module. Thread-safe.
class KernelCode {
 public:
  virtual ~KernelCode();
  /// The kernel's handle on a device; loads the code there where needed, and throws where that fails. Where all devices
  /// of the process have one compute capability it is called for the first device only, and that handle serves all.
  virtual CUkernel handle(int device) = 0;
  /// Out of the PTX beside code that Kiln cannot read itself, which takes time; else nothing.
  virtual ParameterKinds kinds() = 0;
  /// For an error text: of the functions that the kernel calls, that with the most local memory.
  virtual std::optional<CalledFunction> largest_called() = 0;
};

/// Thread-safe. Knows how to get its handle for a device, and which signatures fit it.
class Kernel {
 public:
  /// `info` holds the parameters that the code shows. Where `parameters_known` is false (a fatbin), the driver is
  /// queried at the first check, and the code's kinds.
  Kernel(KernelInfo info, bool parameters_known, std::unique_ptr<KernelCode> code);
  ~Kernel();

  const KernelInfo& info() const noexcept { return info_; }
  /// The name as the user knows it.
  const std::string& display_name() const noexcept { return *display_name_; }
  /// Empty where neither the code nor the driver has them.
  const std::vector<Parameter>& parameters();
  /// Null there.
  const std::vector<Parameter>* known_parameters();

  /// Loads for a device now: finds the handle, and has the driver load the code (cuKernelGetFunction) there.
  void preload(int device);
  /// The handle for a device, loaded where needed.
  CUkernel handle(int device);
  /// A CUfunction_attribute on a device.
  int attribute(int function_attribute, int device);
  void set_attribute(int function_attribute, int value, int device);
  /// Has the driver allow so much dynamic shared memory on a device, unless it does already: the mark only rises.
  void allow_shared(std::size_t bytes, int device);

  /// Costs a compare where the last call had this signature.
  void check_once(const detail::Signature& signature) {
    if (fitting_.load(std::memory_order_relaxed) != &signature) check(signature);
  }
  void check(const detail::Signature& signature);
  void check_types(const detail::Signature& signature);
  void launch(const LaunchConfig& config, void** arguments, const detail::Signature& signature);
  /// Arguments that were checked before.
  void launch(const LaunchConfig& config, void** arguments);
  /// To be called once; holds for all later launches.
  void set_hook(std::shared_ptr<LaunchHook> hook);

  // For what launches the kernel without launch(): a graph.
  /// Checks, and has the driver allow, what launch() does, for the device of the configuration's stream.
  void allow_launch(const LaunchConfig& config);
  /// Whether a hook stands in the way of that, and how many kernels of the process have got one so far.
  bool has_hook() const noexcept { return hook_.load(std::memory_order_acquire) != nullptr; }
  static std::uint64_t hooks_set() noexcept { return hook_count.load(std::memory_order_acquire); }
  /// In the current context, loaded there where needed.
  CUfunction function_here();
  /// After a launch that the driver took: lets later errors name the kernel.
  void note() noexcept {
    if (!noted_.load(std::memory_order_relaxed)) note_first();
  }

 private:
  enum class Parameters { known, not_asked, untold };
  struct DeviceState;

  DeviceState& state(int device);
  void ask_parameters();
  void keep_fitting(const detail::Signature& signature) noexcept;
  void launch_hooked(LaunchHook& hook, const LaunchConfig& config, void** arguments,
                     const detail::Signature* signature);
  [[noreturn]] void refuse_texrefs() const;
  void note_first() noexcept;
  void launch_now(const LaunchConfig& config, void** arguments);
  void launch_extended(const LaunchConfig& config, void** arguments);
  void allow(const LaunchConfig& config);
  void allow_attributes(const LaunchConfig& config);
  CUfunction load_here(int device);
  void preload_here(int device);
  CUfunction function_for(const Driver& driver, CUstream stream);
  void recover(int result, const LaunchConfig& config, void** arguments);
  [[noreturn]] void refuse(int result, const LaunchConfig& config);

  static inline std::atomic<std::uint64_t> hook_count{0};

  // Read by every launch, and kept in one cache line: a launch runs some 3 us of the driver's code, which leaves little
  // of ours in the nearest cache.
  alignas(64) std::atomic<const detail::Signature*> fitting_{nullptr};  // the signature that passed check() last
  // The function in the context that loaded it first, which launches some 50 ns faster than the kernel's handle
  // (measured on an H200). The context and the number of devices are written before it, and none changes again.
  std::atomic<CUfunction> function_{nullptr};
  CUcontext function_context_ = nullptr;
  bool one_device_ = false;
  std::atomic<bool> meets_other_streams_{false};  // of other contexts than the current one, with several devices
  std::atomic<bool> noted_{false};                // among the kernels that were launched
  std::atomic<Parameters> parameters_state_;
  std::atomic<std::size_t> shared_mark_;  // dynamic shared memory that needs no further permission on any device
  std::atomic<CUkernel> common_handle_{nullptr};  // for all devices, where they are alike
  std::atomic<LaunchHook*> hook_{nullptr};        // null for nearly every kernel

  // The one that fitted before: a program that passes a float* and a const float* in turn is not checked each time.
  std::atomic<const detail::Signature*> fitted_before_{nullptr};
  std::atomic<DeviceState*> states_{nullptr};  // one a device, made when first needed
  std::unique_ptr<DeviceState[]> states_owner_;
  const std::uint64_t id_;
  std::mutex mutex_;  // for what is written rarely: the parameters, states_ and the marks
  KernelInfo info_;
  const std::string* display_name_;  // in info_
  std::vector<Parameter> parameters_;
  const std::unique_ptr<KernelCode> code_;
  std::shared_ptr<LaunchHook> hook_owner_;
};

/// What a Function's copies share.
Kernel& kernel_of(const Function& function) noexcept;

}  // namespace kiln
