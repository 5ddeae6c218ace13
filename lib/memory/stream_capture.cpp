#include <kiln/detail/stream_capture.hpp>

#include "base/argument_error.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/captured_graph.hpp"
#include "memory/context.hpp"

#include <string>

namespace kiln::detail {

namespace {

/// How work must be for a capture to end well.
const char* way_to_end(int result) {
  switch (result) {
    case CUDA_ERROR_STREAM_CAPTURE_INVALIDATED:
      return "; the work did what cannot be captured, and went on: it waits (synchronize, a copy without a stream), "
             "allocates with the device waiting, or uses the legacy default stream";
    case CUDA_ERROR_STREAM_CAPTURE_UNJOINED:
      return "; another stream took part: record an event in it at the end, and let the captured stream wait for it";
    default:
      return "";
  }
}

int end_capture(CUcontext context, CUstream stream, CUgraph* graph) {
  const ContextGuard guard(context);
  return DriverExtras::get().stream_end_capture(stream, graph);
}

}  // namespace

StreamCapture::StreamCapture(CUstream stream) : stream_(stream), context_(nullptr) {
  if (stream == nullptr || stream == CU_STREAM_LEGACY)
    throw_argument_error("capture: the legacy default stream cannot be captured: use a kiln::Stream", "a stream",
                         "the legacy default stream");
  context_ = stream_context(stream);
  const ContextGuard guard(context_);
  const int result = DriverExtras::get().stream_begin_capture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  check_work(result, "cuStreamBeginCapture",
             result == CUDA_ERROR_ILLEGAL_STATE ? "; the stream is being captured already" : "");
}

StreamCapture::~StreamCapture() {
  if (!active_) return;
  try {
    CapturedGraph dropped(context_);
    (void)end_capture(context_, stream_, dropped.place());
  } catch (...) {  // the stream was destroyed, and the capture with it
  }
}

std::shared_ptr<CapturedGraph> StreamCapture::end() {
  auto captured = std::make_shared<CapturedGraph>(context_);
  active_ = false;
  const int result = end_capture(context_, stream_, captured->place());
  check_work(result, "cuStreamEndCapture", way_to_end(result));
  return captured;
}

}  // namespace kiln::detail
