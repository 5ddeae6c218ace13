// Which kiln-worker is used.
#pragma once

#include <optional>
#include <string>

namespace kiln {

/// KILN_WORKER; else the one that was installed with this library or program, if it is usable_worker(); else
/// carried_worker (worker_start.hpp). Nothing where KILN_WORKER names no program. Thread-safe.
std::optional<std::string> find_worker_program();

/// The program's path, links followed, where it is of this build, and nobody but this user and root can change it or
/// put another one in its place; else nothing. The way from the library to an installed worker goes up two folders:
/// from a build in /tmp to one that everybody can make there, with whatever build id.
std::optional<std::string> usable_worker(const std::string& path);

}  // namespace kiln
