// The time in which a stream is captured.
#pragma once

#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <memory>

namespace kiln::detail {

class CapturedGraph;

/// Begins a capture. The destructor ends one that end() did not, and drops it.
class KILN_EXPORT StreamCapture {
 public:
  explicit StreamCapture(CUstream stream);
  ~StreamCapture();
  StreamCapture(const StreamCapture&) = delete;
  StreamCapture& operator=(const StreamCapture&) = delete;

  std::shared_ptr<CapturedGraph> end();

 private:
  CUstream stream_;
  CUcontext context_;  // the stream's, which a capture that went wrong does not say
  bool active_ = true;
};

}  // namespace kiln::detail
