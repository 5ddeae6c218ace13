#include "toolkit/driver/driver.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "base/log.hpp"
#include "toolkit/driver/driver_library.hpp"
#include "toolkit/driver/driver_result.hpp"
#include "toolkit/driver/emulator_library.hpp"
#include "toolkit/driver/launch_ranges.hpp"

#include <pthread.h>
#include <kiln/driver.hpp>
#include <kiln/error.hpp>

#include <atomic>
#include <memory>
#include <mutex>

namespace kiln {
namespace {

// Trivially destructible, and the table is never freed: destructors of static objects still ask for it.
std::atomic<const Driver*> table{nullptr};
// The threads that are opening the driver, and one more once it is open.
std::atomic<int> users{0};
std::atomic<bool> child_of_fork{false};
// What `table` holds, which a child of fork forgets: a leak checker finds it here in the child, too.
std::atomic<const Driver*> kept{nullptr};

struct Choice {
  ForkSafeMutex mutex;
  DriverChoice wanted;  // by use_driver
  DriverChoice opened;
};
Choice& choice() { return fork_safe_instance<Choice>(); }

struct Opening {
  std::mutex mutex;
};

// Counts a thread among the users. To be made before Opening is locked and to end after it is free again: a child that
// finds a count of zero finds the mutex free.
class User {
 public:
  User() { users.fetch_add(1); }
  ~User() {
    if (!stays_) users.fetch_sub(1);
  }
  User(const User&) = delete;
  User& operator=(const User&) = delete;

  void stay() { stays_ = true; }

 private:
  bool stays_ = false;
};

// Runs in the child of every fork, where nothing but stores is allowed. A child that inherits a driver, or the mutex
// of a thread that was opening one, never comes near either again.
void after_fork_in_child() {
  if (users.load(std::memory_order_relaxed) == 0) return;
  child_of_fork.store(true, std::memory_order_relaxed);
  table.store(nullptr, std::memory_order_relaxed);
}

void watch_forks() {
  // Threads may both register it, which does no harm; a static local's lock could be closed in a child.
  static std::atomic<bool> watching{false};
  if (watching.load(std::memory_order_acquire)) return;
  pthread_atfork(nullptr, nullptr, after_fork_in_child);
  watching.store(true, std::memory_order_release);
}

[[noreturn]] void refuse_child_of_fork() {
  throw DriverError(
      "this process was forked from one that uses the CUDA driver, and a child of fork cannot use its parent's device. "
      "Start the process with exec or posix_spawn (in Python: the start method 'spawn'), or fork before the first CUDA "
      "call",
      CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "cuInit");
}

DriverChoice current_choice() {
  Choice& state = choice();
  const std::lock_guard lock(state.mutex);
  return state.wanted.name.empty() ? driver_choice_of_environment() : state.wanted;
}

const Driver& open_and_publish() {
  const DriverChoice chosen = current_choice();
  auto driver = std::make_unique<Driver>(open_driver_library(chosen));
  start_driver(*driver);
  put_launches_in_ranges(*driver);
  if (is_emulator(driver->path))
    log_message(LogLevel::info, "the device is Kiln's PTX emulator, as " + chosen.chooser + " asks for, and no GPU");
  Choice& state = choice();
  const std::lock_guard lock(state.mutex);
  state.opened = chosen;
  kept.store(driver.get(), std::memory_order_relaxed);
  table.store(driver.get(), std::memory_order_release);
  return *driver.release();
}

// A library that says nothing loads machine code and PTX, as NVIDIA's driver does.
bool accepts_cubin(const SharedLibrary& library) {
  const void* kinds = library.symbol("kiln_driver_code_kinds");
  return kinds == nullptr || (*static_cast<const unsigned*>(kinds) & 1u) != 0;
}

const Driver& open() {
  watch_forks();
  if (child_of_fork.load(std::memory_order_relaxed)) refuse_child_of_fork();
  User user;
  const std::lock_guard lock(fork_safe_instance<Opening>().mutex);
  if (const Driver* driver = table.load(std::memory_order_acquire)) return *driver;
  const Driver& driver = open_and_publish();
  user.stay();
  return driver;
}

}  // namespace

Driver::Driver(const SharedLibrary& library)
    : path(library.path()),
      symbols(library),
      loads_cubin(accepts_cubin(library)),
      message(FunctionAddress{library.symbol("kiln_driver_message")}) {}

FunctionAddress Driver::required(const char* name, int version, const char* suffix) const {
  if (void* address = symbols.find(name, version, suffix)) return {address};
  throw ToolkitError("the driver library " + path + " (" + symbols.version_text() + ") lacks the function " + name +
                         ": Kiln needs a driver for CUDA 12.0 or newer; install a newer NVIDIA driver",
                     {path});
}

const Driver& Driver::get() {
  if (const Driver* driver = table.load(std::memory_order_acquire)) return *driver;
  return open();
}

const Driver* Driver::if_open() noexcept { return table.load(std::memory_order_acquire); }

void use_driver(const std::string& name_or_path) {
  if (name_or_path.empty()) throw Error("kiln::use_driver: the name of the driver library is empty");
  Choice& state = choice();
  const std::lock_guard lock(state.mutex);
  const Driver* driver = table.load(std::memory_order_acquire);
  if (driver != nullptr && name_or_path != state.opened.name && name_or_path != driver->path)
    throw Error("kiln::use_driver(\"" + name_or_path + "\"): this process uses the driver library " + driver->path +
                " already; call use_driver before anything that needs a device");
  if (driver == nullptr) state.wanted = {name_or_path, "kiln::use_driver"};
}

bool nvidia_driver_is_chosen() noexcept {
  try {
    return current_choice().name.empty();
  } catch (...) {
    return false;
  }
}

}  // namespace kiln
