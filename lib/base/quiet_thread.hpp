// Threads of Kiln's own in somebody else's process.
#pragma once

#include <functional>
#include <thread>

namespace kiln {

/// Starts a thread in which no handler of the program runs: every signal is blocked there. `work` must not throw.
/// Throws Error where no thread can be made.
std::thread start_quiet_thread(std::function<void()> work);

}  // namespace kiln
