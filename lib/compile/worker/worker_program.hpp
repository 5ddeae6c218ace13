// Which kiln-worker is used: an installed one of the same build, or the one that this library, or a program that holds
// it, carries.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// KILN_WORKER; else the one that was installed with this library or program, if it is usable_worker(); else
/// carried_worker (worker_start.hpp). Nothing where KILN_WORKER names no program. Thread-safe.
std::optional<std::string> find_worker_program();

/// The program's path, links followed, where it is of this build, and nobody but this user and root can change it or
/// put another one in its place; else nothing. The way from the library to an installed worker goes up two folders:
/// from a build in /tmp to one that everybody can make there, with whatever build id.
std::optional<std::string> usable_worker(const std::string& path);

/// A digest of all sources that both are made of. A worker serves hosts of the same build only.
std::string_view worker_build();

/// Its bytes; of static lifetime. Empty in the worker itself.
std::string_view worker_image();
/// What library_identity() says of a file of these bytes, stripped or not.
std::string_view worker_image_identity();

}  // namespace kiln
