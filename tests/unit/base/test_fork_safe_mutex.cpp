#include "base/fork_safe_mutex.hpp"

#include "base/fork_safe_instance.hpp"

#include "in_child.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace fork_safe_mutex_test {

using namespace kiln;
using kiln::test::in_child;

namespace {

// Stays in its constructor, where it was told to, until it is let go.
struct Slow {
  static inline std::atomic<bool> wait{false};
  static inline std::atomic<bool> waits{false};
  Slow() {
    if (!wait) return;
    waits = true;
    while (wait) std::this_thread::yield();
  }
};

struct Shared {
  int value = 7;
};

}  // namespace

TEST_CASE("threads that ask for an instance together get the same one") {
  std::vector<Shared*> seen(8);
  std::vector<std::thread> threads;
  for (Shared*& place : seen) threads.emplace_back([&place] { place = &fork_safe_instance<Shared>(); });
  for (std::thread& thread : threads) thread.join();
  for (const Shared* shared : seen) CHECK(shared == &fork_safe_instance<Shared>());
  CHECK(fork_safe_instance<Shared>().value == 7);
}

TEST_CASE("a child gets an instance although a thread was making it at the fork") {
  Slow::wait = true;
  std::thread worker([] { fork_safe_instance<Slow>(); });
  while (!Slow::waits) std::this_thread::yield();
  const int status = in_child([] {
    Slow::wait = false;
    fork_safe_instance<Slow>();
    return 8;
  });
  Slow::wait = false;
  worker.join();
  CHECK(status == 8);
}

TEST_CASE("the generation of a child differs from its parent's") {
  const std::uint64_t before = fork_generation();
  CHECK(in_child([before] { return fork_generation() != before ? 3 : 4; }) == 3);
  CHECK(fork_generation() == before);
}

TEST_CASE("a child finds the mutex free and what it guards whole, whatever other threads did") {
  ForkSafeMutex mutex;
  int first = 0;
  int second = 0;
  std::atomic<bool> stop{false};
  std::thread worker([&] {
    while (!stop) {
      std::lock_guard<ForkSafeMutex> lock(mutex);
      ++first;
      std::this_thread::yield();
      ++second;
    }
  });
  for (int i = 0; i < 50; ++i) {
    const int status = in_child([&] {
      std::lock_guard<ForkSafeMutex> lock(mutex);
      return first == second ? 5 : 6;
    });
    CHECK(status == 5);
  }
  stop = true;
  worker.join();
}

TEST_CASE("mutexes come and go in any order between forks") {
  auto a = std::make_unique<ForkSafeMutex>();
  auto b = std::make_unique<ForkSafeMutex>();
  auto c = std::make_unique<ForkSafeMutex>();
  b.reset();
  CHECK(in_child([] { return 1; }) == 1);
  c.reset();
  a.reset();
  CHECK(in_child([] { return 2; }) == 2);
}

}  // namespace fork_safe_mutex_test
