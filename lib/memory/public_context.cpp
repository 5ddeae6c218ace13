#include "base/argument_error.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <kiln/context.hpp>
#include <kiln/device.hpp>

#include <string>
#include <utility>

namespace kiln {

namespace {

static_assert(static_cast<int>(Limit::stack_size) == CU_LIMIT_STACK_SIZE);
static_assert(static_cast<int>(Limit::printf_fifo_size) == CU_LIMIT_PRINTF_FIFO_SIZE);
static_assert(static_cast<int>(Limit::malloc_heap_size) == CU_LIMIT_MALLOC_HEAP_SIZE);
static_assert(static_cast<int>(Limit::dev_runtime_sync_depth) == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH);
static_assert(static_cast<int>(Limit::dev_runtime_pending_launch_count) == CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT);
static_assert(static_cast<int>(Limit::max_l2_fetch_granularity) == CU_LIMIT_MAX_L2_FETCH_GRANULARITY);
static_assert(static_cast<int>(Limit::persisting_l2_cache_size) == CU_LIMIT_PERSISTING_L2_CACHE_SIZE);
static_assert(static_cast<int>(ContextSchedule::automatic) == CU_CTX_SCHED_AUTO);
static_assert(static_cast<int>(ContextSchedule::spin) == CU_CTX_SCHED_SPIN);
static_assert(static_cast<int>(ContextSchedule::yield) == CU_CTX_SCHED_YIELD);
static_assert(static_cast<int>(ContextSchedule::blocking_sync) == CU_CTX_SCHED_BLOCKING_SYNC);

std::string limit_text(Limit limit) { return " for limit " + std::to_string(static_cast<int>(limit)); }

CUcontext make_context(const Device& device, const ContextFlags& flags) {
  unsigned bits = static_cast<unsigned>(flags.schedule);
  if (flags.lmem_resize_to_max) bits |= CU_CTX_LMEM_RESIZE_TO_MAX;
  CUcontext context = nullptr;
  check_driver(DriverExtras::get().ctx_create(&context, bits, device), "cuCtxCreate",
               " on device " + std::to_string(device.ordinal()));
  return context;
}

}  // namespace

void synchronize() {
  const DriverExtras& driver = DriverExtras::get();
  check_work(with_context([&] { return driver.ctx_synchronize(); }), "cuCtxSynchronize");
}

Context::Context(const Device& device, const ContextFlags& flags) : Context(make_context(device, flags), true) {}

Context Context::current() { return {require_context(), false}; }

Context Context::primary(const Device& device) { return {primary_context(device), false}; }

Context::~Context() {
  const DriverExtras* driver = owned_ ? DriverExtras::if_open() : nullptr;
  if (driver == nullptr) return;
  const RelaxedCapture relaxed;
  (void)driver->ctx_destroy(handle_);
}

Context::Context(Context&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), owned_(std::exchange(other.owned_, false)) {}

Context& Context::operator=(Context&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(owned_, other.owned_);
  return *this;
}

Context::operator CUcontext() const {
  if (handle_ == nullptr)
    throw_argument_error("Context: this object was moved from or detached, so that it has no context", "a context",
                         "an object without one");
  return handle_;
}

void Context::push() const { check_driver(DriverExtras::get().ctx_push_current(*this), "cuCtxPushCurrent"); }

void Context::pop() {
  CUcontext popped = nullptr;
  check_driver(DriverExtras::get().ctx_pop_current(&popped), "cuCtxPopCurrent",
               "; the calling thread has no context that could be popped");
}

void Context::detach() {
  CUcontext context = std::exchange(handle_, nullptr);
  if (std::exchange(owned_, false)) check_work(DriverExtras::get().ctx_destroy(context), "cuCtxDestroy");
}

void Context::synchronize() const {
  const DriverExtras& driver = DriverExtras::get();
  const ContextGuard guard(*this);
  check_work(driver.ctx_synchronize(), "cuCtxSynchronize");
}

Device Context::device() const {
  const ContextGuard guard(*this);
  return Device(current_device());
}

std::size_t Context::get_limit(Limit limit) const {
  const DriverExtras& driver = DriverExtras::get();
  const ContextGuard guard(*this);
  std::size_t value = 0;
  check_work(driver.ctx_get_limit(&value, static_cast<CUlimit>(limit)), "cuCtxGetLimit", limit_text(limit));
  return value;
}

void Context::set_limit(Limit limit, std::size_t value) const {
  const DriverExtras& driver = DriverExtras::get();
  const ContextGuard guard(*this);
  check_work(driver.ctx_set_limit(static_cast<CUlimit>(limit), value), "cuCtxSetLimit",
             limit_text(limit) + " to " + std::to_string(value));
}

CacheConfig Context::get_cache_config() const {
  const DriverExtras& driver = DriverExtras::get();
  const ContextGuard guard(*this);
  CUfunc_cache config = CU_FUNC_CACHE_PREFER_NONE;
  check_work(driver.ctx_get_cache_config(&config), "cuCtxGetCacheConfig");
  return static_cast<CacheConfig>(config);
}

void Context::set_cache_config(CacheConfig config) const {
  const DriverExtras& driver = DriverExtras::get();
  const ContextGuard guard(*this);
  check_work(driver.ctx_set_cache_config(static_cast<CUfunc_cache>(config)), "cuCtxSetCacheConfig");
}

}  // namespace kiln
