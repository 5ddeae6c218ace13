// Threads that need the same result at the same time: one makes it, the others wait.
#pragma once

#include "base/fork_safe_mutex.hpp"
#include "base/stop.hpp"

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace kiln {

/// The work in progress, by key. Different keys never wait for each other. Thread-safe, also across fork: a child
/// starts without its parent's work, whose threads it does not have.
class SingleFlight {
 public:
  SingleFlight() = default;
  SingleFlight(const SingleFlight&) = delete;
  SingleFlight& operator=(const SingleFlight&) = delete;

  /// Runs `work` and returns true; or, where another thread runs it for that key, waits for its end, or until `stop` is
  /// due, and returns false: the caller then looks for the result where `work` stores it. Throws what `work` threw, in
  /// the thread that ran it and in those that waited.
  bool run(const std::string& key, const std::function<void()>& work, const Stop& stop = {});

 private:
  struct Flight {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::exception_ptr error;
  };
  using Flights = std::unordered_map<std::string, std::shared_ptr<Flight>>;

  static void wait(Flight& flight, const Stop& stop);
  void end(const std::string& key, const std::shared_ptr<Flight>& flight, std::exception_ptr error);

  ForkSafeMutex mutex_;
  std::uint64_t generation_ = fork_generation();
  Flights flights_;
  std::vector<Flights*> former_;  // of parent processes, whose other threads were using them: never destroyed
};

}  // namespace kiln
