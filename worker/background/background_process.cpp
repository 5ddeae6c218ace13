#include "worker/background/background_process.hpp"

#include "base/range.hpp"

#include <kiln/log.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <new>
#include <string>

namespace kiln {

namespace {

/// In memory that the monitor has too. A later process takes the place of an early one, which has long ended.
struct SharedProcesses {
  std::array<std::atomic<pid_t>, 256> all = {};
  std::atomic<std::size_t> started{0};
};
SharedProcesses* shared_processes = nullptr;

/// Nothing of the worker stays open: its host would not notice its end.
void leave_worker(const char* name, unsigned most_seconds) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_NAME, name);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int descriptor : {0, 1, 2})
    if (nothing < 0 || ::dup2(nothing, descriptor) < 0) ::close(descriptor);
  const auto most = static_cast<int>(::sysconf(_SC_OPEN_MAX));
  for (int descriptor = 3; descriptor < std::min(most, 1024); ++descriptor) ::close(descriptor);
  ::umask(077);
  ::alarm(most_seconds);
}

}  // namespace

pid_t start_in_background(const char* name, unsigned most_seconds, const std::function<void()>& work) {
  const pid_t process = ::fork();
  if (process == 0) {
    leave_worker(name, most_seconds);
    set_log_handler([](LogLevel, const std::string&) {});
    set_range_sink(nullptr);
    try {
      work();
    } catch (const std::exception&) {  // nobody receives it
    }
    ::_exit(0);
  }
  if (process < 0) return process;
  ::setpgid(process, process);  // both do, so that it is done whichever runs first
  if (shared_processes != nullptr) {
    const std::size_t place = shared_processes->started.fetch_add(1) % shared_processes->all.size();
    shared_processes->all[place].store(process);
  }
  return process;
}

void share_background_processes() {
  void* const memory =
      ::mmap(nullptr, sizeof *shared_processes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) shared_processes = new (memory) SharedProcesses;
}

bool is_in_background(pid_t process) noexcept {
  return shared_processes != nullptr &&
         std::any_of(shared_processes->all.begin(), shared_processes->all.end(),
                     [process](const std::atomic<pid_t>& one) { return one.load() == process; });
}

}  // namespace kiln
