// Stream: a queue of work on one device.
#pragma once

#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

namespace kiln {

class Event;

/// Owns a CUDA stream of the current context's device. Converts to CUstream, which is cudaStream_t. Movable, not
/// copyable. Its members may be called from several threads, moves and destruction apart. The destructor does not wait:
/// the driver releases the stream when its work is done, and a driver that is shutting down is ignored. Work throws
/// DriverError where a call fails. Counterpart: pycuda.driver.Stream.
class KILN_EXPORT Stream {
 public:
  /// A blocking stream: it waits for the legacy default stream, and that waits for it (CU_STREAM_DEFAULT).
  Stream();
  /// A stream that the legacy default stream does not wait for (CU_STREAM_NON_BLOCKING).
  static Stream non_blocking();
  ~Stream();
  Stream(Stream&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  Stream& operator=(Stream&& other) noexcept;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Waits until everything in the stream is done; throws what went wrong in it.
  void synchronize() const;
  /// Whether everything in the stream is done.
  bool is_done() const;
  /// Work that is put in later waits until `event` has happened.
  void wait_for_event(const Event& event) const;

  CUstream handle() const noexcept { return handle_; }
  operator CUstream() const noexcept { return handle_; }  // NOLINT(google-explicit-constructor)

 private:
  explicit Stream(unsigned flags);
  CUstream handle_ = nullptr;
};

}  // namespace kiln
