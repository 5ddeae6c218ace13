#include "launch/kernel.hpp"

#include "launch/argument_check.hpp"
#include "launch/launch_limits.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "toolkit/driver/launch_ranges.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <kiln/device.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace kiln {

namespace {

std::size_t first_shared_mark(const KernelInfo& info) {
  if (info.shared_bytes < 0) return 0;  // not in the code: queried at the first launch with shared memory
  return shared_without_asking - std::min(static_cast<std::size_t>(info.shared_bytes), shared_without_asking);
}

/// Names a kernel for as long as the process lives, as its address does not.
std::uint64_t next_kernel_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

/// Offsets and sizes by cuKernelGetParamInfo, kinds and types by the symbol where it is mangled, else by the code.
/// Nothing where the driver lacks that function (before CUDA 12.4).
std::optional<std::vector<Parameter>> driver_parameters(CUkernel kernel, const std::string& symbol, KernelCode& code) {
  const Driver& driver = Driver::get();
  if (driver.kernel_get_param_info == nullptr) return std::nullopt;
  KernelInfo kernel_info;
  kernel_info.name = symbol;
  std::vector<Parameter>& parameters = kernel_info.parameters;
  Parameter next;
  CUresult result = CUDA_SUCCESS;
  while ((result = driver.kernel_get_param_info(kernel, parameters.size(), &next.offset, &next.size)) == CUDA_SUCCESS)
    parameters.push_back(next);
  // The driver's way of saying that there are no more.
  if (result != CUDA_ERROR_INVALID_VALUE) check_driver(result, "cuKernelGetParamInfo", " for kernel " + symbol);
  add_readable_name(kernel_info);
  const bool is_in_name = parameters.empty() || !parameters.front().type.empty();
  if (!is_in_name) add_kinds(kernel_info, code.kinds());
  return parameters;
}

}  // namespace

struct Kernel::DeviceState {
  std::atomic<CUkernel> handle{nullptr};
  std::atomic<std::size_t> shared_mark{0};
};

Kernel::Kernel(KernelInfo info, bool parameters_known, std::unique_ptr<KernelCode> code)
    : parameters_state_(parameters_known ? Parameters::known : Parameters::not_asked),
      shared_mark_(first_shared_mark(info)),
      id_(next_kernel_id()),
      info_(std::move(info)),
      code_(std::move(code)) {
  display_name_ = info_.readable_name.empty() ? &info_.name : &info_.readable_name;
  if (parameters_known) parameters_ = info_.parameters;
}

KernelCode::~KernelCode() = default;

LaunchHook::~LaunchHook() = default;

Kernel::~Kernel() = default;

Kernel::DeviceState& Kernel::state(int device) {
  DeviceState* states = states_.load(std::memory_order_acquire);
  if (states == nullptr) {
    const std::lock_guard lock(mutex_);
    if (states_owner_ == nullptr) states_owner_.reset(new DeviceState[static_cast<std::size_t>(device_count())]);
    states = states_owner_.get();
    states_.store(states, std::memory_order_release);
  }
  return states[device];
}

CUkernel Kernel::handle(int device) {
  // A library handle belongs to no context, so one image serves all devices that can run it.
  std::atomic<CUkernel>& place = devices_are_alike() ? common_handle_ : state(device).handle;
  CUkernel kernel = place.load(std::memory_order_acquire);
  if (kernel == nullptr) {
    kernel = code_->handle(device);
    name_for_launches(kernel, display_name());
    place.store(kernel, std::memory_order_release);
  }
  return kernel;
}

void Kernel::preload(int device) {
  if (device == current_device()) return preload_here(device);
  const ContextGuard guard(Device(device).ordinal());
  preload_here(device);
}

CUfunction Kernel::load_here(int device) {
  CUfunction function = nullptr;
  const int result = Driver::get().kernel_get_function(&function, handle(device));
  if (result != CUDA_SUCCESS)
    check_work(result, "cuKernelGetFunction", " for kernel " + display_name() + " on device " + std::to_string(device));
  name_for_launches(function, display_name());
  return function;
}

CUfunction Kernel::function_here() { return load_here(current_device()); }

void Kernel::preload_here(int device) {
  const CUfunction function = load_here(device);
  if (function_.load(std::memory_order_acquire) != nullptr) return;
  const std::lock_guard lock(mutex_);
  if (function_.load(std::memory_order_relaxed) != nullptr) return;
  // A context of the program's own may go before this kernel does, and its function with it.
  const CUcontext context = require_context();
  if (!is_primary(context, device)) return;
  one_device_ = device_count() == 1;
  function_context_ = context;
  function_.store(function, std::memory_order_release);
}

int Kernel::attribute(int function_attribute, int device) {
  return KernelOnDevice{display_name(), handle(device), device}.attribute(
      static_cast<CUfunction_attribute>(function_attribute));
}

void Kernel::set_attribute(int function_attribute, int value, int device) {
  const auto attribute = static_cast<CUfunction_attribute>(function_attribute);
  const KernelOnDevice kernel{display_name(), handle(device), device};
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return kernel.set_attribute(attribute, value);
  if (value < 0) throw_limit(display_name(), "max_dynamic_shared_size_bytes", "at least 0", std::to_string(value), "");
  allow_shared(static_cast<std::size_t>(value), device);
}

const std::vector<Parameter>& Kernel::parameters() {
  if (parameters_state_.load(std::memory_order_acquire) == Parameters::not_asked) ask_parameters();
  return parameters_;
}

void Kernel::ask_parameters() {
  std::optional<std::vector<Parameter>> told = driver_parameters(handle(current_device()), info_.name, *code_);
  const std::lock_guard lock(mutex_);
  if (parameters_state_.load(std::memory_order_relaxed) != Parameters::not_asked) return;
  if (told) parameters_ = std::move(*told);
  parameters_state_.store(told ? Parameters::known : Parameters::untold, std::memory_order_release);
}

const std::vector<Parameter>* Kernel::known_parameters() {
  const std::vector<Parameter>& known = parameters();
  return parameters_state_.load(std::memory_order_acquire) == Parameters::known ? &known : nullptr;
}

void Kernel::check(const detail::Signature& signature) {
  if (fitted_before_.load(std::memory_order_relaxed) == &signature) return keep_fitting(signature);
  if (const std::vector<Parameter>* known = known_parameters()) check_arguments(display_name(), *known, signature);
  keep_fitting(signature);
}

void Kernel::keep_fitting(const detail::Signature& signature) noexcept {
  fitted_before_.store(fitting_.exchange(&signature, std::memory_order_relaxed), std::memory_order_relaxed);
}

void Kernel::check_types(const detail::Signature& signature) {
  if (const std::vector<Parameter>* known = known_parameters()) check_argument_types(display_name(), *known, signature);
  keep_fitting(signature);
}

void Kernel::allow_shared(std::size_t bytes, int device) {
  std::atomic<std::size_t>& mark = state(device).shared_mark;
  if (bytes <= mark.load(std::memory_order_acquire)) return;
  CUkernel kernel = handle(device);
  const std::lock_guard lock(mutex_);
  if (bytes <= mark.load(std::memory_order_relaxed)) return;
  const std::size_t allowed = allow_shared_memory(bytes, {display_name(), kernel, device});
  mark.store(allowed, std::memory_order_release);
  // Other devices need permissions of their own, except for what those with the same code do not need either.
  if (device_count() == 1 || (allowed > bytes && devices_are_alike()))
    shared_mark_.store(std::max(allowed, shared_mark_.load(std::memory_order_relaxed)), std::memory_order_relaxed);
}

}  // namespace kiln
