// How the program kiln-worker is started.
#pragma once

#include "base/spawn.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// The name of the program that the library itself carries (worker_image), where a program is asked for.
inline constexpr std::string_view carried_worker = "kiln-worker, which the library carries";

/// What a worker was started from.
enum class WorkerOrigin { program, memory, private_file };

struct StartedWorker {
  pid_t process = -1;
  WorkerOrigin origin = WorkerOrigin::program;
};

/// Starts it as an orphan, with the request's arguments behind its name. The carried one is started from memory, or
/// where that is forbidden from a private file below temporary_files(), which is gone when this returns. Throws Error.
StartedWorker start_worker(const std::string& program, SpawnRequest request);

}  // namespace kiln
