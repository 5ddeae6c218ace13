// What is behind a CUstream.
#pragma once

#include "emulator/core/handle_table.hpp"
#include "emulator/provider/context/context.hpp"

#include <memory>

namespace kiln::emulator {

struct Capture;

struct StreamState {
  StreamState(Context& of, unsigned with_flags, int of_priority);

  Context& context;
  const unsigned flags;
  const int priority;
  const std::uint64_t id;
  bool legacy = false;  // waits for, and is waited for by, all streams of the context but the non-blocking ones
  // Under the scheduler's lock.
  TaskPtr last;
  bool destroyed = false;
  CUaccessPolicyWindow window{};           // kept, and of no effect
  std::shared_ptr<Capture> capture;        // null unless it is being captured
  std::vector<CUgraphNode> captured_ends;  // what its next captured node follows

  bool blocking() const { return (flags & CU_STREAM_NON_BLOCKING) == 0; }
};
using StreamPtr = std::shared_ptr<StreamState>;
using Streams = HandleTable<CUstream, StreamState>;

// The driver's range on the GPUs of today; taken and of no effect.
constexpr int least_priority = 0, greatest_priority = -5;

/// The stream of a handle, and the current context's default ones. Throws CallError.
StreamPtr stream_of(CUstream handle);
/// What new work of the stream follows, under the scheduler's lock.
std::vector<TaskPtr> predecessors(StreamState& stream);
/// Its work goes on; nobody can name it any more.
void destroy(StreamState& stream);
/// CUDA_SUCCESS, CUDA_ERROR_NOT_READY or the sticky error.
CUresult query(StreamState& stream);
/// Puts work at the stream's end; an empty one is a mark. Not for streams that are captured.
TaskPtr append(StreamState& stream, Work work);
/// The same, done when this returns, by the calling thread. The sticky error, if any.
CUresult run_in_order(StreamState& stream, Work work);

}  // namespace kiln::emulator
