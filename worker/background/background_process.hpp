// Work of a worker that nobody waits for, in processes of its own that outlive it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <vector>

namespace kiln {

/// Forks a process that does the work and ends: it shares nothing with this one, and outlives it and its host, but for
/// so many seconds at most. What the work throws is lost. The process, or -1.
pid_t start_in_background(const char* name, unsigned most_seconds, const std::function<void()>& work);

/// The processes that were started so, where this worker's monitor can see them. To be called before the worker forks
/// its compiler.
void share_background_processes();
bool is_in_background(pid_t process) noexcept;

}  // namespace kiln
