#include "memory/context.hpp"

#include "memory/pointer_info.hpp"
#include "memory/stream_context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <map>
#include <mutex>
#include <string>

namespace kiln {

namespace {

// Never destroyed: objects of static lifetime may need a context while the process ends.
struct PrimaryContexts {
  std::mutex mutex;
  std::map<int, CUcontext> retained;
};

PrimaryContexts& primary_contexts() {
  static PrimaryContexts& contexts = *new PrimaryContexts;
  return contexts;
}

CUcontext context_or_null(const Driver& driver) {
  CUcontext context = nullptr;
  check_driver(driver.ctx_get_current(&context), "cuCtxGetCurrent");
  return context;
}

/// A device whose primary context Kiln has retained already; device 0 where there is none.
int retained_device() {
  PrimaryContexts& contexts = primary_contexts();
  const std::lock_guard lock(contexts.mutex);
  return contexts.retained.empty() ? 0 : contexts.retained.begin()->first;
}

// Pointers, streams and events know their context, yet the driver refuses most calls of a thread that has none. Any
// context will do. The thread is left without one, as a destructor should leave no trace.
template <class Call>
void release_from_any_thread(Call call) noexcept {
  const Driver* driver = Driver::if_open();
  if (driver == nullptr) return;
  const RelaxedCapture relaxed;
  if (call(*driver) != CUDA_ERROR_INVALID_CONTEXT) return;
  try {
    const ContextGuard guard(retained_device());
    (void)call(*driver);
  } catch (...) {  // no context can be had any more, so there is nothing left to release
  }
}

}  // namespace

CUcontext primary_context(int device) {
  const Driver& driver = Driver::get();
  PrimaryContexts& contexts = primary_contexts();
  const std::lock_guard lock(contexts.mutex);
  if (const auto found = contexts.retained.find(device); found != contexts.retained.end()) return found->second;
  CUcontext context = nullptr;
  check_driver(driver.device_primary_ctx_retain(&context, device), "cuDevicePrimaryCtxRetain",
               " on device " + std::to_string(device));
  contexts.retained.emplace(device, context);
  return context;
}

bool is_primary(CUcontext context, int device) {
  PrimaryContexts& contexts = primary_contexts();
  {
    const std::lock_guard lock(contexts.mutex);
    if (const auto found = contexts.retained.find(device); found != contexts.retained.end())
      return found->second == context;
  }
  unsigned flags = 0;
  int active = 0;
  const int result = DriverExtras::get().device_primary_ctx_get_state(device, &flags, &active);
  return result == CUDA_SUCCESS && active != 0 && primary_context(device) == context;
}

CUcontext require_context() {
  const Driver& driver = Driver::get();
  if (CUcontext context = context_or_null(driver)) return context;
  CUcontext context = primary_context(0);
  check_driver(driver.ctx_set_current(context), "cuCtxSetCurrent");
  return context;
}

int current_device() {
  require_context();
  CUdevice device = 0;
  check_driver(Driver::get().ctx_get_device(&device), "cuCtxGetDevice");
  return device;
}

CUcontext stream_context(CUstream stream) {
  if (stream == nullptr) return require_context();
  const Driver& driver = Driver::get();
  CUcontext context = nullptr;
  check_driver(with_context([&] { return driver.stream_get_ctx(stream, &context); }), "cuStreamGetCtx");
  return context;
}

int stream_device(CUstream stream) {
  if (stream == nullptr) return current_device();
  const ContextGuard guard(stream_context(stream));
  return current_device();
}

ContextGuard::ContextGuard(CUcontext context) {
  const Driver& driver = Driver::get();
  former_ = context_or_null(driver);
  changed_ = former_ != context;
  if (changed_) check_driver(driver.ctx_set_current(context), "cuCtxSetCurrent");
}

ContextGuard::~ContextGuard() {
  const Driver* driver = changed_ ? Driver::if_open() : nullptr;
  if (driver != nullptr) (void)driver->ctx_set_current(former_);
}

void release(CUstream stream) noexcept {
  if (stream != nullptr) release_from_any_thread([&](const Driver& driver) { return driver.stream_destroy(stream); });
}

void release(CUevent event) noexcept {
  if (event != nullptr) release_from_any_thread([&](const Driver& driver) { return driver.event_destroy(event); });
}

void release(CUdeviceptr pointer) noexcept {
  if (pointer != 0) release_from_any_thread([&](const Driver& driver) { return driver.mem_free(pointer); });
}

void release(CUdeviceptr pointer, CUstream stream) noexcept {
  const DriverExtras* extras = DriverExtras::if_open();
  if (pointer == 0 || extras == nullptr) return;
  int result = CUDA_SUCCESS;
  const auto free_in_order = [&](const Driver&) { return result = extras->mem_free_async(pointer, stream); };
  try {
    // A default stream is of the context that is current, and may be another device's by now.
    if (is_default_stream(stream)) {
      const ContextGuard guard(context_near(pointer));
      (void)free_in_order(*Driver::if_open());
    } else {
      release_from_any_thread(free_in_order);
    }
  } catch (...) {  // as there
  }
  // A stream that its owner destroyed before: there is no order left to keep.
  if (result == CUDA_ERROR_INVALID_HANDLE || result == CUDA_ERROR_CONTEXT_IS_DESTROYED) release(pointer);
}

void release_host(void* pointer) noexcept {
  const DriverExtras* extras = DriverExtras::if_open();
  if (pointer == nullptr || extras == nullptr) return;
  release_from_any_thread([&](const Driver&) { return extras->mem_free_host(pointer); });
}

void unregister_host(void* pointer) noexcept {
  const DriverExtras* extras = DriverExtras::if_open();
  if (pointer == nullptr || extras == nullptr) return;
  release_from_any_thread([&](const Driver&) { return extras->mem_host_unregister(pointer); });
}

}  // namespace kiln
