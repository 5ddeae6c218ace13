#include "base/spawn.hpp"

#include "base/file_lock.hpp"
#include "base/path_text.hpp"
#include "child_program.hpp"
#include "environment_guard.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <dlfcn.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <thread>

namespace spawn_test {

using namespace kiln;
using namespace kiln::test;

/// Instead of libc's, as that of a preloaded library is.
namespace {
std::atomic<int> calls_of_interposed = 0;
}
extern "C" int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                           const posix_spawnattr_t* attributes, char* const* arguments, char* const* variables) {
  ++calls_of_interposed;
  static const auto next = reinterpret_cast<decltype(&::posix_spawn)>(::dlsym(RTLD_NEXT, "posix_spawn"));
  return next(child, path, actions, attributes, arguments, variables);
}

namespace {

/// A pipe; its descriptors are inherited by whom does not close them.
class Pipe {
 public:
  Pipe() { REQUIRE(::pipe(ends_) == 0); }
  ~Pipe() {
    close_write();
    ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int write_end() const { return ends_[1]; }
  void close_write() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  std::string read_all() {
    close_write();
    std::string text;
    char buffer[4096];
    for (ssize_t size; (size = ::read(ends_[0], buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<std::size_t>(size));
    return text;
  }

 private:
  int ends_[2] = {-1, -1};
};

/// The same as a child, by a process that adopts orphans.
pid_t spawn(const SpawnRequest& request) {
  REQUIRE(::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
  const pid_t child = spawn_orphan(request);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  return child;
}

ExitStatus wait_for(pid_t child) {
  int waited = 0;
  REQUIRE(::waitpid(child, &waited, 0) == child);
  return exit_status(waited);
}

/// What the program writes.
std::string output_of(SpawnRequest request) {
  Pipe pipe;
  request.output = pipe.write_end();
  const pid_t child = spawn(request);
  const std::string text = pipe.read_all();
  wait_for(child);
  return text;
}

std::string error_of(const SpawnRequest& request) {
  try {
    wait_for(spawn(request));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

const std::vector<std::string> difficult = {
    "",      "a b",      "  ", "\"quoted\" 'twice'", "two\nlines\n", "t\xc3\xa4st \xe6\xbc\xa2", "\xff\xfe is no UTF-8",
    "$HOME", "`ls`;&|*", "\\", "--option=with space"};

}  // namespace

TEST_CASE("Arguments arrive as they are") {
  std::vector<std::string> arguments = {child_program(), "arguments"};
  arguments.insert(arguments.end(), difficult.begin(), difficult.end());
  CHECK(split_at_zeros(output_of({arguments})) == difficult);
}

TEST_CASE("A process is started by libc's posix_spawn, not by a preloaded library's") {
  calls_of_interposed = 0;
  wait_for(spawn({{child_program(), "arguments"}}));
  CHECK(calls_of_interposed == 0);
  // That the one above stands before libc's.
  pid_t child = 0;
  std::string program = child_program();
  std::string argument = "arguments";
  char* arguments[] = {program.data(), argument.data(), nullptr};
  REQUIRE(::posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ) == 0);
  wait_for(child);
  CHECK(calls_of_interposed == 1);
}

TEST_CASE("A child has this process's variables") {
  EnvironmentGuard guard;
  guard.set("KILN_OF_THIS_PROCESS", "a value");
  const std::vector<std::string> own = split_at_zeros(output_of({{child_program(), "environment"}}));
  CHECK(std::find(own.begin(), own.end(), "KILN_OF_THIS_PROCESS=a value") != own.end());
}

TEST_CASE("A child has the working folder, its group, no descriptor, no input, no signal that is handled") {
  const SpawnRequest request{{child_program(), "describe"}};
  // What another library of this process opens without O_CLOEXEC, and what a host ignores or blocks.
  Pipe others;
  struct sigaction ignore = {}, before = {};
  ignore.sa_handler = SIG_IGN;
  REQUIRE(sigaction(SIGPIPE, &ignore, &before) == 0);
  sigset_t block, mask;
  sigemptyset(&block);
  sigaddset(&block, SIGTERM);
  REQUIRE(pthread_sigmask(SIG_BLOCK, &block, &mask) == 0);
  const std::string text = output_of(request);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  sigaction(SIGPIPE, &before, nullptr);
  CHECK(text == "descriptors 0 1 2\ninput 0\nleads 1\nfolder " + working_folder() + "\n");
}

TEST_CASE("An orphan is no child of this process, and has what a child has") {
  SpawnRequest request{{child_program(), "describe"}};
  for (const bool ignores_ends : {false, true}) {
    const int code = in_child([&] {
      static volatile std::sig_atomic_t ends = 0;
      signal(
          SIGCHLD, ignores_ends ? SIG_IGN : [](int) { ends = ends + 1; });
      signal(SIGPIPE, SIG_IGN);
      Pipe others;
      Pipe pipe;
      request.output = pipe.write_end();
      spawn_orphan(request);
      if (wait(nullptr) != -1 || errno != ECHILD) return 1;  // it may not have ended yet
      const std::string text = pipe.read_all();
      if (text != "descriptors 0 1 2\ninput 0\nleads 1\nfolder " + working_folder() + "\n") return 2;
      return ends == 0 ? 0 : 3;
    });
    CHECK(code == 0);
  }
}

TEST_CASE("Orphans are started by many threads at once, and from a host that has no standard descriptors") {
  CHECK(in_child([] {
          close(0), close(1), close(2);
          int output[2];
          if (pipe(output) != 0) return 1;
          std::vector<std::thread> threads;
          for (int i = 0; i < 8; ++i)
            threads.emplace_back([&] {
              SpawnRequest request{{child_program(), "say"}};
              request.output = output[1];
              for (int n = 0; n < 10; ++n) spawn_orphan(request);
            });
          for (std::thread& thread : threads) thread.join();
          close(output[1]);
          std::size_t all = 0;
          char buffer[4096];
          for (ssize_t size; (size = read(output[0], buffer, sizeof buffer)) > 0;)
            all += static_cast<std::size_t>(size);
          return all == 80 * std::string("to output").size() && !has_children() ? 0 : 2;
        }) == 0);
}

TEST_CASE("An orphan that cannot be started is the same error, and leaves nothing") {
  const ScratchFolder folder;
  const std::vector<int> before = open_descriptors();
  const std::string missing = folder / "missing program";
  CHECK_THROWS_WITH_AS(spawn_orphan({{missing}}), ("cannot start " + missing + ": No such file or directory").c_str(),
                       Error);
  CHECK(waitpid(-1, nullptr, __WALL | WNOHANG) == -1);
  CHECK(open_descriptors() == before);
}

TEST_CASE("Further descriptors have the places behind the standard ones, in their order, whatever numbers they have") {
  CHECK(in_child([] {
          int one[2], two[2];
          // 3 and 4 are each other's places.
          if (dup2(1, 3) < 0 || dup2(1, 4) < 0 || pipe(one) != 0 || pipe(two) != 0) return 1;
          dup2(one[1], 4), dup2(two[1], 3);
          SpawnRequest request{{"/bin/sh", "-c", "printf one >&3; printf two >&4; printf no >&5"}};
          request.further = {4, 3};
          wait_for(spawn(request));
          char text[4] = {};
          if (read(one[0], text, 3) != 3 || std::string(text) != "one") return 2;
          return read(two[0], text, 3) == 3 && std::string(text) == "two" ? 0 : 3;
        }) == 0);
}

TEST_CASE("A lock of this process is not its child's") {
  const ScratchFolder folder;
  FileSystem& files = FileSystem::real();
  FileLock lock(files);
  REQUIRE(lock.open(folder / "lock") == 0);
  REQUIRE(lock.try_lock(0) == 0);
  // Without O_CLOEXEC, as where another thread is about to set it.
  REQUIRE(fcntl(lock.descriptor(), F_SETFD, 0) == 0);
  Pipe pipe;
  SpawnRequest request{{child_program(), "hang"}};
  request.output = pipe.write_end();
  const pid_t child = spawn(request);
  lock.close();
  FileLock other(files);
  CHECK(other.open(folder / "lock") == 0);
  CHECK(other.try_lock(0) == 0);
  kill(child, SIGKILL);
  CHECK(wait_for(child).signal == SIGKILL);
}

TEST_CASE("A host that has no standard descriptors starts programs too") {
  for (const bool with_null : {false, true}) {
    const int code = in_child([with_null] {
      close(0), close(1), close(2);
      // These get the numbers 0 to 3: each end has a number that is another's target.
      int output[2], errors[2];
      if (pipe(output) != 0 || pipe(errors) != 0) return 1;
      SpawnRequest request{{child_program(), "say"}};
      request.output = with_null ? -1 : output[1];
      request.errors = errors[1];
      const pid_t child = spawn(request);
      close(output[1]), close(errors[1]);
      char text[64] = {};
      if (!with_null && (read(output[0], text, sizeof text) != 9 || std::string(text) != "to output")) return 2;
      if (read(errors[0], text, sizeof text) != 9 || std::string(text) != "to errors") return 3;
      return wait_for(child).code == 0 && !has_children() ? 0 : 4;
    });
    CHECK(code == 0);
  }
}

TEST_CASE("The same descriptor may be output and errors") {
  Pipe pipe;
  SpawnRequest request{{child_program(), "say"}};
  request.output = request.errors = pipe.write_end();
  const pid_t child = spawn(request);
  CHECK(pipe.read_all() == "to outputto errors");
  CHECK(wait_for(child).code == 0);
}

TEST_CASE("What cannot be started is an error that names it, and leaves no child") {
  const ScratchFolder folder;
  const std::string not_executable = folder.write("text", "#!/bin/sh\n");
  const std::string missing = folder / "missing program";
  CHECK(error_of({{missing}}) == "cannot start " + missing + ": No such file or directory");
  CHECK(error_of({{folder.path()}}) ==
        "cannot start " + folder.path().string() + ": Permission denied (it is a folder)");
  CHECK(error_of({{not_executable}}) == "cannot start " + not_executable + ": Permission denied");
  CHECK_FALSE(has_children());
}

TEST_CASE("A null device that cannot be opened is named, and the file that was to be started") {
  CHECK(in_child([] {
          const rlimit none{0, 0};  // what is open stays open
          if (setrlimit(RLIMIT_NOFILE, &none) != 0) return 1;
          SpawnRequest request{{"worker"}};
          request.program = "/bin/true";
          if (error_of(request) != "cannot start worker (/bin/true): cannot open /dev/null: Too many open files")
            return 2;
          request.input = request.output = request.errors = 1;
          return error_of(request).find("/dev/null") == std::string::npos ? 0 : 3;
        }) == 0);
}

TEST_CASE("How a child ended is reported") {
  CHECK(wait_for(spawn({{child_program(), "exit", "7"}})).code == 7);
  CHECK(wait_for(spawn({{child_program(), "crash"}})).signal == SIGSEGV);
}

TEST_CASE("Two hundred children leave neither zombie nor descriptor") {
  const std::vector<int> before = open_descriptors();
  const ScratchFolder folder;
  const std::string missing = folder / "missing";
  for (int i = 0; i < 200; ++i) {
    if (i % 2 == 0) {
      CHECK(wait_for(spawn({{child_program(), "exit", "0"}})).code == 0);
    } else {
      CHECK_THROWS_AS(spawn({{missing}}), Error);
    }
  }
  CHECK_FALSE(has_children());
  CHECK(open_descriptors() == before);
}

TEST_CASE("a signal is shown by number and name") {
  CHECK(signal_text(SIGSEGV) == "signal 11 (SIGSEGV)");
  CHECK(signal_text(SIGKILL) == "signal 9 (SIGKILL: for lack of memory, or by hand)");
  CHECK(signal_text(1000) == "signal 1000");
}

}  // namespace spawn_test
