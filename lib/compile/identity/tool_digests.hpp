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

/// What a compiler, a linker or an assembler is in keys.
struct StageIdentity {
  std::vector<std::string> files = {};  // the libraries and programs, whose contents count
  std::string text = {};                // what counts beside them
};
/// All that make some code, as its key and the caches name their maker.
std::string maker_of(const std::string& prefix, const std::vector<StageIdentity>& stages, CacheFolder* cache);

}  // namespace kiln
