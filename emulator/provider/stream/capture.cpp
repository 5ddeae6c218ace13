#include "emulator/provider/stream/capture.hpp"

#include "emulator/provider/context/call.hpp"

#include <algorithm>
#include <utility>

namespace kiln::emulator {
namespace {

thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

// The scheduler's lock must be held, as in all functions here.
std::vector<std::weak_ptr<Capture>>& active() {
  static auto& all = *new std::vector<std::weak_ptr<Capture>>;
  return all;
}

bool forbids_unsafe_calls(const Capture& capture) {
  if (capture.mode == CU_STREAM_CAPTURE_MODE_RELAXED || thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return false;
  if (capture.thread == std::this_thread::get_id()) return true;
  return capture.mode == CU_STREAM_CAPTURE_MODE_GLOBAL && thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

// A stream whose capture was ended through another one is no longer captured.
const std::shared_ptr<Capture>& live_capture(StreamState& stream) {
  if (stream.capture != nullptr && stream.capture->ended) stream.capture = nullptr;
  return stream.capture;
}

bool a_blocking_stream_is_captured(Context& context) {
  const std::vector<StreamPtr>& all = context.streams();
  return std::any_of(all.begin(), all.end(),
                     [](const StreamPtr& stream) { return stream->blocking() && live_capture(*stream) != nullptr; });
}

}  // namespace

std::shared_ptr<Capture> capture_of(StreamState& stream) {
  const Scheduler::Lock lock = Scheduler::get().lock();
  if (stream.legacy && a_blocking_stream_is_captured(stream.context))
    throw CallError(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "");
  std::shared_ptr<Capture> capture = live_capture(stream);
  if (capture != nullptr && capture->invalid) throw CallError(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "");
  return capture;
}

void refuse_in_capture(StreamState& stream) {
  const std::shared_ptr<Capture> capture = capture_of(stream);
  if (capture == nullptr) return;
  const Scheduler::Lock lock = Scheduler::get().lock();
  capture->invalid = true;
  throw CallError(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "");
}

void refuse_unsafe_call() {
  const Scheduler::Lock lock = Scheduler::get().lock();
  auto& all = active();
  if (all.empty()) return;
  std::erase_if(all, [](const auto& weak) {
    const auto capture = weak.lock();
    return capture == nullptr || capture->ended;
  });
  bool refused = false;
  for (const auto& weak : all) {
    const auto capture = weak.lock();
    if (capture == nullptr || !forbids_unsafe_calls(*capture)) continue;  // the last user may release it concurrently
    capture->invalid = true;
    refused = true;
  }
  if (refused) throw CallError(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "");
}

void begin_capture(StreamState& stream, CUstreamCaptureMode mode) {
  if (stream.legacy) throw CallError(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "the legacy stream cannot be captured");
  require(mode <= CU_STREAM_CAPTURE_MODE_RELAXED);
  auto capture = std::make_shared<Capture>();
  capture->graph = std::make_shared<Graph>();
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = &stream;
  capture->id = new_handle_number();
  const Scheduler::Lock lock = Scheduler::get().lock();
  if (live_capture(stream) != nullptr)
    throw CallError(CUDA_ERROR_ILLEGAL_STATE, "the stream is being captured already");
  active().push_back(capture);
  stream.capture = std::move(capture);
  stream.captured_ends.clear();
}

std::shared_ptr<Graph> end_capture(StreamState& stream) {
  const Scheduler::Lock lock = Scheduler::get().lock();
  const std::shared_ptr<Capture> capture = live_capture(stream);
  if (capture == nullptr) throw CallError(CUDA_ERROR_ILLEGAL_STATE, "the stream is not being captured");
  if (capture->origin != &stream) throw CallError(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "");
  if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture->thread != std::this_thread::get_id())
    throw CallError(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "");
  capture->ended = true;
  stream.capture = nullptr;
  if (capture->invalid) throw CallError(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "");
  if (!capture->graph->all_before(stream.captured_ends))
    throw CallError(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "work of another stream is not waited for");
  return capture->graph;
}

void join_capture(StreamState& stream, const std::shared_ptr<Capture>& capture, const std::vector<CUgraphNode>& ends) {
  const Scheduler::Lock lock = Scheduler::get().lock();
  if (capture->ended || stream.legacy) throw CallError(CUDA_ERROR_CAPTURED_EVENT, "");
  const std::shared_ptr<Capture>& own = live_capture(stream);
  if (own != nullptr && own != capture) {
    own->invalid = capture->invalid = true;
    throw CallError(CUDA_ERROR_STREAM_CAPTURE_MERGE, "");
  }
  if (own == nullptr) stream.captured_ends.clear();
  stream.capture = capture;
  stream.captured_ends.insert(stream.captured_ends.end(), ends.begin(), ends.end());
}

void add_captured(Capture& capture, StreamState& stream, GraphNode node) {
  const Scheduler::Lock lock = Scheduler::get().lock();
  node.after = stream.captured_ends;
  stream.captured_ends = {capture.graph->add(std::move(node))};
}

CUstreamCaptureStatus capture_status(StreamState& stream) {
  const Scheduler::Lock lock = Scheduler::get().lock();
  if (stream.legacy && a_blocking_stream_is_captured(stream.context))
    throw CallError(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "");
  const std::shared_ptr<Capture>& capture = live_capture(stream);
  if (capture == nullptr) return CU_STREAM_CAPTURE_STATUS_NONE;
  return capture->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

CUstreamCaptureMode exchange_capture_mode(CUstreamCaptureMode mode) { return std::exchange(thread_mode, mode); }

}  // namespace kiln::emulator
