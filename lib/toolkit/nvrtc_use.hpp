// Who is inside NVRTC, NVVM or nvJitLink, for the children of fork.
#pragma once

namespace kiln {

/// To be held while a thread opens one of these libraries or works in it. A child that is forked meanwhile inherits
/// locks of theirs and of the loader that nobody will open, so in that child the constructor throws ToolkitError.
/// Thread-safe.
class NvrtcUse {
 public:
  NvrtcUse();
  ~NvrtcUse();
  NvrtcUse(const NvrtcUse&) = delete;
  NvrtcUse& operator=(const NvrtcUse&) = delete;
};

}  // namespace kiln
