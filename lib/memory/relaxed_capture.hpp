// Housekeeping calls while some stream of the process is being captured.
#pragma once

#include "toolkit/driver/driver_extras.hpp"

namespace kiln {

/// While it lives, calls of this thread that could wait or free memory are allowed though a stream is being captured in
/// the global mode: else the driver would refuse them, and end that capture, which may be another thread's. For calls
/// that Kiln makes at times of its own. Never throws.
class RelaxedCapture {
 public:
  RelaxedCapture() noexcept : driver_(DriverExtras::if_open()) { exchange(); }
  ~RelaxedCapture() { exchange(); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  void exchange() noexcept {
    if (driver_ != nullptr && driver_->thread_exchange_stream_capture_mode(&mode_) != CUDA_SUCCESS) driver_ = nullptr;
  }

  const DriverExtras* driver_;
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

}  // namespace kiln
