#include "toolkit/libraries/nvrtc_use.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "base/shared_library.hpp"

#include <kiln/error.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace kiln {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds longest_wait{30};
constexpr std::chrono::seconds longest_end{2};
constexpr std::chrono::milliseconds poll_interval{1};

thread_local int depth = 0;  // uses by this thread

struct Users {
  ForkSafeMutex mutex;
  std::uint64_t generation = fork_generation();
  int count = 0;
  bool left_inside = false;  // a thread of the parent was in NVRTC at the fork, and is not here to leave it
  bool ending = false;
  std::thread::id ender;  // the thread that called exit
  Clock::time_point end;  // by then the process should have ended
};

// To be called with the mutex locked.
void reset_after_fork(Users& users) {
  if (users.generation == fork_generation()) return;
  users.generation = fork_generation();
  users.left_inside = users.left_inside || users.count != 0;
  users.count = 0;
  users.ending = false;
}

/// Whether this thread is to be held at `now`.
bool is_held(Users& users, Clock::time_point now) {
  const std::lock_guard lock(users.mutex);
  return users.ending && depth == 0 && users.ender != std::this_thread::get_id() && now < users.end;
}

/// Whether the process was ending.
bool wait_for_end(Users& users) {
  bool waited = false;
  for (; is_held(users, Clock::now()); waited = true) std::this_thread::sleep_for(poll_interval);
  return waited;
}

/// Whether others than this thread are inside.
bool has_others(Users& users) {
  const std::lock_guard lock(users.mutex);
  return users.count > depth;
}

void wait_for_users() {
  auto& users = fork_safe_instance<Users>();
  const Clock::time_point latest = Clock::now() + longest_wait;
  {
    const std::lock_guard lock(users.mutex);
    reset_after_fork(users);
    if (users.ending) return;
    users.ending = true;
    users.ender = std::this_thread::get_id();
    users.end = latest + longest_end;
  }
  while (has_others(users) && Clock::now() < latest) std::this_thread::sleep_for(poll_interval);
  const std::lock_guard lock(users.mutex);
  users.end = Clock::now() + longest_end;
}

/// Handlers run in the reverse order of their registration, destructors of static objects among them, which a library
/// registers when it is opened, and a few when it first works.
void watch_exit(NvrtcUse::Purpose purpose) {
  static std::atomic<int> owed{0};
  if (purpose == NvrtcUse::Purpose::opening) owed.store(2);
  if (owed.load() <= 0 || owed.fetch_sub(1) <= 0) return;
  keep_own_code_loaded();
  std::atexit(wait_for_users);
}

}  // namespace

NvrtcUse::NvrtcUse(Purpose purpose) : purpose_(purpose) {
  auto& users = fork_safe_instance<Users>();
  if (wait_for_end(users)) throw ToolkitError("the process is ending, and nothing is compiled or linked any more", {});
  {
    const std::lock_guard lock(users.mutex);
    reset_after_fork(users);
    if (!users.left_inside) {
      ++users.count;
      ++depth;
      return;
    }
  }
  throw ToolkitError(
      "this process was forked while a thread of its parent was compiling or linking, so NVRTC, NVVM and nvJitLink "
      "cannot be used in it: fork while no thread does, or start the process with exec or posix_spawn (in Python: the "
      "start method 'spawn')",
      {});
}

NvrtcUse::~NvrtcUse() {
  auto& users = fork_safe_instance<Users>();
  watch_exit(purpose_);
  {
    const std::lock_guard lock(users.mutex);
    reset_after_fork(users);
    if (users.count != 0) --users.count;
    --depth;
  }
  wait_for_end(users);
}

bool NvrtcUse::is_waited_for() noexcept {
  auto& users = fork_safe_instance<Users>();
  const std::lock_guard lock(users.mutex);
  return users.ending;
}

}  // namespace kiln
