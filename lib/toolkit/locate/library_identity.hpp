// The identity of a compiler library, found without opening it.
#pragma once

#include "base/file_system.hpp"

#include <string>

namespace kiln {

/// "build-id:<hex>" from the ELF note, else "sha256:<hex>" of the whole file, memoised in this process by path, inode,
/// size and times. The same library has the same identity on every machine. Throws Error where the file cannot be read.
std::string library_identity(FileSystem& files, const std::string& path);

}  // namespace kiln
