// Files whose next change shows in their times.
#pragma once

#include "base/file_system.hpp"

#include <sys/stat.h>

#include <filesystem>

namespace kiln::test {

/// Returns when a change of the file, or of the folder, is certain to give it other times than it has.
inline void wait_until_old(const std::filesystem::path& path) {
  struct stat status {};
  do {
    ::stat(path.c_str(), &status);
  } while (FileSystem::real().now_ns() - (status.st_ctim.tv_sec * 1'000'000'000LL + status.st_ctim.tv_nsec) <
           30'000'000);
}

}  // namespace kiln::test
