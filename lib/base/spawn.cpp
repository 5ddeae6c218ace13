#include "base/spawn.hpp"

#include "base/owned_descriptor.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <system_error>

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// glibc's clone() under the name by which no sanitizer takes it for a fork.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the C library's name
extern "C" int __clone(int (*function)(void*), void* stack, int flags, void* argument, ...);

namespace kiln {
namespace {

constexpr int first_free = 3;  // after the standard descriptors

/// `what` is what failed, where that is not the program.
[[noreturn]] void throw_not_started(const SpawnRequest& request, int error, const std::string& what = {}) {
  const std::string& program = request.arguments.front();
  const std::string file = request.program.empty() ? "" : " (" + request.program + ")";
  std::string text = "cannot start " + program + file + ": " + what + std::generic_category().message(error);
  std::error_code ignored;
  const bool is_of_program = what.empty();
  if (is_of_program && std::filesystem::is_directory(request.program.empty() ? program : request.program, ignored))
    text += " (it is a folder)";
  throw NotStarted(text, error);
}

/// A descriptor after the places that are given: what is to become descriptor 1 must not be closed when descriptor 0
/// is made. Where the host has its own 0, 1 or 2 closed, a pipe's end may have such a number.
class FreeDescriptor {
 public:
  FreeDescriptor(int descriptor, int first) : descriptor_(descriptor) {
    if (descriptor < 0 || descriptor >= first) return;
    copy_ = OwnedDescriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, first));
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

  void set(int target, const FreeDescriptor& source) {
    note(source.error());
    note(::posix_spawn_file_actions_adddup2(&actions_, source.get(), target));
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

/// libc's own, not that of a preloaded library. Those of compute-sanitizer and ncu report each call to the tool, which
/// crashes where the call is of a process that it does not know, as the one here is that shares this one's memory.
decltype(&::posix_spawn) libc_posix_spawn() {
  void* const libc = ::dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (libc == nullptr) return &::posix_spawn;
  void* const found = ::dlsym(libc, "posix_spawn");
  ::dlclose(libc);
  return found == nullptr ? &::posix_spawn : reinterpret_cast<decltype(&::posix_spawn)>(found);
}

constexpr const char* null_device = "/dev/null";

/// What stands for descriptors that are left out. Opened here rather than by posix_spawn, which would not say
/// that it was this file that could not be.
class NullDevice {
 public:
  explicit NullDevice(const SpawnRequest& request) {
    const auto is_given = [](int descriptor) { return descriptor >= 0; };
    if (is_given(request.input) && is_given(request.output) && is_given(request.errors) &&
        std::all_of(request.further.begin(), request.further.end(), is_given))
      return;
    descriptor_ = OwnedDescriptor(::open(null_device, O_RDWR | O_CLOEXEC));
    if (descriptor_.get() < 0) throw_not_started(request, errno, std::string("cannot open ") + null_device + ": ");
  }

  int instead_of(int descriptor) const noexcept { return descriptor >= 0 ? descriptor : descriptor_.get(); }

 private:
  OwnedDescriptor descriptor_;
};

/// All that posix_spawn needs, made before it runs: then it may run where nothing else may be done.
class Start {
 public:
  explicit Start(const SpawnRequest& request)
      : request_(request),
        end_(first_free + static_cast<int>(request.further.size())),
        nothing_(request),
        input_(nothing_.instead_of(request.input), end_),
        output_(nothing_.instead_of(request.output), end_),
        errors_(nothing_.instead_of(request.errors), end_) {
    actions_.set(STDIN_FILENO, input_);
    actions_.set(STDOUT_FILENO, output_);
    actions_.set(STDERR_FILENO, errors_);
    set_further();
    if (actions_.error() != 0) throw_not_started(request, actions_.error());
    arguments_ = pointers(request.arguments);
  }

  /// 0, or an errno. Allocates nothing, locks nothing.
  int run(pid_t& child) {
    const char* const program = request_.program.empty() ? arguments_.front() : request_.program.c_str();
    return posix_spawn_(&child, program, actions_.get(), attributes_.get(), arguments_.data(), environ);
  }

 private:
  void set_further() {
    for (const int descriptor : request_.further) further_.emplace_back(nothing_.instead_of(descriptor), end_);
    int place = first_free;
    for (const FreeDescriptor& descriptor : further_) actions_.set(place++, descriptor);
    actions_.close_from(end_);
  }

  const SpawnRequest& request_;
  int end_;
  NullDevice nothing_;
  FreeDescriptor input_;
  FreeDescriptor output_;
  FreeDescriptor errors_;
  std::vector<FreeDescriptor> further_;
  Actions actions_;
  Attributes attributes_;
  std::vector<char*> arguments_;
  decltype(&::posix_spawn) posix_spawn_ = libc_posix_spawn();
};

struct Orphan {
  Start& start;
  pid_t process = -1;
  int error = 0;
};

int start_and_end(void* orphan) {
  auto& made = *static_cast<Orphan*>(orphan);
  made.error = made.start.run(made.process);
  return 0;  // not by _exit, so that a sanitizer counts as many returns as calls
}

/// Keeps every signal from the calling thread, those of glibc's own too: a handler would run in two processes that
/// share their memory.
class NoSignals {
 public:
  NoSignals() {
    const std::uint64_t all = ~std::uint64_t{0};
    ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &former_, sizeof all);
  }
  ~NoSignals() { ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &former_, nullptr, sizeof former_); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  std::uint64_t former_ = 0;
};

/// Runs `start` in a process that ends at once and shares this one's memory, as after vfork. It sends no signal at its
/// end, which makes it a "clone child" (waitpid(2)): no wait sees it that does not ask for such.
int run_in_clone(Orphan& made) {
  constexpr std::size_t size = std::size_t{64} << 10;
  const auto stack = std::make_unique<char[]>(size);
  const NoSignals none;
  const pid_t between = ::__clone(start_and_end, stack.get() + size, CLONE_VM | CLONE_VFORK, &made);
  if (between < 0) return errno;
  while (::waitpid(between, nullptr, static_cast<int>(__WCLONE)) < 0 && errno == EINTR) {
  }
  return made.error;
}

}  // namespace

pid_t spawn_orphan(const SpawnRequest& request) {
  Start start(request);
  Orphan made{start};
  if (const int error = run_in_clone(made)) throw_not_started(request, error);
  return made.process;
}

ExitStatus exit_status(int waited) {
  if (WIFSIGNALED(waited)) return {0, WTERMSIG(waited)};
  return {WEXITSTATUS(waited), 0};
}

std::string signal_text(int signal) {
  const char* name = ::sigabbrev_np(signal);
  const std::string reason = signal == SIGKILL ? ": for lack of memory, or by hand" : "";
  return "signal " + std::to_string(signal) + (name == nullptr ? "" : " (SIG" + (name + reason) + ")");
}

}  // namespace kiln
