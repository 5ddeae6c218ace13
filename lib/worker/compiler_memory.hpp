// How the allocator gets memory from the system, here where compilers are the only ones that use it.
#pragma once

namespace kiln::worker {

/// To be called before there is a second thread.
void prepare_allocator();

/// Has the system give the memory that each compile needs, on a thread of its own: meanwhile the host is answered and
/// NVRTC opened. Without effect where the system has no such call (before Linux 5.14).
void take_memory_ahead();

}  // namespace kiln::worker
