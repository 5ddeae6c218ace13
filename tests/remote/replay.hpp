// Compiles that cost next to nothing: replaying_worker.cpp in place of kiln-worker.
#pragma once

#include "compile/worker/worker_pool.hpp"

#include "environment_guard.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace kiln::test {

/// For the length of a scope compiles are kept and replayed, by workers that are started for it.
class Replay {
 public:
  Replay() {
    WorkerPool::get().clear();
    guard_.set("KILN_WORKER", KILN_REPLAYING_WORKER);
    guard_.set("KILN_REPLAY_FOLDER", folder_.path().string());
  }
  ~Replay() { WorkerPool::get().clear(); }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  /// How many were begun.
  int compiles() const {
    if (!std::filesystem::exists(folder_ / "compiles")) return 0;
    const std::string lines = folder_.read("compiles");
    return static_cast<int>(std::count(lines.begin(), lines.end(), '\n'));
  }
  /// Compiles wait from now on.
  void close_gate() { REQUIRE(::mkfifo((folder_ / "gate").c_str(), 0600) == 0); }
  /// Waits until one waits; it goes on then, and so does each that comes.
  void open_gate() {
    const int gate = ::open((folder_ / "gate").c_str(), O_WRONLY | O_CLOEXEC);
    REQUIRE(gate >= 0);
    std::filesystem::remove(folder_ / "gate");
    ::close(gate);
  }

 private:
  ScratchFolder folder_;
  EnvironmentGuard guard_;
};

}  // namespace kiln::test
