// Streams that record their work in a graph instead of doing it.
#pragma once

#include "emulator/provider/context/stream_state.hpp"
#include "emulator/provider/stream/graph.hpp"

#include <memory>
#include <thread>

namespace kiln::emulator {

/// Guarded by the scheduler's lock. All streams that take part point to it.
struct Capture {
  std::shared_ptr<Graph> graph;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  std::thread::id thread;  // which began it
  const StreamState* origin = nullptr;
  std::uint64_t id = 0;
  bool invalid = false;
  bool ended = false;
};

/// The stream's capture, or null. Throws CUDA_ERROR_STREAM_CAPTURE_IMPLICIT for the legacy stream while a stream that
/// waits for it is captured, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED where something forbidden was done.
std::shared_ptr<Capture> capture_of(StreamState& stream);
/// For calls that wait for the stream: throws, and makes the capture invalid, where it is being captured.
void refuse_in_capture(StreamState& stream);
/// For calls that may wait or free memory, as cuMemAlloc: throws where a capture forbids them to this thread.
void refuse_unsafe_call();

/// Throws as capture_of for the legacy stream.
CUstreamCaptureStatus capture_status(StreamState& stream);

void begin_capture(StreamState& stream, CUstreamCaptureMode mode);
std::shared_ptr<Graph> end_capture(StreamState& stream);
/// Makes the stream take part; its next node follows these, too.
void join_capture(StreamState& stream, const std::shared_ptr<Capture>& capture, const std::vector<CUgraphNode>& ends);
/// Adds a node behind what the stream captured before.
void add_captured(Capture& capture, StreamState& stream, GraphNode node);
/// The thread's mode; gives the former one.
CUstreamCaptureMode exchange_capture_mode(CUstreamCaptureMode mode);

}  // namespace kiln::emulator
