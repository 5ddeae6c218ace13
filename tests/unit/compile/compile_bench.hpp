// The whole way of a request, with a cache folder of its own. What happened is read off the folder's counters.
#pragma once

#include "base/file_system.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <kiln/cache.hpp>
#include <kiln/compile.hpp>

#include <sys/stat.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

namespace kiln::test {

/// A cache folder and a source folder, of each test case's own.
struct Bench {
  ScratchFolder scratch;

  CompileOptions options() const { return CompileOptions{}.with_arch("sm_80").with_cache_dir(scratch / "cache"); }
  CacheStats stats() const { return Cache(scratch / "cache").stats(); }
  /// Old enough to be kept: its own change time too, which only waiting moves.
  std::filesystem::path header(const std::string& name, const std::string& text) const {
    const auto path = scratch.write(name, text);
    struct stat status {};
    do {
      ::stat(path.c_str(), &status);
    } while (FileSystem::real().now_ns() - (status.st_ctim.tv_sec * 1'000'000'000LL + status.st_ctim.tv_nsec) <
             30'000'000);
    return path;
  }
};

/// In a child process of its own, so that nothing is in memory; true where `work` returned true.
template <class Work>
bool in_new_process(Work work) {
  return in_child([&] {
           try {
             return work() ? 0 : 1;
           } catch (const std::exception& error) {
             std::fprintf(stderr, "in the child: %s\n", error.what());
             return 1;
           }
         }) == 0;
}

}  // namespace kiln::test
