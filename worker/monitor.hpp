// The process that stays beside a worker's compiler: it survives a crash of the compiler.
#pragma once

#include <sys/types.h>

namespace kiln::worker {

/// Returns in a child of fork, the compiler: in a process group of its own, with a folder of its own in TMPDIR, and
/// with none of the descriptors above worker_channel. The calling process never returns. It waits until the compiler
/// has ended, or the host has ended or hung up the control socket, and then ends the compiler with all that it has
/// started, removes the folder, and reports to the host how the compiler ended. `host` is its number, for systems that
/// have no pidfd.
void fork_compiler(pid_t host);

}  // namespace kiln::worker
