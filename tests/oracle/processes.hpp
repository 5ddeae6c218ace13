// Scenarios run in processes of their own: a compiler that dies takes one batch with it, and memory is given back.
#pragma once

#include <cstddef>
#include <functional>

namespace kiln::oracle {

/// Whether `body` returned true in a child of fork, and did not die.
bool in_process(const std::function<bool()>& body);

/// The same for `bodies(0)`, `bodies(1)` and so on, `jobs` of them at a time, as long as `goes_on` of the next. Whether
/// all did.
bool in_processes(std::size_t jobs, const std::function<bool(std::size_t)>& goes_on,
                  const std::function<bool(std::size_t)>& bodies);

/// Root reads what nobody may read: goes on as nobody where `works()` does so too. True where this process is not root.
bool become_nobody(const std::function<bool()>& works);

}  // namespace kiln::oracle
