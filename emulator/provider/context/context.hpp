// Contexts, and the current one of each thread.
#pragma once

#include "emulator/provider/context/scheduler.hpp"

#include <cuda.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace kiln::emulator {

struct StreamState;

/// Context objects are never deleted, so pointers to them stay valid. cuCtxDestroy and the last release of a primary
/// context only destroy the contents.
class Context {
 public:
  Context(int device, bool primary, unsigned flags);

  int device() const { return device_; }
  bool primary() const { return primary_; }
  std::uint64_t id() const { return id_; }
  CUcontext handle() { return reinterpret_cast<CUcontext>(this); }

  /// CUDA_ERROR_CONTEXT_IS_DESTROYED after destruction, else kernel_failure().
  CUresult error() const;

  /// The legacy default stream, and the per-thread one of this thread.
  StreamState& legacy_stream() { return *legacy_; }
  std::shared_ptr<StreamState> thread_stream();
  /// All other streams, guarded by the scheduler's lock. Destroyed ones are included until their work is done.
  std::vector<std::shared_ptr<StreamState>>& streams();
  /// The last tasks of all streams; the scheduler's lock must be held.
  std::vector<TaskPtr> tails();

  /// Waits for the work of all streams.
  CUresult synchronize();
  /// Destroys memory, streams and modules, when the context is destroyed or reset.
  void clear();
  /// Makes a primary context usable again.
  void revive();
  void destroy();
  /// Whether the context can never be used again. Never true for a primary one: retaining it makes it usable.
  bool is_destroyed() const { return !primary_ && destroyed_.load(std::memory_order_acquire); }

  std::atomic<unsigned> flags;
  std::atomic<CUfunc_cache> cache_config{CU_FUNC_CACHE_PREFER_NONE};  // stored, without effect
  std::size_t limit(CUlimit limit) const;
  void set_limit(CUlimit limit, std::size_t value);

 private:
  const int device_;
  const bool primary_;
  const std::uint64_t id_;
  std::atomic<bool> destroyed_{false};
  std::shared_ptr<StreamState> legacy_;
  std::vector<std::shared_ptr<StreamState>> streams_;
  mutable std::mutex mutex_;
  std::map<std::thread::id, std::shared_ptr<StreamState>> thread_streams_;
  std::map<CUlimit, std::size_t> limits_;
};

/// The current context of the thread, or null.
Context* current_context_or_null() noexcept;
/// Throws CallError(CUDA_ERROR_INVALID_CONTEXT) if there is none.
Context& current_context();
/// The context of a handle. Throws CallError(CUDA_ERROR_INVALID_CONTEXT), also after cuCtxDestroy.
Context& context_of(CUcontext handle);
/// The context of a handle; null is the current one.
Context& context_or_current(CUcontext handle);

void set_current_context(Context* context);
void push_context(Context& context);
/// Null if the stack is empty.
Context* pop_context();
/// Makes a context that context_of knows.
Context& new_context(int device, bool primary, unsigned flags);
Context& primary_context(int device);

class Context;

/// Destroys streams, events, modules and memory of a context, whose work must be done.
void release_owned(Context& context);

Context& retain_primary(int device);
/// Releases the context. False if it is not retained. The last release destroys the contents; until it is retained
/// again, calls in it return CUDA_ERROR_CONTEXT_IS_DESTROYED.
bool release_primary(int device);
/// Destroys the contents, even if it is retained.
void reset_primary(int device);
bool primary_is_active(int device);

}  // namespace kiln::emulator
