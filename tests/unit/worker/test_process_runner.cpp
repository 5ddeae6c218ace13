#include "worker/nvcc/process_runner.hpp"

#include "base/file_lock.hpp"
#include "base/owned_descriptor.hpp"
#include "child_program.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <functional>
#include <thread>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

namespace process_runner_test {

using namespace kiln;
using namespace kiln::test;

namespace {

ProcessResult run(const ProcessRequest& request) { return ProcessRunner::real().run(request); }

ProcessRequest child(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), child_program());
  return {arguments, {}};
}

/// The peak of this process's resident memory in bytes.
std::size_t peak_memory() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

bool is_gone(const std::string& pid) {
  // Killed, it is its reaper's from then on: gone, or a zombie in a container whose first process does not reap.
  const std::string path = "/proc/" + pid + "/stat";
  for (;;) {
    std::ifstream file(path);
    std::string text;
    if (!std::getline(file, text)) return true;
    if (text.at(text.rfind(')') + 2) == 'Z') return true;
    std::this_thread::yield();
  }
}

/// From here on this process has not that call of the system, as on an old kernel or in a sandbox.
bool refuse(int call) {
  std::array<sock_filter, 4> code = {{
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<unsigned>(call)},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  }};
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

std::array<void (*)(int), NSIG> signal_handlers() {
  std::array<void (*)(int), NSIG> handlers{};
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) == 0) handlers[static_cast<std::size_t>(signal)] = action.sa_handler;
  }
  return handlers;
}

}  // namespace

TEST_CASE("Both streams and the exit code come back") {
  const ProcessResult said = run(child({"say"}));
  CHECK(said.output == "to output");
  CHECK(said.errors == "to errors");
  CHECK(said.exit.code == 0);
  CHECK_FALSE(said.truncated);
  CHECK(run(child({"exit", "7"})).exit.code == 7);
  CHECK(run(child({"crash"})).exit.signal == SIGSEGV);
}

TEST_CASE("Arguments, variables and folder arrive through the runner") {
  const ScratchFolder folder;
  ProcessRequest request = child({"arguments", "a b", "\"'\n", "t\xc3\xa4st"});
  CHECK(split_at_zeros(run(request).output) == std::vector<std::string>{"a b", "\"'\n", "t\xc3\xa4st"});
  request = child({"environment"});
  request.environment = {"A=b c"};
  CHECK(run(request).output == std::string("A=b c\0", 6));
  // What programs inherit: nohup has SIGHUP ignored, a shell the others of what it runs in the background.
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT}) ::signal(signal, SIG_DFL);
  request = child({"describe"});
  request.working_folder = std::filesystem::canonical(folder.path());
  const std::string description = "descriptors 0 1 2\ninput 0\nleads 1\nfolder " + request.working_folder + "\n";
  // What other code of this process has open goes to no program.
  const OwnedDescriptor low(::open("/dev/null", O_RDONLY));
  const OwnedDescriptor high(::fcntl(low.get(), F_DUPFD, 100));
  CHECK(run(request).output == description);
  CHECK(in_child([&] {
          const OwnedDescriptor third(::open("/dev/null", O_RDONLY));
          return refuse(SYS_close_range) && run(request).output == description ? 0 : 1;
        }) == 0);
}

TEST_CASE("A program may flood both streams") {
  const ProcessResult result = run(child({"flood", "4"}));
  CHECK(result.exit.code == 7);
  CHECK(result.output.size() == 4 << 20);
  CHECK(result.errors.size() == 4 << 20);
  CHECK_FALSE(result.truncated);
}

TEST_CASE("What is beyond the limit costs no memory") {
  ProcessRequest request = child({"flood", "100"});
  request.max_output = 1000;
  const std::size_t before = peak_memory();
  const ProcessResult result = run(request);
  CHECK(result.exit.code == 7);
  CHECK(result.output == std::string(1000, 'x'));
  CHECK(result.errors.size() == 1000);
  CHECK(result.truncated);
  CHECK(peak_memory() < before + (std::size_t{32} << 20));
  request = child({"say"});
  request.max_output = 9;
  CHECK(run(request).output == "to output");
  CHECK_FALSE(run(request).truncated);
}

TEST_CASE("What does not start is an error, and leaves nothing") {
  const ScratchFolder folder;
  const std::vector<int> before = open_descriptors();
  const std::string text_file = folder.write("text", "no program");
  CHECK_THROWS_AS(run({{folder / "missing"}, {}}), Error);
  CHECK_THROWS_AS(run({{folder.path()}, {}}), Error);
  CHECK_THROWS_AS(run({{text_file}, {}}), Error);
  CHECK_THROWS_AS(run(ProcessRequest{}), Error);
  std::filesystem::permissions(text_file, std::filesystem::perms::owner_all);
  CHECK_THROWS_AS(run({{text_file}, {}}), Error);  // no shell is tried
  ProcessRequest lost = child({"say"});
  lost.working_folder = folder / "missing";
  CHECK_THROWS_AS(run(lost), Error);
  ProcessRequest cut_off = child({"say", std::string("a\0b", 3)});
  CHECK_THROWS_AS(run(cut_off), Error);
  CHECK_FALSE(has_children());
  CHECK(open_descriptors() == before);
}

TEST_CASE("Where a program does not start, nothing of this process runs in its child") {
  const ScratchFolder folder;
  const std::string mark = folder / "mark";
  CHECK(in_child([&] {
          static const char* const path = mark.c_str();
          std::atexit([] { ::close(::creat(path, 0600)); });
          try {
            run({{folder / "missing"}, {}});
          } catch (const Error& error) {
            return std::string(error.what()).find("No such file or directory") != std::string::npos ? 0 : 1;
          }
          return 2;
        }) == 0);
  CHECK_FALSE(std::filesystem::exists(mark));
}

TEST_CASE("Where the limit of processes is reached, the error says so") {
  CHECK(in_child([] {
          constexpr uid_t nobody = 65534;  // limits are not for root
          const rlimit none = {0, 0};
          if (setrlimit(RLIMIT_NPROC, &none) != 0 || (geteuid() == 0 && setuid(nobody) != 0)) return 1;
          try {
            run({{"/bin/sh", "-c", "exit"}, {}});
          } catch (const Error& error) {
            return std::string(error.what()).find(std::strerror(EAGAIN)) != std::string::npos ? 0 : 2;
          }
          return 3;
        }) == 0);
}

TEST_CASE("A process without free descriptors gets an error, and gets along once it has some") {
  CHECK(in_child([] {
          const std::vector<int> before = open_descriptors();
          rlimit many = {};
          if (getrlimit(RLIMIT_NOFILE, &many) != 0) return 7;
          int errors = 0;
          // At some of these limits the pipes can be made and something behind them cannot.
          for (rlim_t limit = 0; limit <= static_cast<rlim_t>(before.back()) + 16; ++limit) {
            const rlimit few{limit, many.rlim_max};
            if (setrlimit(RLIMIT_NOFILE, &few) != 0) return 1;
            try {
              if (run(child({"exit", "7"})).exit.code != 7) return 2;
            } catch (const Error& error) {
              if (std::string(error.what()).find("Too many open files") == std::string::npos) return 3;
              ++errors;
            }
            if (setrlimit(RLIMIT_NOFILE, &many) != 0) return 4;
            if (has_children() || open_descriptors() != before) return 5;
          }
          return errors >= 4 && run(child({"exit", "7"})).exit.code == 7 ? 0 : 6;
        }) == 0);
}

TEST_CASE("Children that hold the streams of a program that ended are ended") {
  for (const char* kind : {"leave_child", "leave_stubborn_child"}) {
    CAPTURE(kind);
    const ProcessResult result = run(child({kind}));
    CHECK(result.exit.code == 3);
    CHECK(is_gone(result.output));
  }
}

TEST_CASE("Those that left the group are let go") {
  const ProcessResult result = run(child({"leave_free_child"}));
  CHECK(result.exit.code == 3);
  const int pid = std::stoi(result.output);
  CHECK(kill(pid, 0) == 0);
  kill(pid, SIGKILL);
}

TEST_CASE("Where the kernel does not report the end of a child it is found") {
  CHECK(in_child([] {
          if (!refuse(SYS_pidfd_open)) return 1;
          if (syscall(SYS_pidfd_open, getpid(), 0) >= 0 || errno != EPERM) return 2;
          if (run(child({"flood", "2"})).exit.code != 7) return 3;
          if (run(child({"leave_child"})).exit.code != 3) return 4;
          if (run(child({"crash"})).exit.signal != SIGSEGV) return 5;
          return has_children() ? 6 : 0;
        }) == 0);
}

TEST_CASE("Children that hold no stream are left alone, and have no lock of this process") {
  const ScratchFolder folder;
  FileLock lock(FileSystem::real());
  REQUIRE(lock.open(folder / "lock") == 0);
  REQUIRE(lock.try_lock(0) == 0);
  REQUIRE(fcntl(lock.descriptor(), F_SETFD, 0) == 0);
  const ProcessResult result = run(child({"leave_silent_child"}));
  lock.close();
  FileLock other(FileSystem::real());
  CHECK(other.open(folder / "lock") == 0);
  CHECK(other.try_lock(0) == 0);
  CHECK(kill(std::stoi(result.output), SIGKILL) == 0);
}

TEST_CASE("Two hundred programs leave neither zombie, descriptor nor handler") {
  const std::vector<int> descriptors = open_descriptors();
  const auto handlers = signal_handlers();
  for (int i = 0; i < 200; ++i) {
    try {
      run(i % 4 == 0 ? ProcessRequest{{"/no/such/program"}, {}} : child({"say"}));
    } catch (const Error&) {
      CHECK(i % 4 == 0);
    }
  }
  CHECK_FALSE(has_children());
  CHECK(open_descriptors() == descriptors);
  CHECK(signal_handlers() == handlers);
}

TEST_CASE("A program ends with a process that is killed while it waits for it") {
  const ScratchFolder folder;
  const std::filesystem::path report = folder / "report";
  REQUIRE(in_child([&] {
            std::thread killer([&] {
              while (!std::filesystem::exists(report)) std::this_thread::yield();
              ::kill(::getpid(), SIGKILL);
            });
            run(child({"leave_child_report_and_hang", report.string()}));
            return 1;
          }) == 128 + SIGKILL);
  std::ifstream file(report);
  std::string program;
  std::string its_child;
  file >> program >> its_child;
  REQUIRE_FALSE(its_child.empty());
  CHECK(is_gone(program));
  kill(std::stoi(its_child), SIGKILL);  // a worker's monitor finds it
}

TEST_CASE("A program's silent children go on where this process goes on") {
  const ProcessResult result = run(child({"leave_silent_child"}));
  std::ifstream file("/proc/" + result.output + "/stat");
  std::string state;
  std::getline(file, state);
  REQUIRE(state.find(')') != std::string::npos);
  CHECK(state.at(state.rfind(')') + 2) != 'Z');
  kill(std::stoi(result.output), SIGKILL);
}

}  // namespace process_runner_test
