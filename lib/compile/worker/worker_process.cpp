#include "compile/worker/worker_process.hpp"

#include "base/fork_safe_mutex.hpp"
#include "base/log.hpp"
#include "base/spawn.hpp"
#include "base/temporary_folder.hpp"
#include "compile/worker/worker_end.hpp"
#include "compile/worker/worker_program.hpp"
#include "compile/worker/worker_ranges.hpp"
#include "compile/worker/worker_start.hpp"

#include <kiln/error.hpp>

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace kiln {

namespace {

std::string text_of(const ExitStatus& status) {
  if (status.signal == 0) return "ended with exit status " + std::to_string(status.code);
  return "was ended by " + signal_text(status.signal);
}

/// A worker that cannot be ended, such as one in a system call of a dead file system, is left to its monitor.
constexpr int terminate_timeout = 5000;  // milliseconds

[[noreturn]] void throw_not_started(const std::string& program, int error) {
  throw Error("cannot start " + program + ": " + std::generic_category().message(error));
}

/// The two ends of a connection.
struct Connection {
  explicit Connection(const std::string& program) {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw_not_started(program, errno);
    own = OwnedDescriptor(ends[0]);
    others = OwnedDescriptor(ends[1]);
  }
  OwnedDescriptor own;
  OwnedDescriptor others;
};

/// Readable when the process has ended; nothing where the system has no such thing.
OwnedDescriptor process_descriptor([[maybe_unused]] pid_t process) {
#ifdef SYS_pidfd_open
  return OwnedDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
#else
  return OwnedDescriptor();
#endif
}

/// Whether this process is the parent of what it starts as an orphan, as process 1 of a container is.
bool adopts_orphans() {
  int is_reaper = 0;
  return ::getpid() == 1 || (::prctl(PR_GET_CHILD_SUBREAPER, &is_reaper) == 0 && is_reaper != 0);
}

/// By its descriptor: another process may have the number by now.
void reap(int process) {
  constexpr auto by_descriptor = static_cast<idtype_t>(3);  // P_PIDFD, which older headers do not have
  pollfd ended = {process, POLLIN, 0};
  siginfo_t info;
  if (::poll(&ended, 1, terminate_timeout) == 1)
    ::waitid(by_descriptor, static_cast<id_t>(process), &info, WEXITED | WNOHANG);
}

void log_line_of_worker(const std::string& bytes) {
  if (bytes.empty()) return;
  const auto level = static_cast<LogLevel>(bytes.front());
  if (level >= LogLevel::debug && level < LogLevel::off) log_message(level, bytes.substr(1));
}

/// What ends a message in its middle.
struct Stopped {};
/// Likewise: the program has closed the socket, whose number may be another file's by now.
struct Closed {};

}  // namespace

WorkerProcess::WorkerProcess(const std::string& program, std::chrono::milliseconds idle)
    : program_(program), surroundings_(surroundings()), generation_(fork_generation()) {
  Connection channel(program);
  Connection control(program);
  const OwnedDescriptor host = process_descriptor(::getpid());
  errors_ = OwnedDescriptor(::memfd_create("kiln-worker-errors", MFD_CLOEXEC));  // without one it has the null device
  SpawnRequest request;
  request.arguments = {std::to_string(::getpid()), std::to_string(idle.count())};
  request.input = channel.others.get();
  request.errors = errors_.get();
  request.further = {control.others.get(), host.get()};
  const StartedWorker started = start_worker(program, std::move(request));
  origin_ = started.origin;
  if (adopts_orphans()) adopted_ = process_descriptor(started.process);
  channel_ = std::move(channel.own);
  control_ = std::move(control.own);
}

WorkerProcess::~WorkerProcess() { end(); }

WorkerProcess::Surroundings WorkerProcess::surroundings() {
  Surroundings now;
  struct stat status = {};
  if (::stat(".", &status) == 0) {
    now.device = status.st_dev;
    now.inode = status.st_ino;
  }
  now.user = ::geteuid();
  now.group = ::getegid();
  now.temporary_files = temporary_files();
  return now;
}

bool WorkerProcess::can_serve(const std::string& program) const {
  if (generation_ != fork_generation() || program != program_ || surroundings() != surroundings_) return false;
  if (!channel_.is_own() || !control_.is_own()) return false;
  // It has nothing to say, but for its hello.
  pollfd channel = {channel_.get(), static_cast<short>(is_greeted_ ? POLLIN | POLLRDHUP : POLLRDHUP), 0};
  return ::poll(&channel, 1, 0) == 0;
}

WorkerProcess::Start WorkerProcess::wait_for_hello(const Stop& stop, std::chrono::milliseconds timeout) {
  Stop either = stop;
  const Stop::Clock::time_point latest = Stop::Clock::now() + timeout;
  either.deadline = std::min(latest, stop.deadline.value_or(latest));
  const StopWait wait(either);
  try {
    const bool is_ready = is_greeted_ || greet([&](short events) {
                            if (!wait.wait(channel_.get(), events)) throw Stopped{};
                            require_channel();
                          });
    return is_ready ? Start::ready : Start::failed;
  } catch (const Closed&) {
    return Start::failed;
  } catch (const Stopped&) {
    return stop.is_due() ? Start::stopped : Start::silent;
  }
}

std::string WorkerProcess::why_no_hello(Start start) {
  const Death death = end();
  if (start == Start::silent) return "is no kiln-worker, or is stopped: it does not answer";
  return death.how + (death.error_output.empty() ? "" : ". It said:\n" + death.error_output);
}

WorkerProcess::Outcome WorkerProcess::run(std::string_view job, const StopWait& stop, std::string& answer) {
  const auto wait = [&](short events) {
    if (!stop.wait(channel_.get(), events)) throw Stopped{};
    require_channel();
  };
  kept_folder_.clear();
  WorkerRanges ranges;
  try {
    if (!is_greeted_ && !greet(wait)) return Outcome::lost;
    if (!send_message(channel_.get(), Message::Type::job, job, wait)) return Outcome::lost;
    for (;;) {
      require_channel();
      auto received = receive_message(channel_.get(), wait);
      if (!received) return Outcome::lost;
      if (received->type == Message::Type::log) {
        log_line_of_worker(received->bytes);
        continue;
      }
      if (received->type == Message::Type::range) {
        ranges.take(received->bytes);
        continue;
      }
      if (received->type == Message::Type::kept) {
        kept_folder_ = std::move(received->bytes);
        continue;
      }
      answer = received->type == Message::Type::answer ? std::move(received->bytes) : std::string();
      return Outcome::answered;
    }
  } catch (const Closed&) {
    return Outcome::lost;
  } catch (const Stopped&) {
    return Outcome::stopped;
  }
}

void WorkerProcess::require_channel() const {
  if (!channel_.is_own()) throw Closed{};
}

bool WorkerProcess::greet(const ChannelWait& wait) {
  require_channel();
  if (!send_message(channel_.get(), Message::Type::hello, worker_build(), wait)) return false;
  const auto hello = receive_message(channel_.get(), wait);
  return is_greeted_ = hello && hello->type == Message::Type::hello && hello->bytes == worker_build();
}

void WorkerProcess::kill() const {
  if (generation_ == fork_generation() && control_.is_own()) ::shutdown(control_.get(), SHUT_WR);
}

WorkerProcess::Death WorkerProcess::end() {
  if (control_.get() < 0 || generation_ != fork_generation()) return {};
  kill();
  Death death{how_it_ended(), error_output()};
  channel_.close();
  control_.close();
  if (adopted_.is_own()) reap(adopted_.get());
  return death;
}

/// Waits for the monitor's report, which it makes when all else has been done.
std::string WorkerProcess::how_it_ended() const {
  if (!control_.is_own()) return "lost its connection: the program closed descriptors that are not its own";
  struct Silence {};
  const auto wait = [this](short events) {
    pollfd control = {control_.get(), events, 0};
    if (::poll(&control, 1, terminate_timeout) == 0) throw Silence{};
  };
  std::optional<ExitStatus> status;
  try {
    if (const auto message = receive_message(control_.get(), wait)) status = decode_end(message->bytes);
  } catch (const Silence&) {
  }
  return status ? text_of(*status) : "ended (how is not known: the process that watched it ended too)";
}

std::string WorkerProcess::error_output() const {
  constexpr off_t most = 2000;
  struct stat status = {};
  if (!errors_.is_own() || ::fstat(errors_.get(), &status) != 0) return {};
  std::string words(static_cast<std::size_t>(std::min(most, status.st_size)), '\0');
  const auto size = ::pread(errors_.get(), words.data(), words.size(), std::max<off_t>(0, status.st_size - most));
  words.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  while (!words.empty() && words.back() == '\n') words.pop_back();
  return words;
}

}  // namespace kiln
