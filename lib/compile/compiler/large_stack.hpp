// Runs a compile on a thread of its own, so that it changes nothing in the process.
#pragma once

#include <functional>

namespace kiln {

/// Calls `work` on a thread with a large stack (NVRTC would raise the process's stack limit otherwise), the C locale
/// (it reads float literals by the locale), the default floating-point environment (it folds constants by the thread's)
/// and all signals blocked (no handler of the program runs there), and waits.
/// What `work` throws is thrown here. On such a thread it calls `work` there. Where no thread can be made (ulimit -u
/// counts them, too) the calling one does the work, with the stack and the signals that it has.
void run_on_large_stack(const std::function<void()>& work);

}  // namespace kiln
