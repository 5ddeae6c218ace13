// Event: a point in a stream that can be waited for and timed.
#pragma once

#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

namespace kiln {

/// Counterpart: pycuda.driver.event_flags, CUevent_flags.
struct EventFlags {
  /// False for an event that time_since() refuses: cheaper, and what a programmatic event must be.
  bool timing = true;
  /// A thread that waits in synchronize() sleeps rather than spins.
  bool blocking_sync = false;
};

/// Owns a CUDA event of the current context, with timing unless its flags say otherwise. Converts to CUevent, which is
/// cudaEvent_t. Movable, not copyable. Waiting and asking may be done from several threads; record() while another
/// thread uses the event may not. Calls throw DriverError where the driver's fails. Counterpart: pycuda.driver.Event.
class KILN_EXPORT Event {
 public:
  Event() : Event(EventFlags{}) {}
  /// Throws DriverError where the driver makes none.
  explicit Event(EventFlags flags);
  ~Event();
  Event(Event&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  Event& operator=(Event&& other) noexcept;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  /// Marks the point that `stream` has reached; null is the legacy default stream. Returns *this. Counterpart of this
  /// and the next four: Event's of the same names.
  Event& record(CUstream stream = nullptr);
  /// Waits until the event has happened. Returns *this.
  Event& synchronize();
  /// Whether the event has happened (or was never recorded).
  bool query() const;
  /// Milliseconds from `start` to this event. Both must have happened, and have timing.
  float time_since(const Event& start) const;
  /// Milliseconds from this event to `end`, likewise.
  float time_till(const Event& end) const;

  /// Null where the event was moved from.
  CUevent handle() const noexcept { return handle_; }
  /// handle().
  operator CUevent() const noexcept { return handle_; }  // NOLINT(google-explicit-constructor)

 private:
  CUevent handle_ = nullptr;
};

}  // namespace kiln
