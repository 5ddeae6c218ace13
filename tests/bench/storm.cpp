// Processes that start cold on the same kernel, released together once they have their contexts: one may compile, and
// all together should take little longer than one alone. Usage: storm [processes] [rounds]
#include "measure.hpp"
#include "raw_driver.hpp"
#include "workloads.hpp"

#include <kiln/kiln.hpp>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kiln::bench;

namespace {

// What a process is started with, beside its standard input, which ends when it may begin.
constexpr int report_descriptor = 3;
constexpr int leave_descriptor = 4;  // ends when all are done: real ranks go on, and do not tear their contexts down
constexpr int report_timeout_ms = 120'000;

/// Sent twice by each process: when it is ready, and when it has its kernel.
struct Report {
  Clock::time_point done;  // the clock is one for all processes
  bool has_context = false;
  bool compiled = false;
  bool compiler_mapped = false;
};

void require(bool good, const char* what) {
  if (!good) std::fprintf(stderr, "storm: %s: %s\n", what, std::strerror(errno)), std::exit(1);
}

void wait_for_end(int descriptor) {
  char byte;
  while (::read(descriptor, &byte, 1) < 0 && errno == EINTR) {
  }
}

void send(const Report& report) {
  require(::write(report_descriptor, &report, sizeof report) == sizeof report, "a report");
}

void child() {
  Report report;
  report.has_context = make_context();
  send(report);
  wait_for_end(STDIN_FILENO);
  const std::string& source = workloads[2].source;
  if (report.has_context) {
    const kiln::SourceModule module(source);
    module.get_function("k4");
    report.compiled = !module.code().from_cache();
  } else {
    report.compiled = !kiln::compile(source, kiln::CompileOptions{}.with_arch("sm_90")).from_cache();
  }
  report.done = Clock::now();
  report.compiler_mapped = compiler_is_mapped();
  send(report);
  wait_for_end(leave_descriptor);
}

struct Pipe {
  Pipe() { require(::pipe2(ends, O_CLOEXEC) == 0, "pipe"); }
  ~Pipe() { close_end(0), close_end(1); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
  int ends[2];
};

pid_t start_child(const char* program, Pipe& go, Pipe& reports, Pipe& leave) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // First to where no other may lie in the way.
  constexpr int high = 100;
  posix_spawn_file_actions_adddup2(&actions, reports.ends[1], high);
  posix_spawn_file_actions_adddup2(&actions, leave.ends[0], high + 1);
  posix_spawn_file_actions_adddup2(&actions, go.ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, high, report_descriptor);
  posix_spawn_file_actions_adddup2(&actions, high + 1, leave_descriptor);
  posix_spawn_file_actions_addclose(&actions, high);
  posix_spawn_file_actions_addclose(&actions, high + 1);
  std::string name = program, mode = "--child";
  char* arguments[] = {name.data(), mode.data(), nullptr};
  pid_t pid = 0;
  errno = ::posix_spawn(&pid, "/proc/self/exe", &actions, nullptr, arguments, environ);
  require(errno == 0, "a process");
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

std::vector<Report> receive(int descriptor, std::size_t count) {
  std::vector<Report> reports(count);
  for (Report& report : reports) {
    pollfd waiting = {descriptor, POLLIN, 0};
    errno = ETIMEDOUT;
    require(::poll(&waiting, 1, report_timeout_ms) == 1, "a process that does not report");
    require(::read(descriptor, &report, sizeof report) == sizeof report, "a report");
  }
  return reports;
}

/// One release; times in milliseconds since then.
struct Release {
  double wall = 0;           // the last one's
  double compiler = 0;       // of the one that compiled
  double median_waiter = 0;  // of those that did not
  std::size_t compiled = 0, mapped = 0, with_context = 0;
  kiln::CacheStats stats;
};

Release summarise(const std::vector<Report>& reports, Clock::time_point start) {
  Release release;
  std::vector<double> waiters;
  for (const Report& report : reports) {
    const double time = std::chrono::duration<double, std::milli>(report.done - start).count();
    release.wall = std::max(release.wall, time);
    if (report.compiled) {
      ++release.compiled;
      release.compiler = time;
    } else {
      waiters.push_back(time);
    }
    release.mapped += report.compiler_mapped;
    release.with_context += report.has_context;
  }
  release.median_waiter = median(waiters);
  return release;
}

Release run(const char* program, std::size_t processes) {
  const ScratchFolder scratch;
  ::setenv("KILN_CACHE_DIR", (scratch.path() / "cache").c_str(), 1);
  Pipe go, reports, leave;
  std::vector<pid_t> children;
  for (std::size_t i = 0; i < processes; ++i) children.push_back(start_child(program, go, reports, leave));
  reports.close_end(1);
  receive(reports.ends[0], processes);
  const auto start = Clock::now();
  go.close_end(1);
  Release release = summarise(receive(reports.ends[0], processes), start);
  leave.close_end(1);
  for (const pid_t pid : children) {
    int status = 0;
    require(::waitpid(pid, &status, 0) == pid && status == 0, "a process that failed");
  }
  release.stats = kiln::Cache(scratch.path() / "cache").stats();
  return release;
}

bool compiled_once(const Release& release) {
  if (release.compiled == 1 && release.mapped == 0 && release.stats.compiles == 1) return true;
  std::printf("storm: FAILED: %zu processes compiled, %zu have NVRTC mapped, %llu compiles were counted\n",
              release.compiled, release.mapped, static_cast<unsigned long long>(release.stats.compiles));
  return false;
}

bool measure(const char* program, std::size_t processes, int rounds) {
  bool good = compiled_once(run(program, 1));  // the first one warms the file system
  std::vector<double> alone_times, walls, ratios, compiler_times, waiter_times, tails;
  Release storm;
  for (int round = 0; round < rounds; ++round) {
    // Each goes first in every other round.
    Release alone;
    if (round % 2 == 0) alone = run(program, 1);
    storm = run(program, processes);
    if (round % 2 != 0) alone = run(program, 1);
    good = compiled_once(alone) && compiled_once(storm) && good;
    alone_times.push_back(alone.wall);
    walls.push_back(storm.wall);
    ratios.push_back(storm.wall / alone.wall);
    compiler_times.push_back(storm.compiler);
    waiter_times.push_back(storm.median_waiter);
    tails.push_back(storm.wall - storm.compiler);
  }
  const auto count = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
  std::printf("%zu processes on %s, %zu with a context: wall %s ms, one cold start %s ms: %.3fx, by rounds %s\n",
              processes, workloads[2].name, storm.with_context, quartiles(walls).c_str(),
              quartiles(alone_times).c_str(), median(walls) / median(alone_times), quartiles(ratios).c_str());
  std::printf(
      "  the one that compiles: %.0f ms; half of the others: %.0f ms; the last one: %.0f ms after the compile\n",
      median(compiler_times), median(waiter_times), median(tails));
  std::printf("  in the last of %d rounds: %llu compile(s), %llu waits, %llu hits; compiler mapped in %zu\n", rounds,
              count(storm.stats.compiles), count(storm.stats.waits), count(storm.stats.hits), storm.mapped);
  return good;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 1 && std::string(argv[1]) == "--child") {
    child();
    return 0;
  }
  const int processes = argc > 1 ? std::atoi(argv[1]) : 64;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  return measure(argv[0], static_cast<std::size_t>(std::max(processes, 1)), std::max(rounds, 1)) ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "storm: %s\n", error.what());
  return 1;
}
