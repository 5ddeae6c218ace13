// Kernel: launching, and what to do where the driver refuses.
#include "launch/attribute_check.hpp"
#include "launch/kernel.hpp"
#include "launch/launch_attributes.hpp"
#include "launch/launch_limits.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "memory/stream_context.hpp"

#include <kiln/error.hpp>

#include <cstdint>
#include <utility>

namespace kiln {

namespace {

// What every device takes; a launch beyond it is looked at closely.
constexpr std::uint64_t usual_threads = 1024;
constexpr std::uint32_t usual_block_z = 64;
constexpr std::uint32_t usual_grid_x = 0x7fffffff;
constexpr std::uint32_t usual_grid_yz = 0xffff;

inline bool is_unusual(const LaunchConfig& config, std::size_t shared_mark) {
  // A size of 0 less 1 is a very large one. A product of sizes can wrap round to a usual one: only absurd sizes do, and
  // those the driver refuses.
  return config.block.count() - 1 >= usual_threads || config.block.z > usual_block_z ||
         config.grid.x - 1 >= usual_grid_x || config.grid.y - 1 >= usual_grid_yz ||
         config.grid.z - 1 >= usual_grid_yz || config.shared_size > shared_mark;
}

CUfunction as_function(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

/// Whether the driver rejected the launch itself, so that a check of all that it requested may show why.
bool is_about_the_launch(int result) {
  switch (result) {
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    case CUDA_ERROR_INVALID_CLUSTER_SIZE:
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
    case CUDA_ERROR_NOT_PERMITTED:
    case CUDA_ERROR_NOT_SUPPORTED:
      return true;
    default:
      return false;
  }
}

CUresult submit_plain(const Driver& driver, CUfunction function, const LaunchConfig& config, void** arguments) {
  return driver.launch_kernel(function, config.grid.x, config.grid.y, config.grid.z, config.block.x, config.block.y,
                              config.block.z, static_cast<unsigned>(config.shared_size), config.stream, arguments,
                              nullptr);
}

CUresult submit(const Driver& driver, CUfunction function, const LaunchConfig& config, void** arguments) {
  if (config.attributes.any()) return launch_with_attributes(function, config, arguments);
  return submit_plain(driver, function, config, arguments);
}

}  // namespace

void Kernel::launch(const LaunchConfig& config, void** arguments, const detail::Signature& signature) {
  check_once(signature);
  if (LaunchHook* hook = hook_.load(std::memory_order_acquire))
    return launch_hooked(*hook, config, arguments, &signature);
  if (!config.texrefs.empty()) refuse_texrefs();
  launch_now(config, arguments);
}

void Kernel::launch(const LaunchConfig& config, void** arguments) {
  if (LaunchHook* hook = hook_.load(std::memory_order_acquire)) return launch_hooked(*hook, config, arguments, nullptr);
  if (!config.texrefs.empty()) refuse_texrefs();
  launch_now(config, arguments);
}

void Kernel::launch_hooked(LaunchHook& hook, const LaunchConfig& config, void** arguments,
                           const detail::Signature* signature) {
  struct Submission {
    Kernel* kernel;
    const LaunchConfig* config;
    void** arguments;
  } submission{this, &config, arguments};
  // One reference fits into a std::function without an allocation.
  hook.launch({*this, config, arguments, signature},
              [&submission] { submission.kernel->launch_now(*submission.config, submission.arguments); });
}

void Kernel::refuse_texrefs() const {
  throw ArgumentError("kernel " + display_name() +
                          ": texrefs has references of another module: get them from the kernel's own "
                          "module by get_texref",
                      display_name(), ArgumentError::no_index, "texture references of the kernel's module",
                      "those of another module");
}

void Kernel::set_hook(std::shared_ptr<LaunchHook> hook) {
  const std::lock_guard lock(mutex_);
  hook_owner_ = std::move(hook);
  hook_.store(hook_owner_.get(), std::memory_order_release);
  hook_count.fetch_add(1, std::memory_order_acq_rel);
}

inline CUfunction Kernel::function_for(const Driver& driver, CUstream stream) {
  const CUfunction function = function_.load(std::memory_order_acquire);
  if (function != nullptr && !meets_other_streams_.load(std::memory_order_relaxed)) {
    // A stream of another context than the function's is rare enough to let the driver reject it and recover() retry.
    if (one_device_ && !is_default_stream(stream)) return function;
    CUcontext context = nullptr;
    if (driver.ctx_get_current(&context) == CUDA_SUCCESS && context == function_context_) return function;
  }
  CUkernel kernel = common_handle_.load(std::memory_order_acquire);
  if (kernel == nullptr) kernel = handle(stream_device(stream));
  return as_function(kernel);
}

void Kernel::launch_now(const LaunchConfig& config, void** arguments) {
  const Driver& driver = Driver::get();
  if (is_unusual(config, shared_mark_.load(std::memory_order_relaxed))) allow(config);
  if (config.attributes.any()) return launch_extended(config, arguments);
  const CUresult result = submit_plain(driver, function_for(driver, config.stream), config, arguments);
  if (result != CUDA_SUCCESS) return recover(result, config, arguments);
  note();
}

void Kernel::launch_extended(const LaunchConfig& config, void** arguments) {
  allow_attributes(config);
  const CUfunction function = function_for(Driver::get(), config.stream);
  const CUresult result = launch_with_attributes(function, config, arguments);
  if (result != CUDA_SUCCESS) return recover(result, config, arguments);
  note();
}

void Kernel::note_first() noexcept {
  noted_.store(true, std::memory_order_relaxed);
  note_launched(*display_name_);
}

void Kernel::allow_launch(const LaunchConfig& config) {
  if (is_unusual(config, shared_mark_.load(std::memory_order_relaxed))) allow(config);
  if (config.attributes.any()) allow_attributes(config);
}

void Kernel::allow_attributes(const LaunchConfig& config) {
  const int device = device_count() == 1 ? 0 : stream_device(config.stream);
  if (was_checked(config, id_, device)) return;
  const ContextGuard guard(stream_context(config.stream));
  check_attributes(config, {display_name(), handle(device), device});
  note_checked(config, id_, device);
}

void Kernel::allow(const LaunchConfig& config) {
  const int device = stream_device(config.stream);
  // Where there are several devices, each launch with much shared memory comes here: only that is looked at then.
  if (is_unusual(config, config.shared_size))
    check_limits(config, {display_name(), handle(device), device, code_.get()});
  allow_shared(config.shared_size, device);
}

// A launch needs a current context, and with older drivers that of its stream: the driver says so, so that the usual
// launch need not look.
void Kernel::recover(int result, const LaunchConfig& config, void** arguments) {
  const Driver& driver = Driver::get();
  CUcontext context = nullptr;
  if (result == CUDA_ERROR_INVALID_CONTEXT && is_default_stream(config.stream)) {
    require_context();
    result = submit(driver, as_function(handle(current_device())), config, arguments);
  } else if ((result == CUDA_ERROR_INVALID_CONTEXT || result == CUDA_ERROR_INVALID_HANDLE) &&
             driver.stream_get_ctx(config.stream, &context) == CUDA_SUCCESS) {
    const ContextGuard guard(context);
    result = submit(driver, as_function(handle(current_device())), config, arguments);
    // With several devices it will happen again, and a refused launch costs more than the handle does.
    if (result == CUDA_SUCCESS && !one_device_) meets_other_streams_.store(true, std::memory_order_relaxed);
  }
  if (result == CUDA_ERROR_INVALID_CLUSTER_SIZE && !config.attributes.any()) {
    // Of __cluster_dims__ the usual launch knows nothing: the check allows more blocks than every device takes.
    const ContextGuard guard(stream_context(config.stream));
    const int device = current_device();
    check_attributes(config, {display_name(), handle(device), device});
    result = submit(driver, as_function(handle(device)), config, arguments);
  }
  if (result != CUDA_SUCCESS) refuse(result, config);
  note();
}

void Kernel::refuse(int result, const LaunchConfig& config) {
  std::string hint = asynchronous_hint(result);
  if (is_about_the_launch(result) || result == CUDA_ERROR_OUT_OF_MEMORY) {
    const ContextGuard guard(stream_context(config.stream));
    const int device = current_device();
    const KernelOnDevice kernel{display_name(), handle(device), device, code_.get()};
    check_limits(config, kernel);
    check_attributes(config, kernel);
    if (config.attributes.programmatic_event.event != nullptr) throw_refused_event(result, kernel);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) hint = local_memory_hint(kernel);
  }
  const char* call = config.attributes.any() ? "cuLaunchKernelEx" : "cuLaunchKernel";
  throw_driver_error(result, call,
                     " at the launch of kernel " + display_name() + " with " + describe(config) +
                         describe_attributes(config.attributes) + hint);
}

}  // namespace kiln
