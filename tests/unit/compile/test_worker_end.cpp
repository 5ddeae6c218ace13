// How workers live beside a host, and how they end: nobody's children, and gone with all that they started.
#include "fake_worker.hpp"
#include "in_child.hpp"
#include "job_in_worker.hpp"
#include "scratch_folder.hpp"

#include <kiln/cancel.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace worker_end_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const char* const simple = "extern \"C\" __global__ void k(float* a) { a[0] = 1; }";

bool compiles() { return compiles_there(job(simple)); }

std::string failure() {
  try {
    compile_there(job(simple));
  } catch (const CompileError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A process that compiles without end, to be killed.
class Host {
 public:
  Host() {
    process_ = ::fork();
    if (process_ != 0) return;
    std::thread([] { compile_there(job(simple)); }).detach();
    for (;;) ::pause();
  }
  ~Host() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

 private:
  pid_t process_;
};

/// Waits until nothing of a worker is left there: its monitor removes its folder after the compiler's end.
bool becomes_empty(const CleanTemporaryFolder& folder) {
  for (int i = 0; i < 1000 && !folder.is_empty(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return folder.is_empty();
}

/// Those that serve this process.
std::vector<pid_t> monitors_of(pid_t host) {
  std::vector<pid_t> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    const std::string line((std::istreambuf_iterator<char>(file)), {});
    if (contains(line, "fake_worker" + std::string(1, '\0') + std::to_string(host) + std::string(1, '\0')))
      all.push_back(std::stoi(entry.path().filename()));
  }
  return all;
}

}  // namespace

TEST_CASE("a worker is no child of its host: wait has none to wait for, and SIGCHLD is not raised") {
  CHECK(in_child([] {
          static volatile std::sig_atomic_t ends = 0;
          ::signal(SIGCHLD, [](int) { ends = ends + 1; });
          const FakeWorker fake("compile");
          if (!compiles()) return 1;
          // The worker is idle now, and lives.
          if (::wait(nullptr) != -1 || errno != ECHILD) return 2;
          if (fake.started().size() != 1 || ::kill(fake.started().front(), 0) != 0) return 3;
          WorkerPool::get().clear();
          return ends == 0 ? 0 : 4;
        }) == 0);
}

TEST_CASE("a host that lets the system reap its children learns all the same how a worker ended") {
  CHECK(in_child([] {
          ::signal(SIGCHLD, SIG_IGN);
          {
            const FakeWorker fake("compile");
            if (!compiles()) return 1;
          }
          const FakeWorker fake("crash");
          return contains(failure(), "SIGABRT") ? 0 : 2;
        }) == 0);
}

TEST_CASE("a host that adopts orphans reaps its workers") {
  CHECK(in_child([] {
          if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return 1;
          const FakeWorker fake("compile");
          if (!compiles()) return 2;
          if (::waitpid(-1, nullptr, WNOHANG) != 0) return 3;  // it is there, and runs
          WorkerPool::get().clear();
          return has_no_child() ? 0 : 4;
        }) == 0);
}

TEST_CASE("a host without standard descriptors has workers") {
  CHECK(in_child([] {
          const FakeWorker fake("compile");
          ::close(0), ::close(1), ::close(2);
          return compiles() && fake.started().size() == 1 ? 0 : 1;
        }) == 0);
}

TEST_CASE("a host with one processor has workers") {
  CHECK(in_child([] {
          cpu_set_t set;
          if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
          int first = 0;
          while (!CPU_ISSET(first, &set)) ++first;
          CPU_ZERO(&set);
          CPU_SET(first, &set);
          if (::sched_setaffinity(0, sizeof set, &set) != 0) return 2;
          const FakeWorker fake("compile");
          return compiles() && fake.started().size() == 1 ? 0 : 3;
        }) == 0);
}

TEST_CASE("a compiler that is killed is reported as killed") {
  FakeWorker fake("hang");
  fake.announce();
  std::string text;
  std::thread compiling([&] { text = failure(); });
  for (int i = 0; i < 2; ++i) ::kill(fake.wait_for_start(), SIGKILL);
  compiling.join();
  CHECK(contains(text, "was ended by signal 9 (SIGKILL"));
}

TEST_CASE("a worker whose monitor is killed ends, and how is not known") {
  FakeWorker fake("hang");
  fake.announce();
  const CleanTemporaryFolder temporary;  // in which the folder is left
  std::string text;
  std::thread compiling([&] { text = failure(); });
  for (int i = 0; i < 2; ++i) {
    const pid_t compiler = fake.wait_for_start();
    for (const pid_t one : monitors_of(::getpid()))
      if (one != compiler) ::kill(one, SIGKILL);
    CHECK(ends(compiler));
  }
  compiling.join();
  CHECK(contains(text, "how is not known"));
}

TEST_CASE("a host that is killed leaves no process and no file, whatever the compiler started") {
  FakeWorker fake("children");
  fake.announce();
  const CleanTemporaryFolder temporary;
  std::vector<pid_t> processes;
  {
    const Host host;
    for (int i = 0; i < 4; ++i) processes.push_back(fake.wait_for_start());
    CHECK_FALSE(temporary.is_empty());
  }
  for (const pid_t process : processes) CHECK(ends(process));
  CHECK(becomes_empty(temporary));
}

TEST_CASE("calling off ends all that a compiler has started") {
  FakeWorker fake("children");
  fake.announce();
  const CleanTemporaryFolder temporary;
  CompilerJob made = job(simple);
  CancelSource source;
  made.stop.cancel = source.token();
  std::thread compiling([&] { CHECK_THROWS_AS(compile_there(made), CompileStopped); });
  std::vector<pid_t> processes;
  for (int i = 0; i < 4; ++i) processes.push_back(fake.wait_for_start());
  source.cancel();
  compiling.join();
  for (const pid_t process : processes) CHECK(ends(process));
  CHECK(temporary.is_empty());
}

TEST_CASE("a worker without a job ends by itself, and leaves nothing") {
  const FakeWorker fake("compile");
  const CleanTemporaryFolder temporary;
  WorkerProcess worker(KILN_FAKE_WORKER_PROGRAM, std::chrono::milliseconds(50));
  for (int i = 0; i < 1000 && worker.can_serve(KILN_FAKE_WORKER_PROGRAM); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK_FALSE(worker.can_serve(KILN_FAKE_WORKER_PROGRAM));
  CHECK(contains(worker.end().how, "ended with exit status"));  // it was not killed
  CHECK(temporary.is_empty());
}

TEST_CASE("a worker holds no stream of its host's") {
  const FakeWorker fake("compile");
  int ends_of_pipe[2];
  REQUIRE(::pipe(ends_of_pipe) == 0);
  const pid_t host = ::fork();
  if (host == 0) {
    for (const int stream : {0, 1, 2}) ::dup2(ends_of_pipe[1], stream);
    ::close(ends_of_pipe[1]);
    if (!compiles()) ::_exit(1);
    // Stopped, not ended: the worker lives on.
    for (const pid_t one : monitors_of(::getpid())) ::kill(one, SIGSTOP);
    ::_exit(0);
  }
  ::close(ends_of_pipe[1]);
  char byte = 0;
  ssize_t size;
  do size = ::read(ends_of_pipe[0], &byte, 1);  // a sanitizer may flush what the parent had written
  while (size == 1);
  CHECK(size == 0);
  ::close(ends_of_pipe[0]);
  int status = 0;
  CHECK(::waitpid(host, &status, 0) == host);
  CHECK(status == 0);
  for (const pid_t one : monitors_of(host)) ::kill(one, SIGCONT);
}

TEST_CASE("a host that closes all descriptors, and opens its own, keeps these, and has new workers") {
  const FakeWorker fake("compile");
  const ScratchFolder folder;
  folder.write("log", "the host's own\n");
  CHECK(in_child([&] {
          if (!compiles()) return 1;
          constexpr int beyond = 256;
          for (int descriptor = 3; descriptor < beyond; ++descriptor) ::close(descriptor);
          for (int descriptor = 3; descriptor < beyond; ++descriptor)
            if (::open((folder / "log").c_str(), O_RDWR | O_APPEND) != descriptor) return 2;
          if (!compiles()) return 3;
          WorkerPool::get().clear();
          struct stat log = {};
          struct stat status = {};
          if (::stat((folder / "log").c_str(), &log) != 0) return 4;
          for (int descriptor = 3; descriptor < beyond; ++descriptor)
            if (::fstat(descriptor, &status) != 0 || status.st_ino != log.st_ino) return 5;
          return 0;
        }) == 0);
  CHECK(folder.read("log") == "the host's own\n");
  CHECK(fake.started().size() == 2);
}

TEST_CASE("no worker outlives its process, though it compiles, and though a child of fork holds the channel") {
  FakeWorker fake("compile");
  fake.announce();
  int fork_now[2];
  int forked[2];
  int leave[2];
  REQUIRE((::pipe(fork_now) == 0 && ::pipe(forked) == 0 && ::pipe(leave) == 0));
  char byte = 0;
  const pid_t child = ::fork();
  if (child == 0) {
    std::thread([] { compile_there(job(endless_source())); }).detach();
    if (::read(fork_now[0], &byte, 1) == 1 && ::fork() == 0) {
      ::close(leave[1]);
      if (::write(forked[1], "", 1) != 1) ::_exit(1);
      ::_exit(::read(leave[0], &byte, 1) == 0 ? 0 : 1);  // until the test closes its end
    }
    for (;;) ::pause();
  }
  const pid_t worker = fake.wait_for_start();
  REQUIRE(::write(fork_now[1], "", 1) == 1);
  REQUIRE(::read(forked[0], &byte, 1) == 1);
  ::kill(child, SIGKILL);
  CHECK(ends(worker));
  CHECK(::waitpid(child, nullptr, 0) == child);
  for (const int descriptor : {fork_now[0], fork_now[1], forked[0], forked[1], leave[0], leave[1]}) ::close(descriptor);
}

}  // namespace worker_end_test
