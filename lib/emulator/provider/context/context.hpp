// Contexts, and which of them is a thread's current one.
#pragma once

#include "emulator/provider/context/scheduler.hpp"

#include <cuda.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace kiln::emulator {

struct StreamState;

/// Never destroyed, so that a pointer to one always stands; cuCtxDestroy and the last release of a primary context take
/// away what is in it.
class Context {
 public:
  Context(int device, bool primary, unsigned flags);

  int device() const { return device_; }
  bool primary() const { return primary_; }
  std::uint64_t id() const { return id_; }
  CUcontext handle() { return reinterpret_cast<CUcontext>(this); }

  /// What stopped a kernel of this context; CUDA_ERROR_CONTEXT_IS_DESTROYED once it is gone.
  CUresult error() const { return error_.load(std::memory_order_acquire); }
  /// Keeps the first failure, and what is known of it.
  void fail(CUresult error, const std::string& text = {});
  std::string failure() const;

  /// The legacy default stream, and this thread's own.
  StreamState& legacy_stream() { return *legacy_; }
  std::shared_ptr<StreamState> thread_stream();
  /// All others, under the scheduler's lock: destroyed ones, too, until their work is done.
  std::vector<std::shared_ptr<StreamState>>& streams();
  /// The last tasks of all streams, under the scheduler's lock.
  std::vector<TaskPtr> tails();

  /// Waits for the work of all streams.
  CUresult synchronize();
  /// Takes away memory, streams, modules: of a context that is destroyed or reset.
  void clear();
  /// For a primary context that is used again.
  void revive();
  void destroy();
  /// Never to be used again: a primary one is, with the next one who retains it.
  bool is_destroyed() const { return !primary_ && error() == CUDA_ERROR_CONTEXT_IS_DESTROYED; }

  std::atomic<unsigned> flags;
  std::size_t limit(CUlimit limit) const;
  void set_limit(CUlimit limit, std::size_t value);

 private:
  const int device_;
  const bool primary_;
  const std::uint64_t id_;
  std::atomic<CUresult> error_{CUDA_SUCCESS};
  std::string failure_;  // under mutex_
  std::shared_ptr<StreamState> legacy_;
  std::vector<std::shared_ptr<StreamState>> streams_;
  mutable std::mutex mutex_;
  std::map<std::thread::id, std::shared_ptr<StreamState>> thread_streams_;
  std::map<CUlimit, std::size_t> limits_;
};

/// The calling thread's; null where it has none.
Context* current_context_or_null() noexcept;
/// Throws CallError(CUDA_ERROR_INVALID_CONTEXT) where there is none.
Context& current_context();
/// The context of a handle. Throws CallError(CUDA_ERROR_INVALID_CONTEXT), also for one that cuCtxDestroy took.
Context& context_of(CUcontext handle);
/// As driver calls treat a handle: null is the current one.
Context& context_or_current(CUcontext handle);

void set_current_context(Context* context);
void push_context(Context& context);
/// Null where the stack is empty.
Context* pop_context();
/// A new one, known to context_of.
Context& new_context(int device, bool primary, unsigned flags);
Context& primary_context(int device);

}  // namespace kiln::emulator
