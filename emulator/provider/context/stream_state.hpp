// The state behind a CUstream.
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
  bool legacy = false;  // synchronises with all streams of the context but the non-blocking ones
  // Guarded by the scheduler's lock.
  TaskPtr last;
  bool destroyed = false;
  CUaccessPolicyWindow window{};           // stored, without effect
  std::shared_ptr<Capture> capture;        // null unless it is being captured
  std::vector<CUgraphNode> captured_ends;  // dependencies of the next captured node

  bool blocking() const { return (flags & CU_STREAM_NON_BLOCKING) == 0; }
};
using StreamPtr = std::shared_ptr<StreamState>;
using Streams = HandleTable<CUstream, StreamState>;

// The range of the driver on current GPUs; accepted without effect.
constexpr int least_priority = 0, greatest_priority = -5;

/// The stream of a handle, including the default streams of the current context. Throws CallError.
StreamPtr stream_of(CUstream handle);
/// The dependencies of new work in the stream; the scheduler's lock must be held.
std::vector<TaskPtr> predecessors(StreamState& stream);
/// Removes the handle; the work goes on.
void destroy(StreamState& stream);
/// CUDA_SUCCESS, CUDA_ERROR_NOT_READY or the sticky error.
CUresult query(StreamState& stream);
/// Appends work to the stream; an empty one is a mark. Not for streams that are being captured.
TaskPtr append(StreamState& stream, Work work);
/// The same, run by the calling thread before this returns. Returns the sticky error, if any.
CUresult run_in_order(StreamState& stream, Work work);

}  // namespace kiln::emulator
