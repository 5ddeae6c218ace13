#include "base/file_lock.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"

#include <atomic>
#include <cerrno>
#include <mutex>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

namespace kiln {

// The open locks of this process, for a child of fork to close.
struct OpenLocks {
  ForkSafeMutex mutex;
  std::vector<FileLock*> all;

  static OpenLocks& get() {
    auto& locks = fork_safe_instance<OpenLocks>();
    static std::atomic<bool> watching{false};
    if (!watching.load(std::memory_order_acquire)) {
      pthread_atfork(nullptr, nullptr, close_in_child);  // more than once does no harm
      watching.store(true, std::memory_order_release);
    }
    return locks;
  }

  // Only this thread is left, and the list is consistent, because fork waited for the mutex. Not unlocked: that would
  // take the lock from the parent.
  static void close_in_child() {
    OpenLocks& locks = fork_safe_instance<OpenLocks>();
    for (FileLock* lock : locks.all) {
      if (lock->is_own()) ::close(lock->descriptor_);
      lock->descriptor_ = -1;
    }
    locks.all.clear();
  }

  // Opened with the mutex held, so that no child is made that has the descriptor and does not know of it.
  int open(FileLock& lock, const std::string& path) {
    const std::lock_guard<ForkSafeMutex> guard(mutex);
    all.reserve(all.size() + 1);
    const int descriptor = lock.files_.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (descriptor < 0) return descriptor;
    lock.descriptor_ = descriptor;
    if (!lock.is_brief_) lock.file_ = DescriptorFile(descriptor);
    all.push_back(&lock);
    return 0;
  }
  /// The descriptor, which is the caller's from here on; -1 in a child of fork.
  int remove(FileLock& lock) {
    const std::lock_guard<ForkSafeMutex> guard(mutex);
    std::erase(all, &lock);
    return std::exchange(lock.descriptor_, -1);
  }
};

int FileLock::open(const std::string& path) {
  close();
  return OpenLocks::get().open(*this, path);
}

int FileLock::try_lock(std::int64_t offset) {
  if (!is_own()) return -EBADF;
  const int code = files_.try_lock(descriptor_, offset, 1);
  if (code == 0) {
    locked_ = true;
    offset_ = offset;
  }
  return code;
}

void FileLock::close() noexcept {
  if (descriptor_ < 0) return;
  // Closing alone would leave the lock with a child of fork that did not come to close its copy yet.
  const bool is_open = is_own();
  if (locked_ && is_open) files_.unlock(descriptor_, offset_, 1);
  locked_ = false;
  const int descriptor = OpenLocks::get().remove(*this);
  if (descriptor >= 0 && is_open) files_.close(descriptor);
}

bool FileLock::has_no_locks(int code) noexcept {
  return code == -ENOLCK || code == -ENOSYS || code == -EOPNOTSUPP || code == -EINVAL;
}

}  // namespace kiln
