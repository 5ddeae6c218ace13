// Who is inside NVRTC, NVVM or nvJitLink, for the children of fork and for the end of the process.
#pragma once

#include "base/default_float_environment.hpp"

namespace kiln {

/// To be held while a thread opens one of these libraries or works in it. A child that is forked meanwhile inherits
/// locks of theirs and of the loader that stay locked, so in that child the constructor throws ToolkitError.
///
/// exit() destroys the static objects of these libraries, under threads that work in them. So it waits before that for
/// those who are inside, half a minute at most, and who comes later, or leaves, is held for as long as the process
/// should need for its end: two seconds. Then the constructor throws ToolkitError. Thread-safe.
///
/// While it lives the thread has the default floating-point environment, because the libraries fold constants by it.
/// The destructor restores the thread's own, including its flags, which the libraries clear and raise.
class NvrtcUse {
 public:
  enum class Purpose { work, opening };
  explicit NvrtcUse(Purpose purpose = Purpose::work);
  ~NvrtcUse();
  NvrtcUse(const NvrtcUse&) = delete;
  NvrtcUse& operator=(const NvrtcUse&) = delete;

  /// Whether exit() waits: what can be given up should be.
  static bool is_waited_for() noexcept;

 private:
  DefaultFloatEnvironment environment_;
  Purpose purpose_;
};

}  // namespace kiln
