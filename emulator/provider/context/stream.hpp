// Streams: queues of work that runs asynchronously, in order.
#pragma once

#include <cuda.h>

#include <functional>

namespace kiln::emulator {

/// Work of a stream; runs later, on another thread. An error that it returns or throws becomes the sticky error of the
/// context.
using Work = std::function<CUresult()>;

/// Appends work to a stream (null, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD as for the driver). In a stream that is
/// being captured it becomes a node of that kind. Throws CallError for an unknown stream.
void enqueue(CUstream stream, Work work, const char* kind = "other");
/// Waits until all work of the stream is done. Returns the sticky error, if any.
CUresult synchronize(CUstream stream);

}  // namespace kiln::emulator
