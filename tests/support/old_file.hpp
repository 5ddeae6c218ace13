// Files that were not changed just now.
#pragma once

#include "base/file_system.hpp"

#include <sys/stat.h>

#include <filesystem>

namespace kiln::test {

/// Returns when the file is so old that a compile which reads it is kept: its own change time counts too, which only
/// waiting moves.
inline void wait_until_old(const std::filesystem::path& path) {
  struct stat status {};
  do {
    ::stat(path.c_str(), &status);
  } while (FileSystem::real().now_ns() - (status.st_ctim.tv_sec * 1'000'000'000LL + status.st_ctim.tv_nsec) <
           30'000'000);
}

}  // namespace kiln::test
