// How the allocator gets memory from the system, in a process where compilers are the only ones that use it.
#pragma once

namespace kiln {

/// To be called before there is a second thread.
void prepare_allocator();

/// Has the system provide the memory that every compile needs, on a thread of its own: the compile has begun meanwhile.
/// To be called when the compiler's library is open: mapping a library would wait for it. Without effect after the
/// first call, and where the system has no such call (before Linux 5.14).
void populate_memory();

}  // namespace kiln
