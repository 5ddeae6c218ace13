// L2Window: keeps a range of device memory in the L2 cache while a stream works on it.
#pragma once

#include <kiln/device_address.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>
#include <kiln/launch_attributes.hpp>
#include <kiln/stream.hpp>

#include <cstddef>

namespace kiln {

/// How a window treats its range. An aggregate.
struct L2WindowOptions {
  /// The greatest share of the range, 0 to 1, whose lines persist; accesses to the others get `miss`.
  float hit_ratio = 1;
  AccessProperty miss = AccessProperty::streaming;  ///< what the other accesses get
};

/// While it lives, kernels that are put into `stream` find the range in L2 where they read it again. The constructor
/// raises the context's limit of persisting lines by what the range needs and sets the stream's window; what fails
/// there is undone. The destructor waits for the work in the stream (which would lose the lines otherwise; not where
/// the stream is being captured), then resets the window and the context's persisting lines and puts the limit back,
/// also when a launch threw; it throws nothing. Keep it around many launches, as both ends take the driver's time.
///
/// A range longer than the device's largest window counts with its first bytes. Where hit_ratio times the range would
/// not fit what the device sets aside and other windows of the context have left, the ratio is lowered until it does,
/// so that lines of the range do not drive out each other. A device that sets nothing aside (before compute capability
/// 8.0, or under MIG), and a range of 0 bytes: nothing is done, and active() is false.
///
/// Several windows on different streams may end in any order: the limit that was there before the first is back after
/// the last. The persisting lines of all windows become normal at each end, and persist again with their next use. A
/// limit that the program itself sets meanwhile is lost. Kernels in a captured graph keep their window but need the
/// limit when the graph runs: keep a window for that time.
///
/// A kiln::Stream is kept as long; a CUstream must stay. Null is the legacy default stream of the current context.
/// Neither copyable nor movable; may be made and destroyed on any thread. Throws ArgumentError for a stream that has a
/// window already, a null pointer, memory of another device than the stream's and a ratio that is none; DriverError.
/// Counterpart: CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW with CU_LIMIT_PERSISTING_L2_CACHE_SIZE.
class KILN_EXPORT L2Window {
 public:
  /// On launches of that stream, for `bytes` at `pointer`, or for a buffer. Throws ArgumentError, DriverError.
  L2Window(const SharedStream& stream, DeviceAddress pointer, std::size_t bytes, L2WindowOptions options = {});
  template <class T>
  L2Window(const SharedStream& stream, const DeviceBuffer<T>& buffer, L2WindowOptions options = {})
      : L2Window(stream, buffer.device_pointer(), buffer.size() * sizeof(T), options) {}
  ~L2Window();
  L2Window(const L2Window&) = delete;
  L2Window& operator=(const L2Window&) = delete;

  /// Whether there is a window: false where the device has no persisting lines.
  bool active() const noexcept { return bytes_ != 0; }
  /// What came of the range and the ratio, which is 0 where other windows left nothing.
  std::size_t bytes() const noexcept { return bytes_; }
  /// Likewise.
  float hit_ratio() const noexcept { return hit_ratio_; }

 private:
  SharedStream stream_;
  CUcontext context_ = nullptr;
  std::size_t bytes_ = 0;
  float hit_ratio_ = 0;
};

}  // namespace kiln
