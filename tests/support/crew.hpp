// Many processes at once.
#pragma once

#include <doctest/doctest.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <new>
#include <vector>

namespace kiln::test {

/// An object that children of fork share with their parent: of atomics, or of what nobody changes.
template <class Type>
class Shared {
 public:
  Shared() {
    void* memory = ::mmap(nullptr, sizeof(Type), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    object_ = new (memory) Type();
  }
  ~Shared() { ::munmap(object_, sizeof(Type)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  Type* operator->() const { return object_; }
  Type& operator*() const { return *object_; }

 private:
  Type* object_;
};

/// Children of fork that start their work together.
class Crew {
 public:
  Crew() { REQUIRE(::pipe(gate_.data()) == 0); }
  ~Crew() {
    for (const pid_t pid : pids_) ::kill(pid, SIGKILL);
    wait();
    for (const int end : gate_) ::close(end);
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// A child that runs `body` once the gate is open, and exits with 0 where that returns true.
  template <class Body>
  pid_t add(Body body) {
    const pid_t pid = ::fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
      ::alarm(120);  // a child that hangs is a failure, not a hang
      char byte = 0;
      while (::read(gate_[0], &byte, 1) < 0 && errno == EINTR) {
      }
      bool good = false;
      try {
        good = body();
      } catch (const std::exception&) {
      }
      ::_exit(good ? 0 : 1);
    }
    pids_.push_back(pid);
    return pid;
  }

  /// A byte for each, because other children may hold the writing end open.
  void open_gate() {
    const std::vector<char> bytes(pids_.size(), 'x');
    REQUIRE(::write(gate_[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }

  /// How many exited with 0, of those whose end was not awaited yet.
  int wait() {
    int good = 0;
    for (const pid_t pid : pids_) {
      int status = 0;
      while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
      }
      good += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    pids_.clear();
    return good;
  }
  int run() {
    open_gate();
    return wait();
  }

 private:
  std::array<int, 2> gate_ = {-1, -1};
  std::vector<pid_t> pids_;
};

/// Waits until another process has made it so. False after a minute.
template <class Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < 60'000; ++i) {
    if (condition()) return true;
    ::usleep(1000);
  }
  return false;
}

}  // namespace kiln::test
