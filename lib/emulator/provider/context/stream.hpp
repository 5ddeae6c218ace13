// Streams: queues of work that run behind the host's back, in order.
#pragma once

#include <cuda.h>

#include <functional>

namespace kiln::emulator {

/// Work of a stream: runs later, on another thread; what it returns or throws is the context's sticky error where it is
/// not CUDA_SUCCESS.
using Work = std::function<CUresult()>;

/// Puts work behind all that was put into the stream before (null, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD mean what
/// they do to the driver). Throws CallError (an unknown stream). In a stream that is being captured it becomes a node.
void enqueue(CUstream stream, Work work);
/// Waits until all of the stream's work is done. The sticky error, if any.
CUresult synchronize(CUstream stream);

}  // namespace kiln::emulator
