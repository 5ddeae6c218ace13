#include "emulator/provider/stream/event.hpp"

#include "emulator/provider/context/call.hpp"

#include <chrono>

namespace kiln::emulator {

EventPtr event_of(CUevent handle) {
  EventPtr event = Events::get().find(handle);
  if (event == nullptr) throw CallError(CUDA_ERROR_INVALID_HANDLE, "");
  return event;
}

void record(EventState& event, StreamState& stream) {
  if (&event.context != &stream.context)
    throw CallError(CUDA_ERROR_INVALID_HANDLE, "the event is of another context than the stream");
  std::shared_ptr<Capture> capture = capture_of(stream);
  TaskPtr mark = capture == nullptr ? append(stream, nullptr) : nullptr;
  const Scheduler::Lock lock = Scheduler::get().lock();
  event.recorded = std::move(mark);
  event.captured = std::move(capture);
  event.captured_after = stream.captured_ends;
}

void wait_for_event(StreamState& stream, EventState& event) {
  Scheduler& scheduler = Scheduler::get();
  std::shared_ptr<Capture> captured;
  std::vector<CUgraphNode> captured_after;
  TaskPtr mark;
  {
    const Scheduler::Lock lock = scheduler.lock();
    captured = event.captured;
    captured_after = event.captured_after;
    mark = event.recorded;
  }
  if (captured != nullptr) return join_capture(stream, captured, captured_after);
  if (capture_of(stream) != nullptr) {
    if (mark == nullptr) return;
    throw CallError(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "the event was recorded outside the capture");
  }
  const Scheduler::Lock lock = scheduler.lock();
  std::vector<TaskPtr> before = predecessors(stream);
  before.push_back(mark);
  stream.last = scheduler.submit(lock, stream.context, nullptr, before);
}

TaskPtr mark_of(EventState& event) {
  const Scheduler::Lock lock = Scheduler::get().lock();
  if (event.captured != nullptr) throw CallError(CUDA_ERROR_CAPTURED_EVENT, "");
  return event.recorded;
}

float milliseconds_between(EventState& start, EventState& end) {
  const TaskPtr first = mark_of(start), last = mark_of(end);
  if (((start.flags | end.flags) & CU_EVENT_DISABLE_TIMING) != 0 || first == nullptr || last == nullptr)
    throw CallError(CUDA_ERROR_INVALID_HANDLE, "an event without time, or one that was never recorded");
  const Scheduler::Lock lock = Scheduler::get().lock();
  if (!first->done || !last->done) throw CallError(CUDA_ERROR_NOT_READY, "");
  return std::chrono::duration<float, std::milli>(last->finished - first->finished).count();
}

}  // namespace kiln::emulator
