#include "cache/single_flight.hpp"

#include "in_child.hpp"
#include "recorded_ranges.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace single_flight_test {

using namespace kiln;
using namespace kiln::test;

namespace {

/// Work that a test holds until it says so.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void enter() {
    std::unique_lock lock(mutex_);
    entered_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void wait_until_entered() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return entered_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  bool entered_ = false;
};

}  // namespace

TEST_CASE("one of those who ask together works, and each other one waits for its end") {
  SingleFlight flights;
  std::atomic<bool> made{false};
  std::atomic<int> runs{0};
  std::atomic<int> saw{0};
  // As a cache does it: look, and where there is nothing make it, one at a time, and look again.
  const auto ask = [&] {
    while (!made)
      flights.run("key", [&] {
        if (made) return;
        ++runs;
        std::this_thread::yield();
        made = true;
      });
    ++saw;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) threads.emplace_back(ask);
  for (std::thread& thread : threads) thread.join();
  CHECK(runs == 1);
  CHECK(saw == 16);
}

TEST_CASE("one who comes while the work runs returns after its end, and runs nothing") {
  SingleFlight flights;
  Gate gate;
  std::atomic<bool> done{false};
  std::thread leader([&] {
    CHECK(flights.run("key", [&] {
      gate.enter();
      done = true;
    }));
  });
  gate.wait_until_entered();
  std::atomic<bool> ran{false};
  bool led = true;
  bool saw_done = false;
  std::thread other([&] {
    led = flights.run("key", [&] { ran = true; });
    saw_done = done;
  });
  gate.open();
  leader.join();
  other.join();
  // It may have been scheduled only after the leader was done; then it led.
  CHECK(led == ran);
  CHECK(saw_done);
  CHECK(flights.run("key", [] {}));
}

TEST_CASE("a profiler sees the wait") {
  SingleFlight flights;
  Gate gate;
  const RecordedRanges ranges;
  std::thread leader([&] { flights.run("key", [&] { gate.enter(); }); });
  gate.wait_until_entered();
  std::thread other([&] { CHECK_FALSE(flights.run("key", [] {})); });
  while (ranges.text() != "(wait: for another thread") std::this_thread::yield();
  gate.open();
  leader.join();
  other.join();
  CHECK(ranges.text() == "(wait: for another thread)");
}

TEST_CASE("different keys do not wait for each other") {
  SingleFlight flights;
  Gate gate;
  std::thread leader([&] { flights.run("slow", [&] { gate.enter(); }); });
  gate.wait_until_entered();
  CHECK(flights.run("quick", [] {}));  // would hang
  gate.open();
  leader.join();
}

TEST_CASE("an exception is for all who wait, and is not kept") {
  SingleFlight flights;
  Gate gate;
  std::atomic<int> failures{0};
  const auto ask = [&] {
    try {
      flights.run("key", [&] {
        gate.enter();
        throw std::runtime_error("no");
      });
    } catch (const std::runtime_error&) {
      ++failures;
    }
  };
  std::thread first(ask);
  gate.wait_until_entered();
  std::thread second(ask);
  gate.open();
  first.join();
  second.join();
  CHECK(failures == 2);
  CHECK(flights.run("key", [] {}));
}

TEST_CASE("a child of fork does not wait for a thread that it does not have") {
  SingleFlight flights;
  Gate gate;
  std::thread leader([&] { flights.run("key", [&] { gate.enter(); }); });
  gate.wait_until_entered();
  CHECK(in_child([&] { return flights.run("key", [] {}) ? 0 : 1; }) == 0);
  gate.open();
  leader.join();
}

TEST_CASE("one who waits goes when it is cancelled or late, and the work goes on") {
  SingleFlight flights;
  Gate gate;
  std::thread worker([&] { flights.run("key", [&] { gate.enter(); }); });
  gate.wait_until_entered();

  Stop late;
  late.deadline = Stop::Clock::now();
  CHECK_FALSE(flights.run(
      "key", [] { FAIL("another works"); }, late));

  const CancelSource source;
  Stop cancelled;
  cancelled.cancel = source.token();
  std::thread other([&] { source.cancel(); });
  CHECK_FALSE(flights.run(
      "key", [] { FAIL("another works"); }, cancelled));
  other.join();

  gate.open();
  worker.join();
  CHECK(flights.run("key", [] {}));
}

}  // namespace single_flight_test
