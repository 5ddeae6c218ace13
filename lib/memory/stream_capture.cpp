#include <kiln/detail/stream_capture.hpp>

#include "base/argument_error.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/captured_graph.hpp"
#include "memory/stream_context.hpp"

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

int end_capture(CUstream stream, CUgraph* graph) {
  const DriverExtras& driver = DriverExtras::get();
  return in_stream_context(stream, [&] { return driver.stream_end_capture(stream, graph); });
}

}  // namespace

StreamCapture::StreamCapture(CUstream stream) : stream_(stream) {
  if (stream == nullptr || stream == CU_STREAM_LEGACY)
    throw_argument_error("capture: the legacy default stream cannot be captured: use a kiln::Stream", "a stream",
                         "the legacy default stream");
  const DriverExtras& driver = DriverExtras::get();
  const auto begin = [&] { return driver.stream_begin_capture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL); };
  const int result = in_stream_context(stream, begin);
  check_work(result, "cuStreamBeginCapture",
             result == CUDA_ERROR_ILLEGAL_STATE ? "; the stream is being captured already" : "");
}

StreamCapture::~StreamCapture() {
  if (!active_) return;
  try {
    CapturedGraph dropped(stream_context(stream_));
    (void)end_capture(stream_, dropped.place());
  } catch (...) {  // the stream is gone, and the capture with it
  }
}

std::shared_ptr<CapturedGraph> StreamCapture::end() {
  const auto captured = std::make_shared<CapturedGraph>(stream_context(stream_));
  active_ = false;
  const int result = end_capture(stream_, captured->place());
  check_work(result, "cuStreamEndCapture", way_to_end(result));
  return captured;
}

}  // namespace kiln::detail
