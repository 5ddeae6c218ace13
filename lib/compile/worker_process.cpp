#include "compile/worker_process.hpp"

#include "base/fork_safe_mutex.hpp"
#include "base/log.hpp"
#include "base/spawn.hpp"
#include "compile/worker_channel.hpp"

#include <kiln/error.hpp>

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace kiln {

namespace {

std::string text_of(const ExitStatus& status) {
  if (status.unknown) return "ended (how is not known: this program reaps its children itself)";
  if (status.signal == 0) return "ended with exit status " + std::to_string(status.code);
  return "was ended by " + signal_text(status.signal);
}

std::vector<std::string> environment_with(const std::string& name, const std::string& value) {
  std::vector<std::string> variables;
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable)
    if (std::string_view(*variable).substr(0, name.size() + 1) != name + "=") variables.emplace_back(*variable);
  variables.push_back(name + "=" + value);
  return variables;
}

void log_line_of_worker(const std::string& bytes) {
  if (bytes.empty()) return;
  const auto level = static_cast<LogLevel>(bytes.front());
  if (level >= LogLevel::debug && level < LogLevel::off) log_message(level, bytes.substr(1));
}

/// What ends a message in its middle.
struct Stopped {};

}  // namespace

WorkerProcess::WorkerProcess(const std::string& program)
    : program_(program), folder_(working_folder()), generation_(fork_generation()) {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error("cannot start " + program + ": " + std::generic_category().message(errno));
  channel_ = OwnedDescriptor(ends[0]);
  const OwnedDescriptor child_end(ends[1]);
  errors_ = OwnedDescriptor(::memfd_create("kiln-worker-errors", MFD_CLOEXEC));  // without one it has the null device
  SpawnRequest request;
  request.arguments = {program, std::to_string(::getpid())};
  request.input = child_end.get();
  request.errors = errors_.get();
  if (folder_of_own_.error() == 0) request.environment = environment_with("TMPDIR", folder_of_own_.path());
  process_ = spawn(request);
}

WorkerProcess::~WorkerProcess() { end(); }

WorkerProcess::Folder WorkerProcess::working_folder() {
  struct stat status = {};
  if (::stat(".", &status) != 0) return {};
  return {status.st_dev, status.st_ino};
}

bool WorkerProcess::can_serve(const std::string& program) const {
  const Folder here = working_folder();
  if (generation_ != fork_generation() || program != program_) return false;
  if (here.device != folder_.device || here.inode != folder_.inode) return false;
  pollfd channel = {channel_.get(), POLLIN | POLLRDHUP, 0};
  return ::poll(&channel, 1, 0) == 0;  // it has nothing to say
}

WorkerProcess::Outcome WorkerProcess::ask(std::string_view job, const StopWait& stop, std::string& answer) const {
  const auto wait = [&](short events) {
    if (!stop.wait(channel_.get(), events)) throw Stopped{};
  };
  try {
    if (!send_message(channel_.get(), Message::Type::job, job, wait)) return Outcome::lost;
    for (;;) {
      auto received = receive_message(channel_.get(), wait);
      if (!received) return Outcome::lost;
      if (received->type == Message::Type::log) {
        log_line_of_worker(received->bytes);
        continue;
      }
      answer = received->type == Message::Type::answer ? std::move(received->bytes) : std::string();
      return Outcome::answered;
    }
  } catch (const Stopped&) {
    return Outcome::stopped;
  }
}

void WorkerProcess::kill() const {
  // One that has ended already keeps its status. It leads a group of its own, which ends with it.
  if (process_ >= 0 && generation_ == fork_generation()) ::kill(-process_, SIGKILL);
}

WorkerProcess::Death WorkerProcess::end() {
  if (process_ < 0 || generation_ != fork_generation()) return {};
  kill();
  const ExitStatus status = wait_for(process_);
  process_ = -1;
  return {text_of(status), last_words()};
}

std::string WorkerProcess::last_words() const {
  constexpr off_t most = 2000;
  struct stat status = {};
  if (errors_.get() < 0 || ::fstat(errors_.get(), &status) != 0) return {};
  std::string words(static_cast<std::size_t>(std::min(most, status.st_size)), '\0');
  const auto size = ::pread(errors_.get(), words.data(), words.size(), std::max<off_t>(0, status.st_size - most));
  words.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  while (!words.empty() && words.back() == '\n') words.pop_back();
  return words;
}

}  // namespace kiln
