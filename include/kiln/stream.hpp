// Stream: a queue of work on one device.
#pragma once

#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <memory>
#include <utility>

namespace kiln {

class Event;

/// Owns a CUDA stream of the current context's device. Converts to CUstream, which is cudaStream_t. Movable, not
/// copyable. Its members may be called from several threads, moves and destruction apart. The destructor does not wait:
/// the driver releases the stream when its work is done (and Kiln when the last SharedStream is destroyed), and a
/// driver that is shutting down is ignored. Work throws DriverError where a call fails, and ArgumentError for a stream
/// that was moved from. Counterpart: pycuda.driver.Stream.
class KILN_EXPORT Stream {
 public:
  /// A blocking stream: it waits for the legacy default stream, and that waits for it (CU_STREAM_DEFAULT). Counterpart:
  /// Stream().
  Stream();
  /// A stream that the legacy default stream does not wait for (CU_STREAM_NON_BLOCKING). Counterpart: Stream(1).
  static Stream non_blocking();
  /// A blocking stream whose waiting blocks run before those of streams with a higher number. What is beyond
  /// priority_range() counts as its nearest end. Counterpart: cuStreamCreateWithPriority.
  static Stream with_priority(int priority);
  static Stream non_blocking_with_priority(int priority);  ///< likewise, non-blocking
  /// The current context's least and greatest priority, such as {0, -5}: lower numbers come first. Counterpart:
  /// cuCtxGetStreamPriorityRange.
  static std::pair<int, int> priority_range();
  ~Stream();
  Stream(Stream&& other) noexcept;
  Stream& operator=(Stream&& other) noexcept;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Waits until everything in the stream is done; throws what went wrong in it. Counterpart: Stream.synchronize.
  void synchronize() const;
  /// Whether everything in the stream is done. Counterpart: Stream.is_done.
  bool is_done() const;
  /// Work that is put in later waits until `event` has happened. Counterpart: Stream.wait_for_event.
  void wait_for_event(const Event& event) const;

  /// Null where the stream was moved from. Counterpart: Stream.handle.
  CUstream handle() const noexcept { return handle_.get(); }
  /// Throws ArgumentError where the stream was moved from: null would be the legacy default stream.
  operator CUstream() const {  // NOLINT(google-explicit-constructor)
    if (handle_ == nullptr) refuse_moved_from();
    return handle_.get();
  }

 private:
  friend class SharedStream;
  explicit Stream(CUstream handle);
  [[noreturn]] static void refuse_moved_from();
  std::shared_ptr<CUstream_st> handle_;
};

/// For objects that need a stream as long as they live. Made from a kiln::Stream, it keeps the driver's stream, also
/// after that object is destroyed; the owner of a CUstream or cudaStream_t must let it outlive the object. Null is the
/// legacy default stream. Throws ArgumentError for a stream that was moved from, and for the per-thread default stream,
/// which is another one in each thread.
class KILN_EXPORT SharedStream {
 public:
  /// A Stream, which is kept, or a bare handle, which the caller keeps.
  /// @{
  SharedStream(const Stream& stream);  // NOLINT(google-explicit-constructor)
  SharedStream(CUstream stream);       // NOLINT(google-explicit-constructor)
  /// @}

  /// Never null: the legacy default stream has a handle of its own, CU_STREAM_LEGACY.
  CUstream handle() const noexcept { return handle_.get(); }
  const std::shared_ptr<CUstream_st>& share() const noexcept { return handle_; }  ///< for Kiln itself

 private:
  std::shared_ptr<CUstream_st> handle_;
};

}  // namespace kiln
