// No worker outlives the process that it works for.
#pragma once

#include <sys/types.h>

namespace kiln::worker {

/// From now on this process ends, whatever it is doing, as soon as `parent` has ended, or closed its end of the
/// channel: a child of fork may hold that end open, and some systems have no other way to watch a process. Ends it at
/// once where the parent is gone already.
void end_with_parent(pid_t parent, int channel);

}  // namespace kiln::worker
