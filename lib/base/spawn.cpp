#include "base/spawn.hpp"

#include "base/owned_descriptor.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln {
namespace {

constexpr int first_free = 3;  // behind the standard descriptors
constexpr int lifeline_place = first_free;

[[noreturn]] void throw_not_started(const SpawnRequest& request, int error) {
  const std::string program = request.arguments.empty() ? "" : request.arguments.front();
  std::string text = "cannot start " + program + ": " + std::generic_category().message(error);
  std::error_code ignored;
  if (!request.working_folder.empty() && !std::filesystem::is_directory(request.working_folder, ignored)) {
    text += " (its working folder " + request.working_folder + " is no folder that can be entered)";
  } else if (std::filesystem::is_directory(program, ignored)) {
    text += " (it is a folder)";
  }
  throw Error(text);
}

/// A descriptor that is no standard one: what is to become descriptor 1 must not be closed when descriptor 0 is made.
/// Where the host has its own 0, 1 or 2 closed, a pipe's end may have such a number.
class FreeDescriptor {
 public:
  explicit FreeDescriptor(int descriptor) : descriptor_(descriptor) {
    if (descriptor < 0 || descriptor >= first_free) return;
    copy_ = OwnedDescriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, first_free));
    descriptor_ = copy_.get();
    if (descriptor_ < 0) error_ = errno;
  }

  int get() const noexcept { return descriptor_; }
  int error() const noexcept { return error_; }

 private:
  int descriptor_;
  OwnedDescriptor copy_;
  int error_ = 0;
};

class Actions {
 public:
  Actions() { ::posix_spawn_file_actions_init(&actions_); }
  ~Actions() { ::posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  void enter(const std::string& folder) { note(::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str())); }
  void set(int target, const FreeDescriptor& source) {
    if (source.get() < 0) {
      note(source.error());
      note(::posix_spawn_file_actions_addopen(&actions_, target, "/dev/null", O_RDWR, 0));
    } else {
      note(::posix_spawn_file_actions_adddup2(&actions_, source.get(), target));
    }
  }
  void close_from(int first) { note(::posix_spawn_file_actions_addclosefrom_np(&actions_, first)); }

  int error() const noexcept { return error_; }
  const posix_spawn_file_actions_t* get() const noexcept { return &actions_; }

 private:
  void note(int error) {
    if (error_ == 0) error_ = error;
  }

  posix_spawn_file_actions_t actions_;
  int error_ = 0;
};

/// A process group of its own, no blocked signal, and the default for every signal: what this process ignores, its
/// child would ignore too.
class Attributes {
 public:
  Attributes() {
    ::posix_spawnattr_init(&attributes_);
    sigset_t set;
    sigfillset(&set);
    ::posix_spawnattr_setsigdefault(&attributes_, &set);
    sigemptyset(&set);
    ::posix_spawnattr_setsigmask(&attributes_, &set);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  const posix_spawnattr_t* get() const noexcept { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

/// The strings as the kernel wants them; they are not written to.
std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (const std::string& string : strings) result.push_back(const_cast<char*>(string.c_str()));
  result.push_back(nullptr);
  return result;
}

bool has_zero(const std::vector<std::string>& strings) {
  return std::any_of(strings.begin(), strings.end(),
                     [](const std::string& string) { return string.find('\0') != std::string::npos; });
}

}  // namespace

pid_t spawn(const SpawnRequest& request) {
  if (request.arguments.empty()) throw Error("cannot start a program: no program is named");
  // Cut off at its zero, it would be another argument.
  if (has_zero(request.arguments) || (request.environment && has_zero(*request.environment)))
    throw Error("cannot start " + request.arguments.front() + ": an argument or variable holds a zero byte");

  const FreeDescriptor input(request.input);
  const FreeDescriptor output(request.output);
  const FreeDescriptor errors(request.errors);
  const FreeDescriptor lifeline(request.lifeline);
  Actions actions;
  if (!request.working_folder.empty()) actions.enter(request.working_folder);
  actions.set(STDIN_FILENO, input);
  actions.set(STDOUT_FILENO, output);
  actions.set(STDERR_FILENO, errors);
  if (request.lifeline >= 0) actions.set(lifeline_place, lifeline);
  actions.close_from(request.lifeline >= 0 ? lifeline_place + 1 : first_free);
  if (actions.error() != 0) throw_not_started(request, actions.error());

  const Attributes attributes;
  const std::vector<char*> arguments = pointers(request.arguments);
  std::vector<char*> variables;
  if (request.environment) variables = pointers(*request.environment);
  pid_t child = -1;
  const int error = ::posix_spawn(&child, arguments.front(), actions.get(), attributes.get(), arguments.data(),
                                  request.environment ? variables.data() : environ);
  if (error != 0) throw_not_started(request, error);
  return child;
}

std::string signal_text(int signal) {
  const char* name = ::sigabbrev_np(signal);
  const std::string reason = signal == SIGKILL ? ": for lack of memory, or by hand" : "";
  return "signal " + std::to_string(signal) + (name == nullptr ? "" : " (SIG" + (name + reason) + ")");
}

ExitStatus wait_for(pid_t child) {
  int status = 0;
  pid_t waited;
  do {
    waited = ::waitpid(child, &status, 0);
  } while (waited < 0 && errno == EINTR);
  ExitStatus result;
  if (waited != child) {
    result.unknown = true;
  } else if (WIFSIGNALED(status)) {
    result.signal = WTERMSIG(status);
  } else {
    result.code = WEXITSTATUS(status);
  }
  return result;
}

}  // namespace kiln
