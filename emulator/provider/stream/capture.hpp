// Stream capture: streams that record their work in a graph instead of running it.
#pragma once

#include "emulator/provider/context/stream_state.hpp"
#include "emulator/provider/stream/graph.hpp"

#include <memory>
#include <thread>

namespace kiln::emulator {

/// Guarded by the scheduler's lock. Shared by all streams that are captured together.
struct Capture {
  std::shared_ptr<Graph> graph;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  std::thread::id thread;  // that began the capture
  const StreamState* origin = nullptr;
  std::uint64_t id = 0;
  bool invalid = false;
  bool ended = false;
};

/// The capture of the stream, or null. Throws CUDA_ERROR_STREAM_CAPTURE_IMPLICIT for the legacy stream while a stream
/// that synchronises with it is captured, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED after a forbidden operation.
std::shared_ptr<Capture> capture_of(StreamState& stream);
/// For calls that wait for the stream: if it is being captured, invalidates the capture and throws.
void refuse_in_capture(StreamState& stream);
/// For calls that may wait or free memory, such as cuMemAlloc: throws if a capture forbids them to this thread.
void refuse_unsafe_call();

/// Throws as capture_of() for the legacy stream.
CUstreamCaptureStatus capture_status(StreamState& stream);

void begin_capture(StreamState& stream, CUstreamCaptureMode mode);
std::shared_ptr<Graph> end_capture(StreamState& stream);
/// Adds the stream to the capture; its next node also depends on these.
void join_capture(StreamState& stream, const std::shared_ptr<Capture>& capture, const std::vector<CUgraphNode>& ends);
/// Adds a node that depends on what the stream captured last.
void add_captured(Capture& capture, StreamState& stream, GraphNode node);
/// Sets the capture mode of the thread; returns the previous one.
CUstreamCaptureMode exchange_capture_mode(CUstreamCaptureMode mode);

}  // namespace kiln::emulator
