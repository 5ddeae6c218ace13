// The whole way of a request, with a cache folder of its own. What happened is read off the folder's counters.
#pragma once

#include "environment_guard.hpp"
#include "in_child.hpp"
#include "old_file.hpp"
#include "scratch_folder.hpp"

#include <kiln/cache.hpp>
#include <kiln/compile.hpp>
#include <kiln/log.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

namespace kiln::test {

/// A cache folder and a source folder, of each test case's own.
struct Bench {
  ScratchFolder scratch;

  CompileOptions options() const { return CompileOptions{}.with_arch("sm_80").with_caching({scratch / "cache"}); }
  CacheStats stats() const { return Cache(scratch / "cache").stats(); }
  /// Old enough to be kept.
  std::filesystem::path header(const std::string& name, const std::string& text) const {
    auto path = scratch.write(name, text);
    wait_until_old(path);
    return path;
  }
};

/// What is decided meanwhile, for a test that fails to say why: INFO(decisions.text).
struct Decisions {
  EnvironmentGuard environment;
  std::string text;
  Decisions() {
    environment.set("KILN_LOG", "info");
    set_log_handler([this](LogLevel, const std::string& line) { text += line + "\n"; });
  }
  ~Decisions() { set_log_handler({}); }
  Decisions(const Decisions&) = delete;
  Decisions& operator=(const Decisions&) = delete;
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
