#include "toolkit/nvrtc_use.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"

#include <kiln/error.hpp>

#include <cstdint>
#include <mutex>

namespace kiln {
namespace {

struct Users {
  ForkSafeMutex mutex;
  std::uint64_t generation = fork_generation();
  int count = 0;
  bool left_inside = false;  // a thread of the parent was in NVRTC at the fork, and is not here to leave it
};

// To be called with the mutex locked.
void forget_parent(Users& users) {
  if (users.generation == fork_generation()) return;
  users.generation = fork_generation();
  users.left_inside = users.left_inside || users.count != 0;
  users.count = 0;
}

}  // namespace

NvrtcUse::NvrtcUse() {
  auto& users = fork_safe_instance<Users>();
  {
    const std::lock_guard lock(users.mutex);
    forget_parent(users);
    if (!users.left_inside) {
      ++users.count;
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
  const std::lock_guard lock(users.mutex);
  forget_parent(users);
  if (users.count != 0) --users.count;
}

}  // namespace kiln
