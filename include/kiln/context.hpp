// Context: what a thread's work on a device belongs to. Few programs name one: for limits, or to keep parts of a
// program from each other.
#pragma once

#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>
#include <kiln/function_attribute.hpp>

#include <cstddef>

namespace kiln {

class Device;

/// Waits until all work in the calling thread's current context is done, on all streams and of all threads; throws
/// DriverError with what went wrong in it. A thread without a context waits for device 0's primary one. Counterpart:
/// pycuda.driver.Context.synchronize, cuCtxSynchronize.
KILN_EXPORT void synchronize();

/// What Context::set_limit changes. Counterpart: pycuda.driver.limit, CUlimit, whose numbers these are.
enum class Limit {
  stack_size = 0,              ///< bytes of each thread's stack
  printf_fifo_size = 1,        ///< bytes of the buffer of the kernels' printf; to be set before a kernel that prints
  malloc_heap_size = 2,        ///< bytes of the heap of the kernels' malloc; to be set before a kernel that allocates
  dev_runtime_sync_depth = 3,  ///< only compute capability below 9.0 has it
  dev_runtime_pending_launch_count = 4,  ///< launches by kernels that may wait
  max_l2_fetch_granularity = 5,          ///< bytes, 0 to 128; a hint
  persisting_l2_cache_size = 6,          ///< bytes; L2Window sets it for its own life
};

/// How a thread waits for the device. Counterpart: pycuda.driver.ctx_flags, CUctx_flags.
enum class ContextSchedule {
  automatic = 0,      ///< the driver chooses, by the number of contexts and of cores
  spin = 1,           ///< it asks again and again: the shortest wait
  yield = 2,          ///< it lets other threads run between
  blocking_sync = 4,  ///< it sleeps
};

/// What a new context is made with. Counterpart: pycuda.driver.ctx_flags, CUctx_flags.
struct ContextFlags {
  ContextSchedule schedule = ContextSchedule::automatic;  ///< how a thread waits for the device
  /// Local memory that a kernel needed is kept for the next one.
  bool lmem_resize_to_max = false;
};

/// A context. Kiln needs no object of this class: it works in the calling thread's current context, else makes device
/// 0's primary one current. An object owns the context only where its constructor made it; current() and primary() give
/// one that does not own. Movable, not copyable.
///
/// The destructor destroys the context that the object owns, with all that was made in it: memory, streams, events,
/// arrays, textures. Objects of Kiln's that were made in it are to be destroyed before; modules and functions belong to
/// no context, save those with texture or surface references. It never throws, and does nothing in a child of fork or
/// where the driver is shutting down, so that a context may be of static lifetime.
///
/// Each thread has a stack of contexts, whose top is the current one; push() and pop() change the calling thread's. All
/// members may be called from any thread, and from several at once, save moves, detach() and the destructor. They throw
/// ToolkitError without a driver, DriverError where a call fails, and ArgumentError for an object that was moved from
/// or detached. Counterpart: pycuda.driver.Context.
class KILN_EXPORT Context {
 public:
  /// Makes a context on the device, beside its primary one, and pushes it: it is the calling thread's current one.
  /// Memory of one context can be read by kernels of another on the same device; streams and events cannot be mixed.
  /// Counterpart: pycuda.driver.Device.make_context, cuCtxCreate.
  explicit Context(const Device& device, const ContextFlags& flags = {});
  /// The calling thread's current context; device 0's primary one, made current, where it has none. Not owned.
  /// Counterpart: Context.get_current.
  static Context current();
  /// The device's primary context, which the CUDA runtime uses, too. Kiln retains it once and never releases it. It is
  /// not made current. Counterpart: pycuda.driver.Device.retain_primary_context.
  static Context primary(const Device& device);
  ~Context();
  Context(Context&& other) noexcept;
  Context& operator=(Context&& other) noexcept;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Puts this context onto the calling thread's stack: it is the current one. Counterpart: Context.push,
  /// cuCtxPushCurrent.
  void push() const;
  /// Takes the current context off the calling thread's stack; the one below is current again. Throws DriverError where
  /// the stack is empty. Counterpart: Context.pop, cuCtxPopCurrent.
  static void pop();
  /// Gives the context up: destroys it where this object owns it, and pops it where it is the calling thread's current
  /// one. As the destructor, but throws DriverError where that fails, also with what went wrong in its kernels. It must
  /// be popped from other threads' stacks, and from below the top of this one's, before. Does nothing where the object
  /// has no context any more. Counterpart: Context.detach, cuCtxDestroy.
  void detach();

  /// Waits until all work in this context is done, as kiln::synchronize() does for the current one. Counterpart:
  /// Context.synchronize.
  void synchronize() const;
  /// The device that the context is of. Counterpart: Context.get_device.
  Device device() const;
  /// A limit of this context. Throws DriverError (CUDA_ERROR_UNSUPPORTED_LIMIT) where the device has no such limit.
  /// Counterpart: Context.get_limit, cuCtxGetLimit.
  std::size_t get_limit(Limit limit) const;
  /// Asks for a limit; the driver may round it, get_limit() says to what. Throws DriverError where the device has none
  /// such or the driver refuses the value. Counterpart: Context.set_limit, cuCtxSetLimit.
  void set_limit(Limit limit, std::size_t value) const;
  /// Which gets more of a multiprocessor's memory, for kernels that have no choice of their own
  /// (Function::set_cache_config); prefer_none where the device has no such choice. Counterpart:
  /// Context.get_cache_config.
  CacheConfig get_cache_config() const;
  void set_cache_config(CacheConfig config) const;  ///< A hint. Counterpart: Context.set_cache_config.

  /// Null where the object was moved from or detached. Counterpart: Context.handle.
  CUcontext handle() const noexcept { return handle_; }
  /// handle(); throws ArgumentError where that is null.
  operator CUcontext() const;  // NOLINT(google-explicit-constructor)

 private:
  Context(CUcontext handle, bool owned) noexcept : handle_(handle), owned_(owned) {}

  CUcontext handle_ = nullptr;
  bool owned_ = false;
};

}  // namespace kiln
