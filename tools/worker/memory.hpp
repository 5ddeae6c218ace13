// How the allocator gets memory from the system, here where compilers are the only ones that use it.
#pragma once

namespace kiln::worker {

/// To be called before there is a second thread.
void prepare_allocator();

}  // namespace kiln::worker
