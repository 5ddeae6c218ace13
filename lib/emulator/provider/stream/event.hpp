// Events: places in streams.
#pragma once

#include "emulator/provider/context/stream_state.hpp"
#include "emulator/provider/stream/capture.hpp"

namespace kiln::emulator {

struct EventState {
  Context& context;
  const unsigned flags;
  // Under the scheduler's lock.
  TaskPtr recorded;                         // the mark; null: never recorded
  std::shared_ptr<Capture> captured;        // recorded in a stream that was being captured
  std::vector<CUgraphNode> captured_after;  // and behind these nodes

  EventState(Context& of, unsigned with_flags) : context(of), flags(with_flags) {}
};
using EventPtr = std::shared_ptr<EventState>;
using Events = HandleTable<CUevent, EventState>;

/// Throws CallError(CUDA_ERROR_INVALID_HANDLE).
EventPtr event_of(CUevent handle);
void record(EventState& event, StreamState& stream);
/// What is put into the stream from now on comes behind the event.
void wait_for_event(StreamState& stream, EventState& event);
/// The mark, null where it was never recorded. Throws CUDA_ERROR_CAPTURED_EVENT.
TaskPtr mark_of(EventState& event);
/// From one to the other. Throws CUDA_ERROR_NOT_READY, CUDA_ERROR_INVALID_HANDLE.
float milliseconds_between(EventState& start, EventState& end);

}  // namespace kiln::emulator
