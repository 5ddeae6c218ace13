// The program that the tests of processes run, and what it writes.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln::test {

/// child_program.cpp; its path comes from the build.
inline std::string child_program() { return KILN_TEST_CHILD_PROGRAM; }

/// Texts that zero bytes end.
inline std::vector<std::string> split_at_zeros(std::string_view text) {
  std::vector<std::string> result;
  for (std::size_t end; (end = text.find('\0')) != std::string_view::npos; text.remove_prefix(end + 1))
    result.emplace_back(text.substr(0, end));
  return result;
}

/// The descriptors that this process has open, ascending.
inline std::vector<int> open_descriptors() {
  std::vector<int> result;
  DIR* const folder = opendir("/proc/self/fd");
  while (const dirent* const entry = readdir(folder)) {
    if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != dirfd(folder))
      result.push_back(std::atoi(entry->d_name));
  }
  closedir(folder);
  std::sort(result.begin(), result.end());
  return result;
}

/// Whether this process has a child, running or not yet waited for.
inline bool has_children() { return waitpid(-1, nullptr, WNOHANG) >= 0; }

}  // namespace kiln::test
