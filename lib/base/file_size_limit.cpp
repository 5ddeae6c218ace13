#include "base/file_size_limit.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <ctime>

namespace kiln {

namespace {

sigset_t signal_of_limit() noexcept {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGXFSZ);
  return set;
}

}  // namespace

std::uint64_t file_size_limit() noexcept {
  static_assert(RLIM_INFINITY == UINT64_MAX);
  struct rlimit limit = {};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 ? limit.rlim_cur : UINT64_MAX;
}

FileSizeGuard::FileSizeGuard() noexcept {
  if (file_size_limit() == UINT64_MAX) return;
  sigset_t pending;
  ::sigpending(&pending);
  // One that waits already was sent for another's write: it is blocked, and is not to be taken away.
  const sigset_t signal = signal_of_limit();
  active_ = ::sigismember(&pending, SIGXFSZ) == 0 && ::pthread_sigmask(SIG_BLOCK, &signal, &former_) == 0;
}

FileSizeGuard::~FileSizeGuard() {
  if (!active_) return;
  const int error = errno;
  const sigset_t signal = signal_of_limit();
  const struct timespec now = {};
  while (::sigtimedwait(&signal, nullptr, &now) < 0 && errno == EINTR) {
  }
  ::pthread_sigmask(SIG_SETMASK, &former_, nullptr);
  errno = error;
}

}  // namespace kiln
