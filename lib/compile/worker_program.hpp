// Where kiln-worker is.
#pragma once

#include <optional>
#include <string>

namespace kiln {

/// KILN_WORKER; else where it was installed with this library or program, or built with it. Nothing where no such
/// program is. Thread-safe.
std::optional<std::string> find_worker_program();

}  // namespace kiln
