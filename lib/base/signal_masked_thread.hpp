// Kiln's own threads in the process of a program.
#pragma once

#include <functional>
#include <thread>

namespace kiln {

/// Starts a thread with every signal blocked, so that no signal handler of the program runs on it, and with the default
/// floating-point environment, whatever the calling thread's is. `work` must not throw. Throws Error if the thread
/// cannot be started.
std::thread start_signal_masked_thread(std::function<void()> work);

}  // namespace kiln
