// Which folder precompiled headers are in: a cache folder of its own (cache_folder.hpp), because such files are large,
// and of use on one machine only.
#pragma once

#include "base/file_system.hpp"

#include <optional>
#include <string>

namespace kiln {

/// KILN_PCH_DIR; else the folder `pch` of the cache folder, where that is on no network file system; else
/// kiln-pch-<user> in TMPDIR, or /tmp. Nothing in a process that runs with more rights than its user. A relative
/// KILN_PCH_DIR is ignored, and warned of once.
std::optional<std::string> pch_location(FileSystem& files, const std::string& cache_folder);

/// Whether KILN_PCH is `off`. A value that is neither that nor `on` is ignored, and warned of once.
bool pch_disabled();

}  // namespace kiln
