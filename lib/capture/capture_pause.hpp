// Kernels that are not captured, because the library itself launches them.
#pragma once

namespace kiln {

/// While it lives, the kernels that this thread gets are not captured, whatever KILN_CAPTURE says: the candidates of a
/// tuning run, and what captures in a way of its own.
class CapturePause {
 public:
  CapturePause() noexcept { ++depth_; }
  ~CapturePause() { --depth_; }
  CapturePause(const CapturePause&) = delete;
  CapturePause& operator=(const CapturePause&) = delete;

  static bool is_on() noexcept { return depth_ != 0; }

 private:
  static inline thread_local int depth_ = 0;
};

}  // namespace kiln
