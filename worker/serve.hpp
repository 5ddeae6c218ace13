// What a worker's compiler does.
#pragma once

#include <chrono>

namespace kiln::worker {

/// Exchanges hellos with the host; false where it is of another build, hangs up, or says nothing for so long.
bool greet(std::chrono::milliseconds longest_idle);

/// Answers jobs, until the host hangs up the channel or sends none for so long. The exit status.
int serve(std::chrono::milliseconds longest_idle);

}  // namespace kiln::worker
