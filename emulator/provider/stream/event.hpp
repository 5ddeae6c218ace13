// Events.
#pragma once

#include "emulator/provider/context/stream_state.hpp"
#include "emulator/provider/stream/capture.hpp"

namespace kiln::emulator {

struct EventState {
  Context& context;
  const unsigned flags;
  // Guarded by the scheduler's lock.
  TaskPtr recorded;                         // a mark; null: never recorded
  std::shared_ptr<Capture> captured;        // set if recorded in a captured stream
  std::vector<CUgraphNode> captured_after;  // then the nodes that it depends on

  EventState(Context& of, unsigned with_flags) : context(of), flags(with_flags) {}
};
using EventPtr = std::shared_ptr<EventState>;
using Events = HandleTable<CUevent, EventState>;

/// Throws CallError(CUDA_ERROR_INVALID_HANDLE).
EventPtr event_of(CUevent handle);
void record(EventState& event, StreamState& stream);
/// Later work of the stream waits for the event.
void wait_for_event(StreamState& stream, EventState& event);
/// The mark; null if it was never recorded. Throws CUDA_ERROR_CAPTURED_EVENT.
TaskPtr mark_of(EventState& event);
/// The time between two events. Throws CUDA_ERROR_NOT_READY, CUDA_ERROR_INVALID_HANDLE.
float milliseconds_between(EventState& start, EventState& end);

}  // namespace kiln::emulator
