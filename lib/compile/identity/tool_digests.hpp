// Content digests of a compiler's programs, each read once a machine and not once a process.
#pragma once

#include "base/file_system.hpp"
#include "cache/cache_folder.hpp"

#include <string>
#include <vector>

namespace kiln {

/// The digest of all those files' contents, in order, as hexadecimal digits. A file's own digest is remembered by
/// path, device, inode, size and times: in this process, and in a note of `cache` where there is one, so that a warm
/// start reads that note and asks one status a file (where times are in whole seconds it reads the end of each, too).
/// Throws ToolkitError where a file cannot be read. Thread-safe.
std::string tools_digest(FileSystem& files, const std::vector<std::string>& paths, CacheFolder* cache);

}  // namespace kiln
