#include "emulator/provider/context/context.hpp"

#include "emulator/core/device_attributes.hpp"
#include "emulator/memory/device_heap.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/process.hpp"
#include "emulator/provider/context/stream_state.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace kiln::emulator {

namespace {

std::uint64_t next_context_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

// The thread's stack of contexts; the top is the current one. It has no destructor, because static objects call the
// driver after the thread's objects are destroyed.
struct Stack {
  static constexpr std::size_t most = 64;
  Context* contexts[most];
  std::size_t size;
};
thread_local Stack stack{};

struct Contexts {
  std::mutex mutex;
  std::set<Context*> all;
  std::map<int, Context*> primary;
};
Contexts& contexts() {
  static Contexts& all = *new Contexts;
  return all;
}

// As on an H200.
constexpr std::pair<CUlimit, std::size_t> first_limits[] = {
    {CU_LIMIT_STACK_SIZE, 1024},
    {CU_LIMIT_PRINTF_FIFO_SIZE, 7340032},
    {CU_LIMIT_MALLOC_HEAP_SIZE, std::size_t{8} << 20},
    {CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 2},
    {CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 2048},
    {CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 64},
    {CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0},
};

constexpr std::size_t most_fetch_granularity = 128;

bool has_limit(int device, CUlimit limit) {
  return limit != CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH ||
         device_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) < 9;
}

void require_sensible_limit(CUlimit limit, std::size_t value) {
  if (limit == CU_LIMIT_STACK_SIZE) require(value <= most_local_memory, "a thread has at most 512 KiB of local memory");
  if (limit == CU_LIMIT_MAX_L2_FETCH_GRANULARITY)
    require(value <= most_fetch_granularity, "the granularity is at most 128 bytes");
}

}  // namespace

Context::Context(int device, bool primary, unsigned given_flags)
    : flags(given_flags),
      device_(device),
      primary_(primary),
      id_(next_context_id()),
      limits_(std::begin(first_limits), std::end(first_limits)) {
  legacy_ = std::make_shared<StreamState>(*this, 0u, 0);
  legacy_->legacy = true;
}

CUresult Context::error() const {
  return destroyed_.load(std::memory_order_acquire) ? CUDA_ERROR_CONTEXT_IS_DESTROYED : kernel_failure();
}

std::shared_ptr<StreamState> Context::thread_stream() {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<StreamState>& stream = thread_streams_[std::this_thread::get_id()];
  if (stream == nullptr) {
    stream = std::make_shared<StreamState>(*this, 0u, 0);
    const Scheduler::Lock order = Scheduler::get().lock();
    streams_.push_back(stream);
  }
  return stream;
}

std::vector<std::shared_ptr<StreamState>>& Context::streams() {
  std::erase_if(streams_, [](const auto& stream) {
    return stream->destroyed && (stream->last == nullptr || stream->last->done);
  });
  return streams_;
}

std::vector<TaskPtr> Context::tails() {
  std::vector<TaskPtr> all{legacy_->last};
  for (const auto& stream : streams()) all.push_back(stream->last);
  return all;
}

CUresult Context::synchronize() {
  Scheduler& scheduler = Scheduler::get();
  std::vector<TaskPtr> all;
  {
    const Scheduler::Lock lock = scheduler.lock();
    all = tails();
  }
  for (const TaskPtr& task : all) scheduler.wait(task);
  return error();
}

void Context::clear() {
  (void)synchronize();
  release_owned(*this);
  const std::lock_guard lock(mutex_);
  for (const auto& [thread, stream] : thread_streams_) emulator::destroy(*stream);
  thread_streams_.clear();
  limits_ = {std::begin(first_limits), std::end(first_limits)};
}

void Context::revive() { destroyed_.store(false, std::memory_order_release); }

void Context::destroy() {
  clear();
  destroyed_.store(true, std::memory_order_release);
}

std::size_t Context::limit(CUlimit limit) const {
  const std::lock_guard lock(mutex_);
  const auto found = limits_.find(limit);
  if (found == limits_.end() || !has_limit(device_, limit)) throw CallError(CUDA_ERROR_UNSUPPORTED_LIMIT, "");
  return found->second;
}

void Context::set_limit(CUlimit limit, std::size_t value) {
  const std::lock_guard lock(mutex_);
  const auto found = limits_.find(limit);
  if (found == limits_.end() || !has_limit(device_, limit)) throw CallError(CUDA_ERROR_UNSUPPORTED_LIMIT, "");
  require_sensible_limit(limit, value);
  if (limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE)
    value = std::min(
        value, static_cast<std::size_t>(device_attribute(device_, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE)));
  if (limit == CU_LIMIT_MALLOC_HEAP_SIZE) require(DeviceHeap::get().set_limit(value), "a kernel has used the heap");
  found->second = value;
}

Context* current_context_or_null() noexcept { return stack.size == 0 ? nullptr : stack.contexts[stack.size - 1]; }

Context& current_context() {
  Context* const context = current_context_or_null();
  if (context == nullptr) throw CallError(CUDA_ERROR_INVALID_CONTEXT, "");
  return *context;
}

Context& context_of(CUcontext handle) {
  auto* const context = reinterpret_cast<Context*>(handle);
  Contexts& known = contexts();
  const std::lock_guard lock(known.mutex);
  if (known.all.count(context) == 0 || context->is_destroyed()) throw CallError(CUDA_ERROR_INVALID_CONTEXT, "");
  return *context;
}

Context& context_or_current(CUcontext handle) { return handle == nullptr ? current_context() : context_of(handle); }

void set_current_context(Context* context) {
  if (context == nullptr) {
    if (stack.size != 0) --stack.size;
    return;
  }
  if (stack.size == 0) ++stack.size;
  stack.contexts[stack.size - 1] = context;
}

void push_context(Context& context) {
  if (stack.size == Stack::most) throw CallError(CUDA_ERROR_OUT_OF_MEMORY, "too many contexts are pushed");
  stack.contexts[stack.size++] = &context;
}

Context* pop_context() {
  if (stack.size == 0) return nullptr;
  return stack.contexts[--stack.size];
}

Context& new_context(int device, bool primary, unsigned flags) {
  Contexts& known = contexts();
  const std::lock_guard lock(known.mutex);
  auto* const context = new Context(device, primary, flags);
  known.all.insert(context);
  return *context;
}

Context& primary_context(int device) {
  Contexts& known = contexts();
  const std::lock_guard lock(known.mutex);
  Context*& context = known.primary[device];
  if (context == nullptr) {
    context = new Context(device, true, 0);
    known.all.insert(context);
  }
  return *context;
}

namespace {

struct Users {
  std::mutex mutex;
  std::map<int, unsigned> by_device;
};
Users& users() {
  static Users& all = *new Users;
  return all;
}

}  // namespace

Context& retain_primary(int device) {
  Context& context = primary_context(device);
  const std::lock_guard lock(users().mutex);
  if (users().by_device[device]++ == 0) context.revive();
  return context;
}

bool release_primary(int device) {
  const std::lock_guard lock(users().mutex);
  unsigned& count = users().by_device[device];
  if (count == 0) return false;
  if (--count == 0) primary_context(device).destroy();
  return true;
}

void reset_primary(int device) {
  const std::lock_guard lock(users().mutex);
  primary_context(device).clear();
  primary_context(device).revive();
}

bool primary_is_active(int device) {
  const std::lock_guard lock(users().mutex);
  return users().by_device[device] != 0;
}

}  // namespace kiln::emulator
