#include "emulator/provider/context/scheduler.hpp"

#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/stream_state.hpp"
#include "emulator/provider/stream/capture.hpp"

#include <atomic>
#include <utility>

namespace kiln::emulator {
namespace {

std::uint64_t next_stream_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

StreamState::StreamState(Context& of, unsigned with_flags, int of_priority)
    : context(of), flags(with_flags), priority(of_priority), id(next_stream_id()) {}

StreamPtr stream_of(CUstream handle) {
  if (handle == nullptr || handle == CU_STREAM_LEGACY) {
    Context& context = current_context();
    return StreamPtr(StreamPtr(), &context.legacy_stream());  // owned by the context, which is never deleted
  }
  if (handle == CU_STREAM_PER_THREAD) return current_context().thread_stream();
  StreamPtr stream = Streams::get().find(handle);
  if (stream == nullptr) throw CallError(CUDA_ERROR_INVALID_HANDLE, "this is no stream, or one that was destroyed");
  return stream;
}

std::vector<TaskPtr> predecessors(StreamState& stream) {
  std::vector<TaskPtr> before{stream.last};
  if (stream.legacy) {
    for (const StreamPtr& other : stream.context.streams())
      if (other->blocking()) before.push_back(other->last);
  } else if (stream.blocking()) {
    before.push_back(stream.context.legacy_stream().last);
  }
  return before;
}

TaskPtr append(StreamState& stream, Work work) {
  Scheduler& scheduler = Scheduler::get();
  const Scheduler::Lock lock = scheduler.lock();
  stream.last = scheduler.submit(lock, stream.context, std::move(work), predecessors(stream));
  return stream.last;
}

CUresult run_in_order(StreamState& stream, Work work) {
  Scheduler& scheduler = Scheduler::get();
  TaskPtr task;
  {
    const Scheduler::Lock lock = scheduler.lock();
    task = scheduler.submit_here(lock, stream.context, std::move(work), predecessors(stream));
    stream.last = task;
  }
  scheduler.run_here(task);
  return stream.context.error();
}

void enqueue(CUstream handle, Work work, const char* kind) {
  const StreamPtr stream = stream_of(handle);
  if (const std::shared_ptr<Capture> capture = capture_of(*stream)) {
    GraphNode node;
    node.work = std::move(work);
    node.kind = kind;
    add_captured(*capture, *stream, std::move(node));
  } else {
    (void)append(*stream, std::move(work));
  }
}

void destroy(StreamState& stream) {
  const Scheduler::Lock lock = Scheduler::get().lock();
  stream.destroyed = true;
  if (stream.capture == nullptr) return;
  stream.capture->invalid = true;
  if (stream.capture->origin == &stream) stream.capture->ended = true;  // no other stream can end the capture
}

namespace {

// Tasks that must be done before the stream counts as idle.
std::vector<TaskPtr> awaited(StreamState& stream) {
  const Scheduler::Lock lock = Scheduler::get().lock();
  if (stream.legacy) return predecessors(stream);
  return {stream.last};
}

}  // namespace

CUresult query(StreamState& stream) {
  for (const TaskPtr& task : awaited(stream))
    if (!Scheduler::get().is_done(task)) return CUDA_ERROR_NOT_READY;
  return stream.context.error();
}

CUresult synchronize(CUstream handle) {
  const StreamPtr stream = stream_of(handle);
  refuse_in_capture(*stream);
  for (const TaskPtr& task : awaited(*stream)) Scheduler::get().wait(task);
  return stream->context.error();
}

}  // namespace kiln::emulator
