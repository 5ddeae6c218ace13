// A worker program of a test's own.
#pragma once

#include "compile/worker/worker_pool.hpp"
#include "environment_guard.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace kiln::test {

/// For the length of a scope, workers are "compile" (the real ones), "crash", "crash once", "exit", "close", "garbage",
/// "hang", "children" (it hangs, and has three that do), "no start", "silent" or "other build"; each logs itself when
/// its first job has come. None is left idle before or behind it.
class FakeWorker {
 public:
  explicit FakeWorker(const std::string& mode) {
    WorkerPool::get().clear();
    folder_.write("log", "");
    guard_.set("KILN_WORKER", KILN_FAKE_WORKER_PROGRAM);
    guard_.set("KILN_FAKE_WORKER", mode);
    guard_.set("KILN_FAKE_LOG", log());
    guard_.set("KILN_FAKE_FIRST", (folder_ / "first").string());
  }
  ~FakeWorker() { WorkerPool::get().clear(); }
  FakeWorker(const FakeWorker&) = delete;
  FakeWorker& operator=(const FakeWorker&) = delete;

  /// The process numbers of those that got a job.
  std::vector<pid_t> started() const {
    std::istringstream lines(folder_.read("log"));
    std::vector<pid_t> all;
    for (pid_t one; lines >> one;) all.push_back(one);
    return all;
  }
  /// Workers log themselves for wait_for_start() instead of started().
  void announce() {
    REQUIRE(::mkfifo((folder_ / "pipe").c_str(), 0600) == 0);
    pipe_ = ::open((folder_ / "pipe").c_str(), O_RDWR | O_CLOEXEC);
    guard_.set("KILN_FAKE_LOG", (folder_ / "pipe").string());
  }
  /// Waits until one has a job; its process number.
  pid_t wait_for_start() const {
    std::string line;
    for (char c = 0; ::read(pipe_, &c, 1) == 1 && c != '\n';) line += c;
    return std::stoi(line);
  }

 private:
  std::string log() const { return (folder_ / "log").string(); }

  ScratchFolder folder_;
  EnvironmentGuard guard_;
  int pipe_ = -1;
};

/// How many descriptors this process has open.
inline std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

/// No child is there, neither running nor waiting to be reaped.
inline bool has_no_child() { return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

/// Waits for the end of a process that is no child, or was one.
inline bool ends(pid_t process) {
  const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  if (descriptor < 0) return errno == ESRCH;
  pollfd ended = {descriptor, POLLIN, 0};
  const int ready = ::poll(&ended, 1, 60'000);
  ::close(descriptor);
  return ready == 1;
}

/// Nothing that Kiln made is left where temporary files go.
class CleanTemporaryFolder {
 public:
  CleanTemporaryFolder() { guard_.set("TMPDIR", folder_.path().string()); }
  bool is_empty() const { return std::filesystem::is_empty(folder_.path()); }

 private:
  ScratchFolder folder_;
  EnvironmentGuard guard_;
};

/// A source that NVRTC is busy with for minutes, and in its front end, where it asks nobody whether to go on.
inline std::string endless_source() {
  return "template <int N> struct S {\n"
         "  static __device__ constexpr long run() { long s = 0; for (long i = 0; i < 1000000; ++i) s ^= i * N; return "
         "s; }\n"
         "};\n"
         "template <int M, int N> struct T { static constexpr long v = S<M * 200 + N>::run() ^ T<M, N - 1>::v; };\n"
         "template <int M> struct T<M, 0> { static constexpr long v = 0; };\n"
         "template <int M> struct U { static constexpr long v = T<M, 190>::v ^ U<M - 1>::v; };\n"
         "template <> struct U<0> { static constexpr long v = 0; };\n"
         "__global__ void k(long* a) { *a = U<190>::v; }\n";
}

}  // namespace kiln::test
