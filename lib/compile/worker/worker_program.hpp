// Which kiln-worker is used.
#pragma once

#include <optional>
#include <string>

namespace kiln {

/// KILN_WORKER; else the one that was installed with this library or program, if it is of the same build; else
/// carried_worker (worker_start.hpp). Nothing where KILN_WORKER names no program. Thread-safe.
std::optional<std::string> find_worker_program();

}  // namespace kiln
